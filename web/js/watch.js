// The big screen (/watch): why the machine moves as it does (C9); a poster with today's figures when nobody plays.
//
// Hooks: body[data-view] is entering, attract or game; body[data-explain] the caption shown (1–5); #billing, #demo-tag,
//   #robot-tag[data-status], #tree[data-ply][data-column] with .node[data-chosen|data-cut] (tree.js), #bars[data-ply]
//   with .bar[data-column] (bars.js), .expected discs on the board, #log li, #today, #attract-address.

import { announce } from "./announce.js";
import { mountAttract } from "./attract.js";
import { drawBars } from "./bars.js";
import { createBoard } from "./board.js";
import { cellsOf, discMark } from "./disc.js";
import { byId, el } from "./elements.js";
import { mountExplanation } from "./explanation.js";
import { enterHall } from "./hall.js";
import { createLog } from "./log.js";
import { mountMasthead } from "./masthead.js";
import { outcomeForAll } from "./outcome.js";
import { playerName } from "./plates.js";
import { showLink, showRobotFault } from "./strips.js";
import { drawTree } from "./tree.js";
import { duration, number, onLanguage, setHallLanguage, t } from "./words.js";

mountMasthead();
const board = createBoard({ lane: false, buttons: false });
byId("board-place").append(board.element);
const log = createLog(byId("log"));
const attract = mountAttract();
const explanation = mountExplanation();
/** The latest decision of the running game: `{game, ply, decision}` or null. */
let thought = null;
let drawn = "";

const hall = enterHall({ watch: true, onChange: hear, onLink: (up) => showLink(up, () => hall.retry()) });
onLanguage(() => {
  drawn = "";
  if (hall.state) render();
});
new ResizeObserver(() => {
  drawn = "";
  if (hall.state) renderThought();
}).observe(byId("tree"));

function hear(event) {
  if (event.type === "TURN_TREE") thought = event;
  if (thought && thought.game !== hall.state.game?.game) thought = null;
  log.hear(event, hall.state);
  setHallLanguage(hall.state.language);
  if (["GAME_OVER", "GAME_DRAW", "GAME_ENDED"].includes(event.type) && hall.state.game) announce(outcomeForAll(hall.state.game));
  render();
}

function render() {
  const { state } = hall;
  const inGame = state.game !== null && state.game !== undefined;
  document.body.dataset.view = inGame ? "game" : "attract";
  byId("stage").hidden = !inGame;
  byId("attract").hidden = inGame;
  showRobotFault(state.robot);
  attract.show(state, !inGame);
  explanation.run(inGame);
  if (!inGame) return;
  renderBilling(state);
  renderThought();
  renderBoard(state.game);
}

function renderBilling({ game, robot }) {
  byId("billing").replaceChildren(
    discMark("red"),
    el("span", {}, playerName(game.red)),
    el("small", {}, t("watch.against")),
    discMark("yellow"),
    el("span", {}, playerName(game.yellow)),
  );
  byId("billing-text").textContent = game.result ? outcomeForAll(game) : "";
  byId("demo-tag").hidden = !game.demo;
  const tag = byId("robot-tag");
  tag.dataset.status = robot.status;
  tag.className = ["error", "lost"].includes(robot.status) ? "tag alarm" : robot.status === "busy" ? "tag" : "tag good";
  tag.textContent = t(`robot.${robot.status}`);
}

function renderThought() {
  const game = hall.state.game;
  if (!game) return;
  byId("tree-empty").hidden = Boolean(thought?.decision.tree);
  byId("tree-empty").textContent = t(emptyWords(game));
  byId("bars").classList.toggle("empty", thought === null);
  const key = thought ? `${thought.game}-${thought.ply}` : `${game.game}-none`;
  if (key === drawn) return;
  drawn = key;
  drawTree(byId("tree"), thought, game);
  drawBars(byId("bars"), thought);
  byId("tree-figures").textContent = thought
    ? t("watch.figures", { nodes: number(thought.decision.nodes), ms: duration(thought.decision.think_ms) })
    : "";
}

/** Why there is no tree. */
function emptyWords(game) {
  if (thought) return "watch.no_tree";
  return game.red.level === null && game.yellow.level === null ? "watch.people" : "watch.no_decision";
}

function renderBoard(game) {
  const cells = cellsOf(game.moves);
  board.show(cells);
  if (game.cells?.length) board.win(game.cells);
  else board.markLast(null);
  board.expect(game.result ? [] : expectedCells(game));
}

/** The expected line as cells, as long as the players follow it. */
function expectedCells(game) {
  if (!thought) return [];
  const { ply, decision } = thought;
  const before = game.moves.slice(0, ply - 1);
  const since = game.moves.slice(ply - 1);
  if (since.some((column, index) => column !== decision.line[index])) return [];
  return cellsOf([...before, ...decision.line])
    .slice(ply - 1)
    .map((cell, index) => ({ ...cell, played: index < since.length }));
}
