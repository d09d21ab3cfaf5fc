// The panel of the Tetris robot: every command of the operator (G17), and fault switches for whoever may push them.
//
// Hooks: #panel [data-fault][aria-pressed], #panel [data-command], #panel-state[data-is], body[data-corners].

import { byId, el } from "./elements.js";
import { ask } from "./operator.js";
import { onLanguage, t, whyOf } from "./words.js";

const REFRESH_MS = 3000;
/** What each switch does when it is pushed. */
const FAULTS = {
  slips: { on: ({ missed_presses: share }) => (share ?? 0) > 0, push: (faults, on) => ({ ...faults, missed_presses: on ? 0.3 : null }) },
  shake: { on: ({ shake_px: pixels }) => pixels > 0, push: (faults, on) => ({ ...faults, shake_px: on ? 8 : 0 }) },
  dark: { on: ({ dark }) => dark, push: (faults, on) => ({ ...faults, dark: on }) },
  camera_out: { on: ({ camera_out: out }) => out, push: (faults, on) => ({ ...faults, camera_out: on }) },
};
const BUTTONS = ["up", "down", "left", "right", "a", "b", "start", "select"];
const NO_FAULTS = { missed_presses: null, shake_px: 0, dark: false, camera_out: false };

/** What somebody is about to do in `place`, to be taken up when it was drawn anew: what was typed, and where the focus is. */
function leftOff(place) {
  const typed = [...place.querySelectorAll("input, select")].map(({ id, value }) => () => document.getElementById(id) && (byId(id).value = value));
  const { id, dataset } = place.contains(document.activeElement) ? document.activeElement : { dataset: {} };
  const hook = id ? `#${id}` : ["fault", "command"].filter((name) => dataset[name]).map((name) => `[data-${name}="${dataset[name]}"]`)[0];
  return hook ? [...typed, () => place.querySelector(hook)?.focus()] : typed;
}

/** Puts the panel into `#panel` if this visitor may do anything. */
export async function mountPanel(name) {
  let known = null;
  let corners = null;
  // Wishes that were sent, and those that the server has not answered.
  let wishes = 0;
  let unanswered = 0;

  async function load() {
    const before = wishes;
    try {
      const answer = await (await fetch(`/api/shows/${name}`)).json();
      // What was so before a switch was pushed would push it back.
      if (unanswered || wishes !== before) return;
      const changed = JSON.stringify(answer) !== JSON.stringify(known);
      known = answer;
      if (changed) draw();
    } catch {
      // The stream of the page tells that the server is away.
    }
  }

  function draw() {
    const place = byId("panel");
    const robot = known.body === "simulated-robot";
    const disturb = robot && (known.may_disturb || known.operator);
    place.hidden = !disturb && !known.operator;
    if (place.hidden) return;
    const left = leftOff(place);
    place.replaceChildren(
      el("section", { class: "sheet", "aria-labelledby": "panel-title" },
        el("h2", { id: "panel-title" }, t(known.operator ? "panel.title" : "panel.visitors")),
        disturb && faults(),
        known.operator && commands(),
        el("p", { id: "panel-state", role: "status" })),
    );
    left.forEach((again) => again());
  }

  function faults() {
    const now = known.faults ?? NO_FAULTS;
    return el("fieldset", {}, el("legend", {}, t("panel.faults")),
      ...Object.entries(FAULTS).map(([fault, { on, push }]) =>
        el("button", { type: "button", class: "button small", "data-fault": fault, "aria-pressed": String(Boolean(on(now))), onclick: () => disturb(push(now, !on(now))) }, t(`panel.fault.${fault}`))));
  }

  function commands() {
    const level = el("select", { class: "input", id: "panel-level", "aria-label": t("panel.level") }, ...Array.from({ length: 10 }, (_, value) => el("option", { value }, String(value))));
    const initials = el("input", { class: "input", id: "panel-initials", maxlength: 6, "aria-label": t("panel.initials"), value: "BOT", autocomplete: "off" });
    return el("div", { class: "panel" },
      el("fieldset", {}, el("legend", {}, t("panel.player")), ...["start", "stop", "reset", "new_game"].map((command) => button(command, () => command))),
      el("fieldset", {}, el("legend", {}, t("panel.game")),
        level, button("level", () => ({ level: Number(level.value) })),
        initials, button("initials", () => ({ initials: initials.value })),
        button("heart_on", () => ({ heart: true })), button("heart_off", () => ({ heart: false }))),
      el("fieldset", {}, el("legend", {}, t("panel.buttons")), ...BUTTONS.map((key) => el("button", { type: "button", class: "button small", "data-command": `press-${key}`, onclick: () => give({ press: key }) }, t(`show.action.${key}`)))),
      el("fieldset", {}, el("legend", {}, t("panel.calibrate")),
        el("button", { type: "button", class: "button small", "data-command": "key_points", onclick: calibrate }, t("panel.key_points")),
        button("forget_key_points", () => "forget_key_points")));
  }

  const button = (command, wish) => el("button", { type: "button", class: "button small", "data-command": command, onclick: () => give(wish()) }, t(`panel.${command}`));

  /** The next four clicks on the picture are the corners. */
  function calibrate() {
    corners = [];
    askForCorner();
    byId("picture").scrollIntoView({ block: "center" });
  }

  function askForCorner() {
    document.body.dataset.corners = corners ? String(corners.length) : "";
    if (corners) say("asking", t("panel.corner", { corner: t(`panel.corner.${corners.length}`) }));
  }

  byId("picture").addEventListener("click", async (event) => {
    if (!corners) return;
    const canvas = byId("picture");
    // The picture keeps its shape inside its place.
    const box = canvas.getBoundingClientRect();
    const scale = Math.min(box.width / canvas.width, box.height / canvas.height);
    const x = (event.clientX - box.left - (box.width - canvas.width * scale) / 2) / scale;
    const y = (event.clientY - box.top - (box.height - canvas.height * scale) / 2) / scale;
    corners.push([x, y]);
    if (corners.length < 4) return askForCorner();
    const points = corners;
    corners = null;
    askForCorner();
    await give({ key_points: points });
  });

  const give = (command) => send(`/api/admin/shows/${name}`, command);

  function disturb(faults) {
    known.faults = faults;
    draw();
    return known.operator ? give({ faults }) : send(`/api/shows/${name}/faults`, { faults });
  }

  async function send(path, command) {
    wishes += 1;
    unanswered += 1;
    try {
      await ask("POST", path, command);
      say("done", t("panel.done"));
    } catch (error) {
      say("refused", t("panel.refused", { why: whyOf(error) }));
    } finally {
      unanswered -= 1;
    }
  }

  function say(is, words) {
    const state = byId("panel-state");
    state.dataset.is = is;
    state.textContent = words;
  }

  onLanguage(() => known && draw());
  await load();
  setInterval(() => !document.hidden && load(), REFRESH_MS);
}
