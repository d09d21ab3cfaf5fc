// The big screen (/watch): why the machine moves as it does (C9); a poster with today's figures when nobody plays.
//
// Hooks: body[data-view] is entering, attract or game; body[data-explain] the caption shown; #billing, #demo-tag,
//   #robot-tag[data-status], #spectators; #thought[data-kind=tree|lanes|comment|none], #verdict, #intent[data-intent],
//   #reason; #tree (tree.js), #lanes (lanes.js), #bars[data-ply] (bars.js), .expected discs on the board; #finale; #log li;
//   #today, #attract-address.

import { announce } from "./announce.js";
import { mountAttract } from "./attract.js";
import { drawBars } from "./bars.js";
import { createBoard } from "./board.js";
import { cellsOf, discMark } from "./disc.js";
import { byId, el } from "./elements.js";
import { mountExplanation } from "./explanation.js";
import { mountFinale } from "./finale.js";
import { enterHall } from "./hall.js";
import { drawLanes } from "./lanes.js";
import { createLog } from "./log.js";
import { mountMasthead } from "./masthead.js";
import { outcomeForAll } from "./outcome.js";
import { playerName } from "./plates.js";
import { showLink, showRobotFault } from "./strips.js";
import { drawTree } from "./tree.js";
import { showVerdict } from "./verdict.js";
import { duration, number, onLanguage, setHallLanguage, t } from "./words.js";

mountMasthead();
const board = createBoard({ lane: false, buttons: false });
byId("board-place").append(board.element);
const log = createLog(byId("log"));
const attract = mountAttract();
const explanation = mountExplanation();
const finale = mountFinale(redraw);
/** The latest thought of the running game: a `TURN_TREE`, or a `COMMENT` on a game between people; or null. */
let thought = null;
let drawn = "";

const hall = enterHall({ watch: true, onChange: hear, onLink: (up) => showLink(up, () => hall.retry()) });
onLanguage(redraw);
new ResizeObserver(redraw).observe(byId("thought"));
// Sizes of words are measured; they are known when the font is.
document.fonts?.ready.then(redraw);

function redraw() {
  drawn = "";
  if (hall.state) render();
}

function hear(event) {
  if (event.type === "TURN_TREE" || event.type === "COMMENT") thought = event;
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
  showRobotFault(state.game?.without_robot ? { status: "off" } : state.robot, inGame);
  attract.show(state, !inGame);
  explanation.run(inGame);
  if (!inGame) return finale.clear();
  renderBilling(state);
  renderBoard(state.game);
  renderThought();
}

function renderBilling({ game, robot, watchers }) {
  byId("billing").replaceChildren(
    discMark("red"),
    el("span", {}, playerName(game.red)),
    el("small", {}, t("watch.against")),
    discMark("yellow"),
    el("span", {}, playerName(game.yellow)),
  );
  byId("demo-tag").hidden = !game.demo;
  byId("spectators").hidden = !watchers;
  byId("spectators").textContent = t("watch.spectators", { n: watchers ?? 0 });
  const tag = byId("robot-tag");
  tag.dataset.status = robot.status;
  tag.className = ["error", "lost"].includes(robot.status) ? "tag alarm" : robot.status === "busy" ? "tag" : "tag good";
  tag.textContent = t(`robot.${robot.status}`);
  tag.hidden = robot.status === "off";
}

function renderThought() {
  const game = hall.state.game;
  if (!game) return;
  const key = thought ? `${thought.type}-${thought.game}-${thought.ply}` : `${game.game}-none`;
  if (key === drawn) return explanation.refresh();
  drawn = key;
  const kind = !thought ? "none" : thought.decision.tree ? "tree" : "lanes";
  byId("thought").dataset.kind = thought?.type === "COMMENT" ? "comment" : kind;
  byId("tree").hidden = kind !== "tree";
  byId("lanes").hidden = kind !== "lanes";
  byId("thought-empty").hidden = kind !== "none";
  byId("thought-empty").textContent = t(isBetweenPeople(game) ? "watch.no_comment" : "watch.no_decision");
  showVerdict(thought, game);
  byId("figures").textContent = thought
    ? t(kind === "tree" ? "watch.figures" : "watch.figures_exact", { nodes: number(thought.decision.nodes), ms: duration(thought.decision.think_ms) })
    : "";
  // Pictures come last: they fill what the words leave.
  drawTree(byId("tree"), thought, game);
  drawLanes(byId("lanes"), kind === "lanes" ? thought : null);
  byId("bars-title").textContent = thought ? t("watch.bars", { name: playerName(game[thought.decision.disc]) }) : "";
  byId("bars").hidden = kind === "none";
  drawBars(byId("bars"), thought);
  explanation.refresh();
}

const isBetweenPeople = (game) => game.red.level === null && game.yellow.level === null;

function renderBoard(game) {
  const landed = board.show(cellsOf(game.moves));
  board.expect(game.result ? [] : expectedCells(game));
  if (!game.result) {
    board.markLast(null);
    return finale.clear();
  }
  // First the disc falls, then the four light up, then everybody reads who won.
  landed.then(() => {
    const now = hall.state.game;
    if (now?.game !== game.game || !now.result) return;
    if (now.cells?.length) board.win(now.cells);
    finale.show(now);
  });
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
