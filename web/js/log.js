// What happens, in plain words, newest first.

import { discMark, other } from "./disc.js";
import { el } from "./elements.js";
import { outcomeForAll } from "./outcome.js";
import { playerName } from "./plates.js";
import { onLanguage, spoken, t } from "./words.js";

const MOST_LINES = 8;

/** A log in `place` (a list); `hear(event, state)` takes in every event. */
export function createLog(place) {
  /** Lines are rendered again when the language changes. */
  let lines = [];
  let robotWell = true;

  function add(say, disc = null) {
    lines = [{ say, disc }, ...lines].slice(0, MOST_LINES);
    show();
  }

  function show() {
    place.replaceChildren(...lines.map(({ say, disc }) => el("li", {}, disc ? discMark(disc) : el("span", { class: "log-dot" }), el("span", {}, say()))));
  }

  function hear(event, { game }) {
    switch (event.type) {
      case "GAME_START":
        add(() => t(event.demo ? "log.demo" : "log.started", { red: playerName(event.red), yellow: playerName(event.yellow) }));
        break;
      case "TURN":
        if (game) add(() => t("log.turn", { name: playerName(game[event.disc]), column: event.column }), event.disc);
        break;
      case "TURN_TREE":
        add(() => t("log.reason", { name: t(`level.${event.decision.level}`), text: spoken(event.decision.reason) }), event.decision.disc);
        break;
      case "COMMENT":
        if (game && event.decision.remark) {
          const mover = other(event.decision.disc);
          add(() => t("log.reason", { name: game[mover].name, text: spoken(event.decision.remark) }), mover);
        }
        break;
      case "GAME_OVER":
      case "GAME_DRAW":
      case "GAME_ENDED":
        if (game) add(() => outcomeForAll(game), event.winner ?? null);
        break;
      case "GAME_SIGNUP":
        add(() => t("log.waits", { name: event.name }));
        break;
      case "VISITOR_LEFT":
        add(() => t("log.left", { name: event.name }));
        break;
      case "TABLE_FREE":
        add(() => t("log.free"));
        break;
      case "ROBOT":
        hearRobot(event.robot.status);
        break;
    }
  }

  function hearRobot(status) {
    const well = status !== "error" && status !== "lost";
    if (!well) add(() => t(`log.robot_${status}`));
    else if (!robotWell) add(() => t("log.robot_back"));
    robotWell = well;
  }

  onLanguage(show);
  return { hear };
}
