// The operator's live log: games, visitors, log-ins and faults in the reader's language, newest first.
//
// Hooks: #happenings li[data-kind].

import { el } from "./elements.js";
import { ask } from "./operator.js";
import { outcomeForAll } from "./outcome.js";
import { playerName } from "./plates.js";
import { settingLabel } from "./setting-words.js";
import { currentLanguage, onLanguage, spoken, t } from "./words.js";

const MOST_LINES = 100;
const POLL_MS = 2000;

/** A log in `place`; `hear(event, state)` takes in events of the hall, `watch(on)` asks for log-ins. */
export function mountHappenings(place) {
  /** `{at, kind, say}`; rendered again when the language changes. */
  let lines = [];
  let visits = [];
  let robot = null;
  let timer = 0;

  function add(kind, say, at = new Date()) {
    lines = [{ at, kind, say }, ...lines].slice(0, MOST_LINES);
    render();
  }

  function hear(event, { game }) {
    switch (event.type) {
      case "GAME_START":
        return add("game", () => t(event.demo ? "log.demo" : "log.started", { red: playerName(event.red), yellow: playerName(event.yellow) }));
      case "GAME_OVER":
      case "GAME_DRAW":
      case "GAME_ENDED":
        return game && add("game", () => outcomeForAll(game));
      case "GAME_SIGNUP":
        return add("visitor", () => t("log.waits", { name: event.name }));
      case "VISITOR_LEFT":
        return add("visitor", () => t("log.left", { name: event.name }));
      case "WITHOUT_ROBOT":
        return add("fault", () => t("log.without_robot"));
      case "RECORDING":
        return add("fault", () => t(event.recorded ? "log.recorded" : "log.not_recorded"));
      case "WELCOME":
        return hearRobot(event.state.robot);
      case "ROBOT":
        return hearRobot(event.robot);
    }
  }

  function hearRobot({ status, text }) {
    const ill = status === "error" || status === "lost";
    const was = robot === "error" || robot === "lost";
    if (ill && robot !== status) add("fault", () => [t(`log.robot_${status}`), currentLanguage() === "en" && spoken(text)].filter(Boolean).join(" "));
    else if (!ill && was) add("fault", () => t("log.robot_back"));
    robot = status;
  }

  async function poll() {
    try {
      ({ visits } = await ask("GET", "/api/admin/visits"));
      render();
    } catch {
      // The link's own strip tells that the server is away.
    }
  }

  function watch(on) {
    clearInterval(timer);
    timer = on ? setInterval(poll, POLL_MS) : 0;
    if (on) poll();
  }

  function render() {
    const doors = visits.map(({ at, visit, what }) => ({ at: new Date(at), kind: "door", say: () => t(`visit.${visit}`, { what: what && settingLabel(what) }) }));
    const all = [...lines, ...doors].sort((a, b) => b.at - a.at).slice(0, MOST_LINES);
    place.replaceChildren(...all.map(({ at, kind, say }) =>
      el("li", { "data-kind": kind }, el("time", { datetime: at.toISOString() }, clock(at)), el("span", {}, say()))));
  }

  const clock = (at) => new Intl.DateTimeFormat(currentLanguage(), { timeStyle: "medium" }).format(at);

  onLanguage(render);
  render();
  return { hear, watch };
}
