// One show (/shows/NAME): what the machine sees, understands, decides and does, as it happens (X3).
//
// Hooks: body[data-show], #state[data-is], canvas #picture, #outline polygon, #cells rect, #decision, #figures [data-figure],
//   #timeline rect[data-action], #happenings li.

import { byId, el, svg } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { boardOf, decisionWords, learn, scoreFigures, seenWords } from "./show-games.js";
import { watchShow } from "./show-stream.js";
import { duration, number, onLanguage, t } from "./words.js";

/** What the time line shows. */
const WINDOW_MS = 6000;
const LOG_LINES = 6;
/** Notes come up to sixty times a second; people read slower. */
const DRAW_EVERY_MS = 60;

const name = location.pathname.split("/").at(-1);
document.body.dataset.show = name;
mountMasthead();

let seen = null;
/** What the LEGO robot has found so far, cell by cell. */
let known = new Map();
let decision = null;
let state = { is: "waiting" };
let now = 0;
let missed = 0;
let counts = { decisions: 0, confirmed: 0, diverged: 0, unclear: 0, faults: 0 };
let corners = null;
/** Actions on the time line: `{ action, begin, end }`, times in milliseconds. */
let actions = [];
let log = [];
let due = 0;

watchShow(name, byId("picture"), {
  notes: true,
  onEvent: hear,
  onFrame: (timeMs) => {
    now = Math.max(now, timeMs);
    if (state.is !== "playing") state = { is: "playing" };
    draw();
  },
  onLink: (up) => {
    if (!up) state = { is: "lost" };
    draw();
  },
});
onLanguage(drawNow);
drawNow();

function hear(event) {
  if (event.type === "NOTE") note(event);
  else if (event.type === "MISSED") missed += event.count;
  else if (event.type === "FAILED") state = { is: "failed", why: event.why };
  else if (event.type === "RUN") {
    state = { is: "waiting" };
    [seen, decision, corners, actions, now, missed, known] = [null, null, null, [], 0, 0, new Map()];
    counts = { decisions: 0, confirmed: 0, diverged: 0, unclear: 0, faults: 0 };
    tell(t("show.new_run", { seed: number(event.seed) }));
  }
  draw();
}

function note({ topic, time_ms: time, note: content }) {
  now = Math.max(now, time);
  if (topic === "observation") {
    seen = content;
    learn(known, content);
  } else if (topic === "decision") {
    decision = content;
    counts.decisions += 1;
  } else if (topic === "command") command(content, time);
  else if (topic === "screen") corners = content.mapping;
  else if (topic === "verdict") {
    if (content === "confirmed") counts.confirmed += 1;
    if (content?.diverged) {
      counts.diverged += 1;
      tell(t("show.diverged", { why: content.diverged.why }));
    }
  } else if (topic === "unclear") counts.unclear += 1;
  else if (topic === "fault") {
    counts.faults += 1;
    tell(t("show.fault", { what: JSON.stringify(content) }));
  } else if (topic === "remedy") tell(t("show.remedy", { what: typeof content.remedy === "string" ? content.remedy : Object.keys(content.remedy)[0] }));
  else if (topic === "game_over") tell(t("show.game_over"));
}

function command({ edge, action }, time) {
  const word = typeof action === "string" ? action : Object.keys(action)[0];
  if (edge === "begin") actions.push({ action: word, begin: time, end: null });
  else {
    const open = actions.findLast((other) => other.action === word && other.end === null);
    if (open) open.end = time;
  }
  actions = actions.filter(({ end }) => end === null || end > now - WINDOW_MS);
}

function tell(text) {
  log = [text, ...log].slice(0, LOG_LINES);
}

function draw() {
  if (due) return;
  due = setTimeout(() => {
    due = 0;
    drawNow();
  }, DRAW_EVERY_MS);
}

function drawNow() {
  byId("title").textContent = t(`hall.${name}`);
  byId("about").textContent = t(`hall.${name}.about`);
  const stateText = byId("state");
  stateText.dataset.is = state.is;
  stateText.textContent = state.is === "failed" ? t("show.failed", { why: state.why }) : state.is === "playing" ? t("show.running", { time: duration(now) }) : t(`show.${state.is}`);
  byId("seen-text").textContent = seenWords(name, seen);
  byId("decision").textContent = decision ? decisionWords(name, decision) : t("show.no_decision");
  const figures = [...scoreFigures(name, seen), ["decisions", counts.decisions], ["confirmed", counts.confirmed], ["diverged", counts.diverged], ["unclear", counts.unclear], ["faults", counts.faults]];
  if (missed > 0) figures.push(["missed", missed]);
  byId("figures").replaceChildren(...figures.map(([key, value]) => el("div", { "data-figure": key }, el("dt", {}, t(`show.figure.${key}`)), el("dd", {}, number(value)))));
  byId("happenings").replaceChildren(...log.map((text) => el("li", {}, text)));
  drawCells();
  drawOutline();
  drawTimeline();
}

/** The recognised cells; what is to be removed or placed stands out. */
function drawCells() {
  const place = byId("cells");
  const found = boardOf(name, seen, decision, known);
  place.toggleAttribute("hidden", found === null);
  if (!found) return;
  const { columns, rows, cells } = found;
  place.setAttribute("viewBox", `-0.1 -0.1 ${columns + 0.2} ${rows + 0.2}`);
  place.replaceChildren(
    svg("rect", { class: "cells-ground", x: -0.1, y: -0.1, width: columns + 0.2, height: rows + 0.2 }),
    ...cells.map(({ column, row, kind }) => svg("rect", { class: `cell kind-${kind}`, x: column + 0.04, y: rows - 1 - row + 0.04, width: 0.92, height: 0.92, rx: 0.12 })),
  );
}

/** Where the screen lies in the frame, if it is not the frame itself. */
function drawOutline() {
  const place = byId("outline");
  const canvas = byId("picture");
  place.setAttribute("viewBox", `0 0 ${canvas.width} ${canvas.height}`);
  const quad = corners && quadOf(corners);
  place.replaceChildren(...(quad ? [svg("polygon", { points: quad.map((point) => point.join(",")).join(" ") })] : []));
}

/** The corners of a Game Boy's screen through a matrix of homogeneous coordinates. */
function quadOf(matrix) {
  return [[0, 0], [160, 0], [160, 144], [0, 144]].map(([x, y]) => {
    const [u, v, w] = matrix.map(([a, b, c]) => a * x + b * y + c);
    return [u / w, v / w];
  });
}

function drawTimeline() {
  const names = [...new Set(actions.map(({ action }) => action))].sort();
  const place = byId("timeline");
  place.setAttribute("viewBox", `0 0 600 ${Math.max(1, names.length) * 26}`);
  const x = (time) => 90 + (510 * (time - (now - WINDOW_MS))) / WINDOW_MS;
  place.replaceChildren(
    ...names.flatMap((action, line) => [
      svg("text", { x: 0, y: line * 26 + 18 }, actionWord(action)),
      svg("line", { x1: 90, x2: 600, y1: line * 26 + 13, y2: line * 26 + 13 }),
    ]),
    ...actions.map(({ action, begin, end }) => {
      const [from, to] = [Math.max(90, x(begin)), x(end ?? now)];
      return svg("rect", { "data-action": action, x: from, y: names.indexOf(action) * 26 + 4, width: Math.max(3, to - from), height: 18, rx: 4 });
    }),
  );
}

function actionWord(action) {
  const words = t(`show.action.${action}`);
  return words.startsWith("show.") ? action.replaceAll("_", " ") : words;
}
