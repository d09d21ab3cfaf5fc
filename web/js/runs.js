// The list of recordings (/runs): look at them, bring one, and for the operator keep, name and delete.
//
// Hooks: #runs [data-run], [data-kept], #room, #file, #bring-state[data-is], buttons [data-do=keep|name|delete].

import { byId, el } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { ask } from "./operator.js";
import { scanCanvas } from "./scan.js";
import { duration, moment, number, onLanguage, t, whyOf } from "./words.js";

const SHOW_OF = { tetris: "tetris", samegame: "samegame", "connect-four": "lego" };
const REFRESH_MS = 10_000;

let list = null;
/** Pictures of boards that were drawn before, by the run. */
const boards = new Map();

mountMasthead({ hall: true });
onLanguage(draw);
byId("file").addEventListener("change", ({ target }) => target.files[0] && bring(target.files[0]));
const place = byId("bring");
addEventListener("dragover", (event) => {
  event.preventDefault();
  place.dataset.over = "true";
});
addEventListener("dragleave", () => delete place.dataset.over);
addEventListener("drop", (event) => {
  event.preventDefault();
  delete place.dataset.over;
  const file = event.dataTransfer?.files[0];
  if (file && list?.upload_mb) bring(file);
});
load();
setInterval(() => !document.hidden && load(), REFRESH_MS);

async function load() {
  try {
    list = await (await fetch("/api/runs")).json();
    draw();
  } catch {
    // The next time may be better; what is shown stays true.
  }
}

function draw() {
  if (!list) return;
  byId("bring").hidden = list.upload_mb === null;
  byId("bring-rule").textContent = t("runs.bring_rule", { limit: number(list.upload_mb ?? 0) });
  byId("room").textContent = t("runs.room", { used: megabytes(list.used_bytes), limit: number(list.limit_bytes / 2 ** 20) });
  byId("none").hidden = list.runs.length > 0;
  byId("runs").replaceChildren(...list.runs.map(card));
}

function card(run) {
  const title = titleOf(run);
  const middle = Math.floor(run.frames / 2);
  return el("li", { class: "cabinet sheet", "data-run": run.id, "data-kept": run.kept },
    el("a", { class: "cabinet-link", href: `/runs/${run.id}` },
      run.game === "connect-four" ? boardPicture(run) : el("img", { class: "run-picture", src: `/api/runs/${run.id}/frames/${middle}.png`, alt: "", loading: "lazy" }),
      el("h2", { class: "room-title" }, title),
      el("p", { class: "muted" }, [resultWords(run), run.uploaded && t("runs.uploaded")].filter(Boolean).join(" · ")),
      el("p", { class: "muted small figures" }, t("runs.length", { time: duration(run.duration_ms), frames: number(run.frames), mb: megabytes(run.bytes) }))),
    list.operator && el("p", { class: "run-buttons" },
      el("button", { type: "button", class: "button small", "data-do": "keep", "aria-pressed": String(run.kept), onclick: () => change(run.id, { kept: !run.kept }) }, t(run.kept ? "runs.kept" : "runs.keep")),
      el("button", { type: "button", class: "button small", "data-do": "name", onclick: () => rename(run, title) }, t("runs.rename")),
      el("button", { type: "button", class: "button small", "data-do": "delete", onclick: () => remove(run, title) }, t("runs.delete"))));
}

/** The board at the end: a single scan of the LEGO robot shows one cell. */
function boardPicture(run) {
  if (boards.has(run.id)) return boards.get(run.id);
  const canvas = el("canvas", { class: "run-picture", width: 280, height: 240, "data-board": "waiting" });
  boards.set(run.id, canvas);
  const draw = async () => {
    const { board } = await (await fetch(`/api/runs/${run.id}/moment?frame=${run.frames - 1}`)).json();
    scanCanvas(canvas).recall(board ?? []);
    canvas.dataset.board = "drawn";
  };
  draw().catch(() => {});
  return canvas;
}

function titleOf(run) {
  const game = t(`hall.${SHOW_OF[run.game] ?? run.game}`);
  return run.name || t("runs.of", { game: game.startsWith("hall.") ? run.game : game, date: moment(run.at) });
}

function resultWords({ result }) {
  const { figures, tally, cut_off: cutOff } = result;
  const words = [];
  if (figures?.score !== undefined) words.push(t("runs.score", { score: number(figures.score), lines: number(figures.lines ?? 0) }));
  if (figures?.tiles_left !== undefined) words.push(t("runs.tiles", { tiles: number(figures.tiles_left) }));
  if (tally.games > 1) words.push(t("runs.games", { games: number(tally.games) }));
  if (cutOff) words.push(t("runs.cut_off"));
  return words.join(", ");
}

const megabytes = (bytes) => number(Math.round((bytes / 2 ** 20) * 10) / 10);

function change(id, wish) {
  return send("POST", id, wish);
}

async function rename(run, title) {
  const name = prompt(t("runs.rename_ask"), title);
  if (name?.trim()) await change(run.id, { name });
}

async function remove(run, title) {
  if (confirm(t("runs.delete_ask", { name: title }))) await send("DELETE", run.id);
}

async function send(method, id, body) {
  try {
    await ask(method, `/api/admin/runs/${id}`, body);
  } catch (error) {
    tell("refused", t("panel.refused", { why: whyOf(error) }));
  }
  await load();
}

async function bring(file) {
  tell("reading", t("runs.reading"));
  try {
    const answer = await fetch("/api/runs", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
    const { run, error } = await answer.json();
    if (!answer.ok) throw new Error(error);
    location.assign(`/runs/${run.id}`);
  } catch (error) {
    tell("refused", t("runs.refused", { why: whyOf(error) }));
  }
}

function tell(is, words) {
  const state = byId("bring-state");
  state.dataset.is = is;
  state.textContent = words;
}
