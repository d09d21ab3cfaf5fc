// Draws what a viewer knows of a run: picture, cells, candidates, time line, figures.

import { byId, el, svg } from "./elements.js";
import { boardOf, decisionWords, orderWords, placeOf, scoreFigures, screenSize, seenWords } from "./show-games.js";
import { WINDOW_MS } from "./viewer-state.js";
import { number, seconds, t } from "./words.js";

const CANDIDATES = 7;
/** Games whose candidates have a title that explains their values. */
const CANDIDATES_OF = ["tetris", "samegame", "lego"];
const MARK_AT = 90;
const LINE = 26;

/** Draws everything but the frame; `name` is the game's. */
export function drawViewer(name, state) {
  byId("seen-text").textContent = seenWords(name, state.seen);
  byId("decision").textContent = state.decision ? decisionWords(name, state.decision) : t("show.no_decision");
  drawCells(name, state);
  drawOutline(name, state);
  drawRectified(name, state);
  drawCandidates(name, state);
  drawTimeline(state);
  drawFigures(name, state);
  byId("happenings").replaceChildren(
    ...state.log.map(({ time, kind, values, times }) => el("li", { "data-kind": kind }, el("span", { class: "muted figures" }, seconds(time)), " ", t(`show.${kind}`, { ...values, what: whatWords(kind, values) }), times > 1 && ` (× ${number(times)})`)),
  );
}

function whatWords(kind, { what, order }) {
  if (order !== undefined) return orderWords(order);
  return kind === "remedy" ? t(`show.remedy.${what}`) : what;
}

/** The recognised cells; what is to be removed or placed stands out. */
function drawCells(name, state) {
  const place = byId("cells");
  const found = boardOf(name, state.seen, state.decision, state.known);
  place.toggleAttribute("hidden", found === null);
  if (!found) return;
  const { columns, rows } = found;
  place.setAttribute("viewBox", `-0.1 -0.1 ${columns + 0.2} ${rows + 0.2}`);
  place.replaceChildren(svg("rect", { class: "cells-ground", x: -0.1, y: -0.1, width: columns + 0.2, height: rows + 0.2 }), ...cellShapes(found));
}

function cellShapes({ rows, cells }) {
  return cells.map(({ column, row, kind }) => svg("rect", { class: `cell kind-${kind}`, x: column + 0.04, y: rows - 1 - row + 0.04, width: 0.92, height: 0.92, rx: 0.12 }));
}

/** Where the screen or the board lies in the frame, if it is not the frame itself. */
function drawOutline(name, state) {
  const place = byId("outline");
  const canvas = byId("picture");
  place.setAttribute("viewBox", `0 0 ${canvas.width} ${canvas.height}`);
  const corners = cornersOf(name, state);
  place.replaceChildren(...(corners ? [svg("polygon", { points: corners.map((point) => point.join(",")).join(" ") })] : []));
}

function cornersOf(name, state) {
  const size = screenSize(name);
  if (state.screen && size) {
    const [width, height] = size;
    return [[0, 0], [width, 0], [width, height], [0, height]].map((point) => mapped(state.screen.mapping, point));
  }
  // Without its corners the screen may be anywhere in a camera's frame.
  if (size && byId("picture").width !== size[0]) return null;
  const place = placeOf(name, state.seen);
  if (!place) return null;
  const { left, top, width, height } = place;
  return [[left, top], [left + width, top], [left + width, top + height], [left, top + height]];
}

/** A point through a matrix of homogeneous coordinates. */
function mapped(matrix, [x, y]) {
  const [u, v, w] = matrix.map(([a, b, c]) => a * x + b * y + c);
  return [u / w, v / w];
}

/** The screen upright, with the recognised cells over it. */
function drawRectified(name, state) {
  const canvas = byId("rectified");
  const frame = byId("picture");
  const size = screenSize(name);
  const place = placeOf(name, state.seen);
  const field = byId("rectified-place");
  field.hidden = size ? !state.screen && frame.width !== size[0] : !place;
  if (field.hidden) return;
  const pen = canvas.getContext("2d");
  if (size) {
    [canvas.width, canvas.height] = size;
    if (state.screen) pen.putImageData(warped(frame, state.screen.mapping, size), 0, 0);
    else pen.drawImage(frame, 0, 0, ...size);
  } else {
    [canvas.width, canvas.height] = [Math.round(place.width), Math.round(place.height)];
    pen.drawImage(frame, place.left, place.top, place.width, place.height, 0, 0, canvas.width, canvas.height);
  }
  drawOver(name, state, canvas, place);
}

function drawOver(name, state, canvas, place) {
  const over = byId("recognised");
  const found = boardOf(name, state.seen, state.decision, state.known);
  over.setAttribute("viewBox", `0 0 ${canvas.width} ${canvas.height}`);
  over.replaceChildren();
  if (!found) return;
  const { left, top, width, height } = place && screenSize(name) ? place : { left: 0, top: 0, width: canvas.width, height: canvas.height };
  const scale = `translate(${left} ${top}) scale(${width / found.columns} ${height / found.rows})`;
  over.append(svg("g", { transform: scale }, ...cellShapes(found)));
}

/** The frame's pixels as the screen shows them: nearest neighbours are enough to look at. */
function warped(frame, matrix, [width, height]) {
  const { width: frameWidth, height: frameHeight } = frame;
  const source = frame.getContext("2d").getImageData(0, 0, frameWidth, frameHeight);
  const from = new Uint32Array(source.data.buffer);
  const screen = new ImageData(width, height);
  const to = new Uint32Array(screen.data.buffer);
  const [[a, b, c], [d, e, f], [g, h, i]] = matrix;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const w = g * (x + 0.5) + h * (y + 0.5) + i;
      const u = Math.floor((a * (x + 0.5) + b * (y + 0.5) + c) / w);
      const v = Math.floor((d * (x + 0.5) + e * (y + 0.5) + f) / w);
      if (u >= 0 && v >= 0 && u < frameWidth && v < frameHeight) to[y * width + x] = from[v * frameWidth + u];
    }
  }
  return screen;
}

/** What the decision was chosen from: the best one first, each as long as it is good. */
function drawCandidates(name, state) {
  const shown = state.candidates.slice(0, CANDIDATES);
  byId("candidates-title").hidden = shown.length === 0;
  byId("candidates-title").textContent = t(CANDIDATES_OF.includes(name) ? `show.candidates.${name}` : "show.candidates");
  const values = shown.map(({ value }) => value);
  const [best, worst] = [Math.max(...values), Math.min(...values)];
  const share = (value) => (best === worst ? 1 : 0.12 + (0.88 * (value - worst)) / (best - worst));
  byId("candidates").replaceChildren(
    ...shown.map(({ name, value }, index) =>
      el("li", { "data-chosen": String(index === 0) },
        el("span", {}, name),
        bar(share(value)),
        el("span", { class: "figures" }, short(value)))),
  );
}

function bar(share) {
  const part = el("span", { class: "candidate-part" });
  part.style.setProperty("--share", String(share));
  return el("span", { class: "candidate-bar" }, part);
}

const short = (value) => (Math.abs(value) >= 100 ? number(Math.round(value)) : number(Math.round(value * 100) / 100));

function drawTimeline(state) {
  const names = [...new Set(state.actions.map(({ action }) => action))].sort();
  const place = byId("timeline");
  place.setAttribute("viewBox", `0 0 600 ${Math.max(1, names.length) * LINE}`);
  const x = (time) => MARK_AT + ((600 - MARK_AT) * (time - (state.now - WINDOW_MS))) / WINDOW_MS;
  place.replaceChildren(
    ...names.flatMap((action, line) => [
      svg("text", { x: 0, y: line * LINE + 18 }, actionWord(action)),
      svg("line", { x1: MARK_AT, x2: 600, y1: line * LINE + 13, y2: line * LINE + 13 }),
    ]),
    ...state.actions.map(({ action, begin, end }) => {
      const [from, to] = [Math.max(MARK_AT, x(begin)), x(end ?? state.now)];
      return svg("rect", { "data-action": action, x: from, y: names.indexOf(action) * LINE + 4, width: Math.max(3, to - from), height: 18, rx: 4 });
    }),
  );
}

function actionWord(action) {
  const words = t(`show.action.${action}`);
  return words.startsWith("show.") ? action.replaceAll("_", " ") : words;
}

function drawFigures(name, state) {
  const { counts } = state;
  const figures = [
    ...scoreFigures(name, state.seen),
    ["decisions", counts.decisions],
    ["confirmed", counts.confirmed],
    ["diverged", counts.diverged],
    ["unclear", counts.unclear],
    ["faults", counts.faults],
  ].map(([key, value]) => [key, number(value)]);
  if (state.screen) figures.push(["fit", `${number(Math.round(state.screen.fit * 100))} %`]);
  if (state.missed > 0) figures.push(["missed", number(state.missed)]);
  byId("figures").replaceChildren(...figures.map(([key, text]) => el("div", { "data-figure": key }, el("dt", {}, t(`show.figure.${key}`)), el("dd", {}, text))));
  byId("steps-title").hidden = state.steps.length === 0;
  byId("steps").replaceChildren(...state.steps.map(({ step, p50_us: median, p99_us: slow }) =>
    el("div", { "data-step": step }, el("dt", {}, t(`show.step.${step}`)), el("dd", {}, t("show.step_times", { median: ms(median), slow: ms(slow) })))));
}

const ms = (us) => number(us < 10_000 ? Math.round(us / 10) / 100 : Math.round(us / 1000));
