// The picture of "Tetris for you": a machine plays in this page until somebody comes (P5).

import { byId } from "./elements.js";
import { mayMove } from "./motion.js";
import { openDesk } from "./play/desk.js";
import { FieldPicture } from "./play/field-picture.js";
import { Table } from "./play/table.js";

/** Frames of the game a step, and steps a second: a small picture needs no more. */
const FRAMES = 6;
const STEP_MS = 100;
/** Keys of a quick person. */
const PACE_MS = 100;
const REST_MS = 4000;

/** Plays game after game on `#own-field` while the page is seen. */
export async function playOwnField() {
  const picture = new FieldPicture(byId("own-field"));
  const table = new Table(await openDesk());
  table.paceMs = PACE_MS;
  let resting = 0;

  function begin() {
    resting = 0;
    table.start({ rules: "gameboy", level: 5, heart: false, seed: crypto.getRandomValues(new Uint32Array(1))[0] });
    table.letPlay("bcts");
    picture.draw(table.view);
  }

  function step() {
    if (document.hidden || resting) return;
    picture.draw(table.step(0, FRAMES));
    document.querySelector("[data-cabinet=play-tetris]").dataset.pieces = table.view.pieces;
    if (table.view.over) resting = setTimeout(begin, REST_MS);
  }

  begin();
  if (mayMove()) setInterval(step, STEP_MS);
  else step();
}
