// A screenshot of any SameGame (/screenshot): recognised, drawn over, solved and played (S3).
//
// Hooks: #bring-state[data-is=reading|refused|read], #found rect, #cells rect, #solved-text[data-move][data-proof], #play[aria-pressed].

import { byId, svg } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { mayMove } from "./motion.js";
import { number, onLanguage, t, whyOf } from "./words.js";

/** The server takes no more. */
const MOST_PIXELS = 3840 * 2160;
const MOVE_MS = 700;

let answer = null;
let move = 0;
let timer = 0;

mountMasthead({ hall: true });
byId("file").addEventListener("change", ({ target }) => target.files[0] && bring(target.files[0]));
byId("sample").addEventListener("click", sample);
byId("play").addEventListener("click", () => setPlaying(!isPlaying()));
byId("back").addEventListener("click", () => step(-1));
byId("forward").addEventListener("click", () => step(1));
const place = byId("bring");
addEventListener("dragover", (event) => {
  event.preventDefault();
  place.dataset.over = "true";
});
addEventListener("dragleave", () => delete place.dataset.over);
addEventListener("drop", (event) => {
  event.preventDefault();
  delete place.dataset.over;
  if (event.dataTransfer?.files[0]) bring(event.dataTransfer.files[0]);
});
addEventListener("paste", (event) => event.clipboardData?.files[0] && bring(event.clipboardData.files[0]));
onLanguage(draw);

/** The newest frame of the hall's own SameGame. */
function sample() {
  tell("reading", t("runs.reading"));
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/ws/shows/samegame?fps=1`);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") return;
    socket.close();
    bring(new Blob([new Uint8Array(data, 8)]));
  };
  socket.onerror = () => tell("refused", t("screenshot.refused", { why: t("link.lost") }));
}

async function bring(file) {
  setPlaying(false);
  tell("reading", t("runs.reading"));
  try {
    const picture = await createImageBitmap(file);
    const canvas = byId("picture");
    const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (picture.width * picture.height)));
    canvas.width = Math.floor(picture.width * scale);
    canvas.height = Math.floor(picture.height * scale);
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const pixels = rgb(pen.getImageData(0, 0, canvas.width, canvas.height).data);
    const response = await fetch(`/api/samegame/see?width=${canvas.width}&height=${canvas.height}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: pixels });
    const found = await response.json();
    if (!response.ok) throw new Error(found.error);
    answer = found;
    move = 0;
    tell("read", "");
    byId("answer").hidden = false;
    draw();
    setPlaying(mayMove());
  } catch (error) {
    answer = null;
    byId("answer").hidden = true;
    tell("refused", t("screenshot.refused", { why: whyOf(error) }));
  }
}

/** Without the fourth byte of each pixel. */
function rgb(rgba) {
  const pixels = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) pixels.set(rgba.subarray(from, from + 3), to);
  return pixels;
}

function tell(is, words) {
  const state = byId("bring-state");
  state.dataset.is = is;
  state.textContent = words;
}

const isPlaying = () => byId("play").getAttribute("aria-pressed") === "true";

function setPlaying(on) {
  byId("play").setAttribute("aria-pressed", String(on));
  byId("play").textContent = t(on ? "runs.pause" : "runs.play");
  clearInterval(timer);
  if (!on || !answer) return;
  if (move >= answer.steps.length) move = 0;
  timer = setInterval(() => (move < answer.steps.length ? show(move + 1) : setPlaying(false)), MOVE_MS);
}

function step(by) {
  setPlaying(false);
  if (answer) show(Math.max(0, Math.min(answer.steps.length, move + by)));
}

function show(wanted) {
  move = wanted;
  draw();
}

function draw() {
  if (!answer) return;
  const { board, bounds, steps, proof, remaining, confidence } = answer;
  const canvas = byId("picture");
  const rows = Math.max(...board.map((column) => column.length));
  const found = byId("found");
  found.setAttribute("viewBox", `0 0 ${canvas.width} ${canvas.height}`);
  const cells = cellsOf(board, rows);
  found.replaceChildren(svg("g", { transform: `translate(${bounds.left} ${bounds.top}) scale(${bounds.width / board.length} ${bounds.height / rows})` }, ...cells));
  byId("found-text").textContent = t("screenshot.found_text", { columns: board.length, rows, sure: number(Math.round(confidence * 100)) });

  const now = move === 0 ? board : steps[move - 1].after;
  const next = new Set((steps[move]?.cells ?? []).map((cell) => cell.join(",")));
  const drawing = byId("cells");
  drawing.setAttribute("viewBox", `-0.1 -0.1 ${board.length + 0.2} ${rows + 0.2}`);
  drawing.replaceChildren(svg("rect", { class: "cells-ground", x: -0.1, y: -0.1, width: board.length + 0.2, height: rows + 0.2 }), ...cellsOf(now, rows, next));
  const text = byId("solved-text");
  Object.assign(text.dataset, { move: String(move), proof });
  const end = proof === "cleared" ? t("screenshot.cleared") : t(proof === "impossible" ? "screenshot.impossible" : "screenshot.open", { left: number(remaining) });
  text.textContent = `${t("screenshot.move", { move: number(move), moves: number(steps.length) })} ${end}`;
}

function cellsOf(columns, rows, next = new Set()) {
  return columns.flatMap((colours, column) =>
    colours.flatMap((colour, row) =>
      colour === 0 ? [] : [svg("rect", { class: `cell kind-colour-${colour}${next.has(`${column},${row}`) ? " next" : ""}`, x: column + 0.04, y: rows - 1 - row + 0.04, width: 0.92, height: 0.92, rx: 0.12 })]));
}
