// The first page of the site without a server: three doors, each with a small picture.

import { el } from "./elements.js";
import { mountMasthead } from "./masthead.js";

const PICTURES = {
  tetris: ["..t...", ".ttt..", "......", "z....j", "zzo.ij", ".zooij"],
  samegame: ["zojzzo", "zoojjo", "jjozso", "sszzso", "sjjzss", "zjssoo"],
  "connect-four": ["hhhhhh", "hhhhhh", "hhhyhh", "hhryhh", "hyrrhh", "hryryh"],
};

mountMasthead({ games: true });
for (const place of document.querySelectorAll(".door-picture")) {
  const round = place.dataset.game === "connect-four";
  place.append(...[...PICTURES[place.dataset.game].join("")].map((colour) => el("span", { class: round ? "door-cell round" : "door-cell", "data-colour": colour })));
}
