// The big screen of the hall (/screen): one cabinet after the other, all of them playing.
//
// Hooks: body[data-shown], #state[data-is], #hold[aria-pressed], #next, #dots li.

import { createBoard } from "./board.js";
import { cellsOf } from "./disc.js";
import { byId, el } from "./elements.js";
import { enterHall } from "./hall.js";
import { mountMasthead } from "./masthead.js";
import { playerName } from "./plates.js";
import { stateWords, watchAll } from "./show-cards.js";
import { onLanguage, setHallLanguage, t } from "./words.js";

/** How long each cabinet stays. */
const SHOWN_MS = Number(new URLSearchParams(location.search).get("seconds") || 20) * 1000;
const FRAMES_A_SECOND = 20;

mountMasthead({ hall: true });
const board = createBoard({ lane: false, buttons: false });
byId("table-board").append(board.element);
const pictures = [...document.querySelectorAll(".screen-picture > [data-show]")];
let shown = 0;
let timer = 0;
let table = null;
let shows = null;
shows = watchAll(FRAMES_A_SECOND, draw);
enterHall({
  watch: true,
  onChange(_, { state }) {
    table = state;
    setHallLanguage(state.language);
    board.show(cellsOf(state.game?.moves ?? []));
    draw();
  },
});
byId("address").textContent = `${location.origin}/`;
byId("dots").append(...pictures.map(({ dataset }) => el("li", { "data-dot": dataset.show })));
byId("next").addEventListener("click", () => show(shown + 1));
byId("hold").addEventListener("click", hold);
addEventListener("keydown", ({ key }) => {
  if (key === "ArrowRight") show(shown + 1);
  else if (key === "ArrowLeft") show(shown - 1);
});
onLanguage(draw);
show(0);

/** A cabinet that cannot run is passed over, unless somebody asks for it by hand. */
function turnPage() {
  const runs = (place) => shows.get(pictures[place % pictures.length].dataset.show)?.is !== "failed";
  const next = [1, 2, 3, 4].map((step) => shown + step).find(runs) ?? shown + 1;
  show(next);
}

function show(place) {
  shown = (place + pictures.length) % pictures.length;
  pictures.forEach((picture, index) => (picture.hidden = index !== shown));
  clearTimeout(timer);
  if (!isHeld()) timer = setTimeout(turnPage, SHOWN_MS);
  draw();
}

function isHeld() {
  return byId("hold").getAttribute("aria-pressed") === "true";
}

function hold() {
  byId("hold").setAttribute("aria-pressed", String(!isHeld()));
  show(shown);
}

function draw() {
  if (!shows) return; // The first states come before the map of them.
  const name = pictures[shown].dataset.show;
  document.body.dataset.shown = name;
  byId("title").textContent = t(`hall.${name}`);
  byId("about").textContent = t(`hall.${name}.about`);
  byId("hold").textContent = t(isHeld() ? "screen.go_on" : "screen.hold");
  const text = byId("state");
  const state = shows?.get(name) ?? { is: table?.game ? "playing" : "waiting" };
  text.dataset.is = state.is;
  text.textContent = name === "connect-four" ? tableWords() : stateWords(name, state);
  byId("dots").childNodes.forEach((dot, index) => dot.toggleAttribute("data-here", index === shown));
}

function tableWords() {
  const game = table?.game;
  return game ? t("hall.table_game", { red: playerName(game.red), yellow: playerName(game.yellow) }) : t("hall.table_quiet");
}
