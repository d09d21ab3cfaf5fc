// SameGame for visitors: play, undo, hint, solution, board of the day, and whether a board can be cleared (S1, S4, S5).
//
// Hooks: body[data-view=ready|thinking|showing|failed], .tile[data-column][data-row][data-colour], #score, #left, #beat, #which,
//   #told, #size-error.

import { byId, el } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { mayMove } from "./motion.js";
import { openDesk } from "./play/desk.js";
import { GivenUp, Thinker } from "./play/thinker.js";
import { keepInTab, keptInTab, remember, rememberedFields } from "./storage.js";
import { currentLanguage, number, onLanguage, t, whyOf } from "./words.js";

/** Sequences tried for the score to beat and for hints; boards that nodes cannot settle stay open. */
const NODES = { points: 30_000, hint: 8_000, clear: 400_000 };
const LIMITS = { columns: [2, 30], rows: [2, 30], colours: [2, 9], group: [2, 5] };
const STEP_MS = 420;
/** Where a tab keeps its game, so that a reload or the back button finds it again. */
const GAME = "samegame-game";
/** The board of the day is the same for everyone. */
const OF_THE_DAY = { columns: 10, rows: 12, colours: 4, group: 2, closing: "left" };

mountMasthead({ games: true });
const thinker = new Thinker();
// Finds the score to beat, whatever else is asked meanwhile.
const rater = new Thinker();
let desk = null;
let table = null;
let look = null;
// What was dealt: `{ choices, seed, day }`, the day as 2026-11-18 if this is its board.
let dealt = null;
// Boards and scores before each move, and the cell of the move.
let past = [];
let score = 0;
let beat = null;
let told = () => "";
// Whether the machine has made moves of this game.
let isShown = false;
let hinted = [];
let focus = [0, 0];
let timer = 0;

restore();
byId("choices").addEventListener("submit", (event) => {
  event.preventDefault();
  deal(crypto.getRandomValues(new Uint32Array(1))[0]);
});
byId("choices").addEventListener("input", () => check() && remember("samegame", JSON.stringify(chosen())));
byId("daily").addEventListener("click", dealOfTheDay);
byId("undo").addEventListener("click", undo);
byId("hint").addEventListener("click", hint);
byId("solution").addEventListener("click", () => (document.body.dataset.view === "ready" ? showSolution() : halt()));
byId("question").addEventListener("click", askWhether);
byId("board").addEventListener("click", (event) => {
  const tile = event.target.closest(".tile");
  if (tile && document.body.dataset.view !== "showing") remove([Number(tile.dataset.column), Number(tile.dataset.row)]);
});
byId("board").addEventListener("pointerover", (event) => light(event.target.closest(".tile")));
byId("board").addEventListener("pointerleave", () => light(null));
byId("board").addEventListener("focusin", (event) => light(event.target.closest(".tile")));
byId("board").addEventListener("keydown", walk);
addEventListener("pagehide", keep);
document.addEventListener("visibilitychange", () => document.hidden && keep());
onLanguage(render);
openDesk().then(
  (opened) => {
    desk = opened;
    if (!goOn(keptInTab(GAME))) {
      if (location.hash === "#daily") dealOfTheDay();
      else deal(crypto.getRandomValues(new Uint32Array(1))[0]);
    }
    performance.mark("ready");
  },
  (error) => {
    document.body.dataset.view = "failed";
    byId("told").textContent = t("tetris.failed", { why: whyOf(error) });
  },
);

function chosen() {
  return Object.fromEntries(["columns", "rows", "colours", "group", "closing"].map((id) => [id, byId(id).value]));
}

/** Whether all choices are allowed; says what is not. */
function check() {
  const wrong = Object.entries(LIMITS).find(([id, [least, most]]) => !/^\d+$/.test(byId(id).value) || byId(id).value < least || byId(id).value > most);
  byId("size-error").textContent = wrong ? t("samegame.size_error", { what: byId(wrong[0]).labels[0].textContent.split(",")[0], least: wrong[1][0], most: wrong[1][1] }) : "";
  return !wrong;
}

function deal(seed) {
  if (!desk || !check()) return;
  begin({ choices: chosen(), seed, day: "" });
  history.replaceState(null, "", location.pathname);
}

/** The same board for everyone on one day, with the solver's score to beat. The visitor's own choices stay as they are. */
function dealOfTheDay() {
  if (!desk) return;
  const day = today();
  begin({ choices: OF_THE_DAY, seed: Number(day.replaceAll("-", "")), day });
  history.replaceState(null, "", "#daily");
}

function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** Keeps the game for this tab. */
function keep() {
  if (!dealt || document.body.dataset.view === "failed") return;
  // Whether the machine had a hand in it, after each move.
  const shown = [...past.slice(1).map((before) => before.isShown), isShown];
  keepInTab(GAME, { ...dealt, moves: past.map(({ cell }, index) => ({ cell, isShown: shown[index] })) });
}

/** Takes up the game that this tab had when its page went; false if there is none. */
function goOn({ choices, seed, day, moves }) {
  if (!moves?.length || (day || "") !== (location.hash === "#daily" ? today() : "")) return false;
  try {
    begin({ choices, seed, day });
    for (const move of moves) remove(move.cell, move.isShown);
    return true;
  } catch {
    // What was kept is no game.
    return false;
  }
}

function begin(game) {
  const { columns, rows, colours, group, closing } = game.choices;
  halt();
  const { board } = desk.ask({ ask: "samegame-deal", columns: Number(columns), rows: Number(rows), colours: Number(colours), seed: game.seed });
  table = { board, min_group: Number(group), closing };
  [dealt, past, score, beat, hinted, isShown] = [game, [], 0, null, [], false];
  told = () => "";
  look = desk.ask({ ask: "samegame-look", table });
  ready();
  findScoreToBeat();
}

async function findScoreToBeat() {
  rater.stop();
  try {
    const solution = await rater.ask({ ask: "samegame-solve", table, goal: "points", nodes: NODES.points });
    beat = solution.score;
    render();
  } catch (error) {
    // Another board was asked for meanwhile.
    if (!(error instanceof GivenUp)) byId("told").textContent = error.message;
  }
}

/** The best of today's games on the board of the day. */
function bestOfTheDay() {
  const best = rememberedFields("samegame-daily");
  return best.day === dealt.day && Number.isFinite(best.score) ? best.score : null;
}

function remove(cell, byMachine = document.body.dataset.view === "showing") {
  const group = groupOf(cell);
  if (!group) return;
  past.push({ table, look, score, isShown, cell });
  look = desk.ask({ ask: "samegame-remove", table, cell });
  table = { ...table, board: look.board };
  score += group.points + (look.bonus ?? 0);
  hinted = [];
  // What the machine plays is not the visitor's.
  if (byMachine) isShown = true;
  if (dealt.day && look.bonus !== null && !isShown && score > (bestOfTheDay() ?? -Infinity)) remember("samegame-daily", JSON.stringify({ day: dealt.day, score }));
  told = () => {
    if (look.bonus === null) return "";
    if (beat !== null && score > beat && !isShown) return t("samegame.beaten", { score: number(beat) });
    return look.remaining ? t("samegame.stuck", { left: number(look.remaining), score: number(score) }) : t("samegame.cleared", { score: number(score) });
  };
  render();
}

function undo() {
  halt();
  const before = past.pop();
  if (!before) return;
  ({ table, look, score, isShown } = before);
  hinted = [];
  told = () => "";
  ready();
}

async function hint() {
  const solution = await solve("points", NODES.hint);
  if (!solution) return;
  const group = groupOf(solution.clicks[0] ?? []);
  hinted = group?.cells ?? [];
  told = () => (group ? t("samegame.hint_told", { points: number(group.points) }) : t("samegame.nothing"));
  ready();
}

/** Clears the board move by move; if that is not possible, collects the most points. */
async function showSolution() {
  const clearing = await solve("clear", NODES.clear);
  if (!clearing) return;
  const solution = clearing.proof === "cleared" ? clearing : await solve("points", NODES.points);
  if (!solution) return;
  document.body.dataset.view = "showing";
  const clicks = [...solution.clicks];
  const step = () => {
    const next = clicks.shift();
    if (!next) return ready();
    hinted = groupOf(next)?.cells ?? [];
    render();
    timer = setTimeout(() => {
      remove(next);
      timer = setTimeout(step, mayMove() ? STEP_MS : 0);
    }, mayMove() ? STEP_MS : 0);
  };
  step();
}

async function askWhether() {
  const solution = await solve("clear", NODES.clear);
  if (!solution) return;
  told = () => t(`samegame.proof_${solution.proof}`, { moves: number(solution.moves.length), nodes: number(solution.nodes), left: number(solution.remaining) });
  ready();
}

async function solve(goal, nodes) {
  halt();
  told = () => t("samegame.thinking");
  document.body.dataset.view = "thinking";
  render();
  try {
    return await thinker.ask({ ask: "samegame-solve", table, goal, nodes });
  } catch (error) {
    if (error instanceof GivenUp) return null;
    told = () => error.message;
    ready();
    return null;
  }
}

/** Stops thinking and showing. */
function halt() {
  clearTimeout(timer);
  if (thinker.busy) thinker.stop();
  document.body.dataset.view = "ready";
  if (table) render();
}

function ready() {
  document.body.dataset.view = "ready";
  render();
}

const groupOf = (cell) => look.groups.find(({ cells }) => cells.some(([column, row]) => column === cell[0] && row === cell[1]));

function render() {
  if (!look) return;
  const { board } = look;
  const [columns, rows] = [board.length, board[0].length];
  const place = byId("board");
  place.style.setProperty("--columns", columns);
  place.style.setProperty("--rows", rows);
  const removable = new Set(look.groups.flatMap(({ cells }) => cells.map(String)));
  const marked = new Set(hinted.map(String));
  const hadFocus = place.contains(document.activeElement);
  const tiles = [];
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = 0; column < columns; column++) {
      const colour = board[column][row];
      const here = column === focus[0] && row === focus[1];
      tiles.push(el("button", {
        type: "button", class: `tile${colour ? "" : " empty"}${marked.has(`${column},${row}`) ? " hinted" : ""}`,
        "data-column": column, "data-row": row, "data-colour": colour, tabindex: here ? 0 : -1, "aria-disabled": !removable.has(`${column},${row}`) && "true",
        "aria-label": t("samegame.cell", { column: column + 1, row: row + 1, colour: t(`samegame.colour.${colour}`) }),
      }));
    }
  }
  place.replaceChildren(...tiles);
  if (hadFocus) focusOn(focus);
  else if (!board[focus[0]]?.[focus[1]]) focus = firstCell();
  byId("score").textContent = number(score);
  byId("left").textContent = number(look.remaining);
  byId("beat").textContent = beat === null ? "…" : number(beat);
  byId("which").textContent = whichText();
  byId("told").textContent = told();
  byId("undo").disabled = past.length === 0;
  byId("hint").disabled = byId("question").disabled = document.body.dataset.view === "showing" || look.groups.length === 0;
  byId("solution").disabled = look.groups.length === 0 && document.body.dataset.view === "ready";
  byId("solution").textContent = t(document.body.dataset.view === "ready" ? "samegame.solution" : "samegame.stop");
}

function whichText() {
  if (!dealt.day) return "";
  const date = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "long" }).format(new Date(`${dealt.day}T12:00`));
  const best = bestOfTheDay();
  return `${t("samegame.of_the_day", { date })} ${best === null ? "" : t("samegame.best_today", { score: number(best) })}`;
}

const tileAt = ([column, row]) => byId("board").querySelector(`[data-column="${column}"][data-row="${row}"]`);

function firstCell() {
  const column = Math.max(0, look.board.findIndex((cells) => cells[0] !== 0));
  const cell = [column, 0];
  tileAt(cell)?.setAttribute("tabindex", "0");
  return cell;
}

function focusOn(cell) {
  const filled = look.board[cell[0]]?.[cell[1]] ? cell : firstCell();
  focus = filled;
  for (const tile of byId("board").children) tile.tabIndex = -1;
  const tile = tileAt(filled);
  if (!tile) return;
  tile.tabIndex = 0;
  tile.focus();
}

function walk(event) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  const tile = event.target.closest(".tile");
  if (!step || !tile) return;
  event.preventDefault();
  const next = [Number(tile.dataset.column) + step[0], Number(tile.dataset.row) + step[1]];
  if (look.board[next[0]]?.[next[1]]) focusOn(next);
  else if (step[0] && look.board[next[0]]) focusOn([next[0], Math.max(0, look.board[next[0]].findLastIndex((colour) => colour !== 0))]);
}

/** Lights up the group under the pointer. */
function light(tile) {
  for (const lit of byId("board").querySelectorAll(".near")) lit.classList.remove("near");
  const group = tile && groupOf([Number(tile.dataset.column), Number(tile.dataset.row)]);
  for (const cell of group?.cells ?? []) tileAt(cell)?.classList.add("near");
}

function restore() {
  // Tiles on a phone must be large enough for a finger.
  const fitting = innerWidth < 600 ? { columns: 10, rows: 12 } : {};
  const saved = { ...fitting, ...rememberedFields("samegame") };
  for (const [id, [least, most]] of Object.entries(LIMITS)) if (saved[id] >= least && saved[id] <= most) byId(id).value = saved[id];
  if (["left", "right", "mixed"].includes(saved.closing)) byId("closing").value = saved.closing;
}
