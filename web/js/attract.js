// What the big screen shows while nobody plays: an invitation, today's figures, a board that plays by itself.

import { createBoard } from "./board.js";
import { cellsOf } from "./disc.js";
import { byId } from "./elements.js";
import { mayMove } from "./motion.js";
import { MAIN_FIGURES, statisticsList } from "./statistics.js";
import { onLanguage, t } from "./words.js";

/** A short game that red wins on the rising diagonal. */
const MOVES = [4, 4, 3, 5, 5, 6, 6, 2, 6, 7, 7, 7, 7];
const FOUR = [4, 5, 6, 7].map((column) => ({ column, row: column - 3 }));
const MOVE_MS = 1100;
const REST_MOVES = 6;

/** Wires the poster; `show(state, on)` after every change. */
export function mountAttract() {
  const board = createBoard({ lane: false, buttons: false });
  byId("attract-board").append(board.element);
  let timer = 0;
  let move = 0;
  let latest = null;

  function step() {
    move = move < MOVES.length + REST_MOVES ? move + 1 : 0;
    board.show(cellsOf(MOVES.slice(0, move)));
    if (move >= MOVES.length) board.win(FOUR);
  }

  function show(state, on) {
    latest = state;
    words();
    if (on === (timer !== 0)) return;
    clearInterval(timer);
    timer = 0;
    if (!on) return;
    move = mayMove() ? 0 : MOVES.length - 1;
    step();
    timer = setInterval(() => mayMove() && step(), MOVE_MS);
  }

  function words() {
    if (!latest) return;
    byId("attract-title2").textContent = t(latest.robot.kind === "none" ? "attract.title2_none" : "attract.title2");
    byId("attract-text").textContent = latest.waiting ? t("note.waiting", { name: latest.waiting }) : t("attract.text");
    byId("attract-address").textContent = latest.address ?? "";
    byId("today").replaceChildren(...statisticsList(latest.statistics, MAIN_FIGURES));
  }

  onLanguage(words);
  return { show };
}
