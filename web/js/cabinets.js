// The hall (/hall): every cabinet with a live picture.
//
// Hooks: [data-cabinet], [data-state=NAME][data-is=waiting|playing|failed], canvas[data-show], #table-board, #table-text.

import { createBoard } from "./board.js";
import { cellsOf } from "./disc.js";
import { drawDoors } from "./doors.js";
import { byId } from "./elements.js";
import { enterHall } from "./hall.js";
import { mountMasthead } from "./masthead.js";
import { playerName } from "./plates.js";
import { watchShow } from "./show-stream.js";
import { onLanguage, setHallLanguage, t } from "./words.js";

/** Enough for a small picture. */
const FRAMES_A_SECOND = 8;

mountMasthead();
drawDoors();
const board = createBoard({ lane: false, buttons: false });
byId("table-board").append(board.element);
const shows = new Map();
for (const canvas of document.querySelectorAll("canvas[data-show]")) {
  const name = canvas.dataset.show;
  const tell = (state) => {
    shows.set(name, state);
    words();
  };
  tell({ is: "waiting" });
  watchShow(name, canvas, {
    fps: FRAMES_A_SECOND,
    onEvent: (event) => tell(event.type === "FAILED" ? { is: "failed", why: event.why } : { is: "waiting" }),
    onFrame: () => shows.get(name).is !== "playing" && tell({ is: "playing" }),
    onLink: (up) => !up && tell({ is: "lost" }),
  });
}

const hall = enterHall({ watch: true, onChange: table });
onLanguage(() => {
  words();
  if (hall.state) table();
});

function words() {
  for (const [name, { is, why }] of shows) {
    const text = document.querySelector(`[data-state="${name}"]`);
    text.dataset.is = is;
    text.textContent = is === "failed" ? t("show.failed", { why }) : t(`hall.${name}.${is}`);
  }
}

function table() {
  const { state } = hall;
  setHallLanguage(state.language);
  const { game } = state;
  board.show(cellsOf(game?.moves ?? []));
  byId("table-text").textContent = game ? t("hall.table_game", { red: playerName(game.red), yellow: playerName(game.yellow) }) : t("hall.table_free");
}
