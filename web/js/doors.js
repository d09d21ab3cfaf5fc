// Small pictures of the games that visitors play by themselves.

import { el } from "./elements.js";

const PICTURES = {
  tetris: ["..t...", ".ttt..", ".....i", "l....i", "l.oo.i", "lloo.i"],
  samegame: ["zojzzo", "zoojjo", "jjozso", "sszzso", "sjjzss", "zjssoo"],
  "connect-four": ["hhhhhh", "hhhhhh", "hhhyhh", "hhryhh", "hyrrhh", "hryryh"],
};

/** Fills every `.door-picture[data-game]`. */
export function drawDoors() {
  for (const place of document.querySelectorAll(".door-picture")) {
    const round = place.dataset.game === "connect-four";
    const cell = (colour) => el("span", { class: round ? "door-cell round" : "door-cell", "data-colour": colour });
    place.append(...[...PICTURES[place.dataset.game].join("")].map(cell));
  }
}
