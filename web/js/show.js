// The viewer (/shows/NAME live, /runs/ID recorded): what the machine sees, understands, decides and does (X3).
//
// Hooks: body[data-show], #state[data-is], canvas #picture, #outline polygon, #rectified, #recognised .cell, #cells rect, #decision,
//   #candidates li, #figures [data-figure], #steps [data-step], #timeline rect[data-action], #happenings li; recorded.js.

import { byId } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { mountPanel } from "./panel.js";
import { openRecording } from "./recorded.js";
import { mountSeat } from "./seat.js";
import { learn } from "./show-games.js";
import { watchShow } from "./show-stream.js";
import { drawViewer } from "./viewer-draw.js";
import { fresh, take, tell } from "./viewer-state.js";
import { moment as date, number, onLanguage, seconds, t, whyOf } from "./words.js";

/** Notes come up to sixty times a second; people read slower. */
const DRAW_EVERY_MS = 60;
/** Shows by the game of a recording. */
const SHOW_OF = { tetris: "tetris", samegame: "samegame", "connect-four": "lego" };

const [, room, id] = location.pathname.split("/");
const isLive = room === "shows";
let name = isLive ? id : "";
let state = fresh();
let status = { is: "waiting" };
let recording = null;
let due = 0;

mountMasthead({ hall: true });
onLanguage(drawNow);
if (isLive) {
  watchLive();
  if (name === "tetris") mountPanel(name);
  byId("race").hidden = name !== "tetris";
  if (name === "lego") mountSeat(name);
} else watchRecorded();
drawNow();

function watchLive() {
  watchShow(name, byId("picture"), {
    notes: true,
    onEvent: hear,
    onFrame: (timeMs) => {
      state.now = Math.max(state.now, timeMs);
      if (status.is !== "playing") status = { is: "playing" };
      draw();
    },
    onLink: (up) => {
      if (!up) status = { is: "lost" };
      draw();
    },
  });
}

function hear(event) {
  if (event.type === "FAILED") status = { is: "failed", why: event.why };
  else if (event.type === "RUN") {
    status = { is: "waiting" };
    state = fresh();
    tell(state, 0, "new_run", { seed: number(event.seed) });
  } else take(state, event);
  draw();
}

async function watchRecorded() {
  try {
    recording = await openRecording(id, byId("picture"), { onMoment: see, onTrouble: fail });
    name = SHOW_OF[recording.run.game] ?? recording.run.game;
    draw();
  } catch (error) {
    fail(whyOf(error));
  }
}

function see(moment) {
  // The LEGO robot's board is what it has found so far; the server knows that for every moment.
  state = fresh();
  for (const { column, row, sight } of moment.board ?? []) learn(state.known, { cell: { column, row, sight } });
  for (const event of moment.notes) take(state, event);
  Object.assign(state, { counts: moment.tally, now: moment.time_ms });
  status = { is: "recorded" };
  draw();
}

function fail(why) {
  status = { is: "failed", why };
  draw();
}

function draw() {
  if (due) return;
  due = setTimeout(() => {
    due = 0;
    drawNow();
  }, DRAW_EVERY_MS);
}

function drawNow() {
  document.body.dataset.show = name;
  document.body.dataset.live = String(isLive);
  if (recording) {
    const { run } = recording;
    name = SHOW_OF[run.game] ?? run.game;
    state.steps = recording.step_times ?? [];
    byId("title").textContent = run.name || t("runs.of", { game: gameWord(name), date: date(run.at) });
    byId("about").textContent = t("runs.about", { body: bodyWord(run.body), seed: number(run.seed), program: recording.program });
  } else if (isLive) {
    byId("title").textContent = gameWord(name);
    byId("about").textContent = t(`hall.${name}.about`);
  }
  const text = byId("state");
  text.dataset.is = status.is;
  if (status.is === "failed") text.textContent = t("show.failed", { why: status.why });
  else if (status.is === "playing") text.textContent = t("show.running", { time: seconds(state.now) });
  else text.textContent = t(`show.${status.is}`);
  drawViewer(name, state);
}

/** A body of the register in words; a stranger's recording may name any. */
function bodyWord(body) {
  const words = t(`about.connected.${body}`);
  return words.startsWith("about.") ? body : words;
}

function gameWord(game) {
  const words = t(`hall.${game}`);
  return words.startsWith("hall.") ? game : words;
}
