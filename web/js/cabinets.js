// The hall (/): every cabinet with a live picture and its state.
//
// Hooks: [data-cabinet], [data-state=NAME][data-is=waiting|playing|failed|lost], canvas[data-show], #own-field, #table-board.

import { createBoard } from "./board.js";
import { cellsOf } from "./disc.js";
import { byId } from "./elements.js";
import { enterHall } from "./hall.js";
import { mountMasthead } from "./masthead.js";
import { playOwnField } from "./own-field.js";
import { playerName } from "./plates.js";
import { stateWords, watchAll } from "./show-cards.js";
import { number, onLanguage, setHallLanguage, t } from "./words.js";

/** Enough for a small picture. */
const FRAMES_A_SECOND = 8;

mountMasthead({ hall: true });
const board = createBoard({ lane: false, buttons: false });
byId("table-board").append(board.element);
let best = null;
const shows = watchAll(FRAMES_A_SECOND, words);
const hall = enterHall({ watch: true, onChange: table });
playOwnField().catch((error) => console.warn(`the small game cannot be played: ${error.message}`));
fetchBest();
onLanguage(() => {
  words(shows);
  if (hall.state) table();
});

function words(states) {
  for (const [name, state] of states) {
    const text = document.querySelector(`[data-state="${name}"]`);
    text.dataset.is = state.is;
    text.textContent = stateWords(name, state);
  }
  byId("own-text").textContent = best ? t("hall.play_tetris.best", { name: best.name, score: number(best.score) }) : t("hall.play_tetris.none");
}

function table() {
  const { state } = hall;
  setHallLanguage(state.language);
  const { game } = state;
  board.show(cellsOf(game?.moves ?? []));
  const text = byId("table-text");
  text.dataset.is = game ? "playing" : "waiting";
  text.textContent = game ? t("hall.table_game", { red: playerName(game.red), yellow: playerName(game.yellow) }) : t("hall.table_quiet");
}

async function fetchBest() {
  try {
    const { scores } = await (await fetch("/api/tetris/scores?rules=gameboy")).json();
    best = scores[0] ?? null;
    words(shows);
  } catch {
    // Without an answer the card says what is known.
  }
}
