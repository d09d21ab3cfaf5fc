// Four in a row: the exact value of every column, the line of perfect play, and where a game turned (X4).
//
// Hooks: body[data-view=ready|thinking], #values li[data-column][data-score], #line, #moves, #course, #turned, #position-error, board hooks.

import { announce } from "./announce.js";
import { createBoard } from "./board.js";
import { byId, el, svg } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { openDesk } from "./play/desk.js";
import { GivenUp, Thinker } from "./play/thinker.js";
import { onLanguage, t, whyOf } from "./words.js";

const COLUMNS = [1, 2, 3, 4, 5, 6, 7];
const WIDTH = 640;
const HEIGHT = 180;

mountMasthead({ games: true });
const thinker = new Thinker();
const historian = new Thinker();
const board = createBoard({ onDrop: drop });
byId("board-place").append(board.element);
let desk = null;
// A drawing that was set up, and the moves after it.
let start = "";
let moves = location.hash.match(/^#([1-7]*)$/)?.[1] ?? "";
let look = null;
let answer = null;
// The whole game of the graph, and its score after every move. Going back in it keeps the graph.
let game = "";
let scores = null;

byId("undo").addEventListener("click", undo);
byId("new").addEventListener("click", () => {
  [game, scores] = ["", null];
  setUp("", "");
});
byId("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("position").value;
  if (/^\s*[1-7\s]*$/.test(text)) setUp("", text.replace(/\s/g, ""));
  else setUp(text, "");
});
byId("opponent").addEventListener("change", () => letOpponentPlay());
byId("stored").addEventListener("change", () => byId("stored").value && setUp("", byId("stored").value));
addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^[1-7]$/.test(event.key)) drop(Number(event.key));
  else if (event.key === "Backspace" || event.key === "u") undo();
  else if (event.key === "PageUp" || event.key === "PageDown") go(moves.length + (event.key === "PageUp" ? -1 : 1), event);
});
addEventListener("hashchange", () => location.hash.slice(1) !== moves && setUp("", location.hash.match(/^#([1-7]*)$/)?.[1] ?? ""));
onLanguage(render);
openDesk().then(
  (opened) => {
    desk = opened;
    setUp("", moves);
    performance.mark("ready");
  },
  (error) => {
    document.body.dataset.view = "failed";
    byId("undo").disabled = byId("new").disabled = true;
    byId("state").textContent = t("tetris.failed", { why: whyOf(error) });
  },
);
offerStoredGames();

function setUp(newStart, newMoves) {
  if (!desk) return;
  try {
    look = desk.ask({ ask: "look", position: newStart, moves: newMoves });
  } catch (error) {
    byId("position-error").textContent = t("analysis.refused", { why: error.message, move: error.message.match(/^move (\d+)/)?.[1] });
    return;
  }
  byId("position-error").textContent = "";
  [start, moves, answer] = [newStart, newMoves, null];
  if (start || !game.startsWith(moves)) [game, scores] = ["", null];
  if (!start) history.replaceState(null, "", `#${moves}`);
  byId("position").value = start || moves;
  render();
  think();
}

function drop(column) {
  if (!look?.open.includes(column)) return;
  setUp(start, moves + column);
}

function undo() {
  if (moves) setUp(start, moves.slice(0, -1));
}

/** Goes to a position of the game in the graph. */
function go(ply, event) {
  if (!scores || ply < 0 || ply > game.length) return;
  event.preventDefault();
  setUp("", game.slice(0, ply));
}

async function think() {
  thinker.stop();
  historian.stop();
  document.body.dataset.view = "thinking";
  try {
    answer = await thinker.ask({ ask: "analyse", position: start, moves, line: true });
    render();
    document.body.dataset.view = "ready";
    announce(stateText());
    letOpponentPlay();
    if (!start && moves && !scores) {
      const course = (await historian.ask({ ask: "course", moves })).scores;
      [game, scores] = [moves, course];
      render();
    }
  } catch (error) {
    if (!(error instanceof GivenUp)) byId("position-error").textContent = error.message;
  }
}

/** The perfect opponent answers by itself. */
function letOpponentPlay() {
  if (!answer || look.to_move !== byId("opponent").value || !answer.best.length) return;
  const [column] = answer.best;
  setTimeout(() => look.to_move === byId("opponent").value && drop(column), 350);
}

function render() {
  if (!look) return;
  const lines = look.picture.trim().split("\n");
  const cells = lines.flatMap((line, index) => [...line].map((symbol, column) => ({ column: column + 1, row: 6 - index, symbol }))).filter(({ symbol }) => symbol !== ".");
  board.show(cells.map(({ column, row, symbol }) => ({ column, row, disc: symbol === "x" ? "red" : "yellow" })));
  board.win(look.four.length ? look.four.map(([column, row]) => ({ column, row })) : []);
  board.enable(look.to_move ? discOf(look.to_move) : null);
  byId("state").textContent = stateText();
  byId("values").replaceChildren(...COLUMNS.map(valueBox));
  byId("moves").textContent = spaced(moves);
  byId("line").textContent = answer ? spaced(answer.line ?? "") : t("analysis.thinking");
  byId("undo").disabled = !moves;
  drawCourse();
}

const discOf = (player) => (player === "first" ? "red" : "yellow");
const spaced = (digits) => digits.replace(/(.{4})/g, "$1 ") || "–";

function stateText() {
  if (look.outcome === "draw") return t("analysis.draw");
  if (look.outcome !== "open") return t(`analysis.${look.outcome}_won`);
  const who = t("analysis.to_move", { disc: t(`disc.${discOf(look.to_move)}`) });
  return answer ? `${who} · ${outlookText(answer.outlook)}` : `${who} · ${t("analysis.thinking")}`;
}

function outlookText(outlook) {
  if (!outlook || outlook.kind === "draw") return t("analysis.draws");
  return t(`analysis.${outlook.kind}`, { moves: outlook.moves });
}

/** For phones, where the colour says the rest. */
function shortText(outlook) {
  if (!outlook) return "";
  return outlook.kind === "draw" ? t("analysis.draws_short") : t("analysis.in", { moves: outlook.moves });
}

function valueBox(column) {
  const score = answer?.columns[column - 1];
  const outlook = answer?.outlooks[column - 1];
  const isOpen = look.open.includes(column);
  const words = !isOpen ? t("analysis.full") : outlook ? outlookText(outlook) : "…";
  return el(
    "li",
    { "data-column": column, "data-score": score ?? "", "data-kind": outlook?.kind, class: answer?.best.includes(column) && "best", "aria-label": t("analysis.column", { column, words }) },
    el("strong", {}, score === null || score === undefined ? "·" : score > 0 ? `+${score}` : String(score).replace("-", "−")),
    look.outcome === "open" && el("span", { class: "value-words" }, words),
    look.outcome === "open" && el("span", { class: "value-moves", "aria-hidden": "true" }, shortText(outlook)),
  );
}

/** The score after every move; the last change of result is marked, and where the board is now. */
function drawCourse() {
  const place = byId("course");
  place.replaceChildren();
  byId("turned").textContent = "";
  if (!scores || scores.length < 2) return;
  const x = (index) => 10 + (index / (scores.length - 1)) * (WIDTH - 20);
  const most = Math.max(4, ...scores.map((score) => Math.abs(score ?? 0)));
  const y = (score) => HEIGHT / 2 - (score / most) * (HEIGHT / 2 - 12);
  const turn = turningPoint();
  place.append(svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("analysis.course") },
    svg("rect", { class: "course-red", x: 0, y: 0, width: WIDTH, height: HEIGHT / 2 }),
    svg("rect", { class: "course-yellow", x: 0, y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 }),
    svg("line", { class: "course-zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    svg("path", { class: "course-line", d: scores.map((score, index) => `${index ? "L" : "M"}${x(index)} ${y(score ?? 0)}`).join("") }),
    svg("line", { class: "course-now", x1: x(moves.length), x2: x(moves.length), y1: 0, y2: HEIGHT }),
    ...scores.map((score, index) => svg("circle", { class: turn && index === turn ? "course-dot course-turn" : "course-dot", cx: x(index), cy: y(score ?? 0), r: turn && index === turn ? 8 : 5, "data-ply": index, onclick: (event) => go(index, event) })),
  ));
  byId("turned").textContent = turn ? t("analysis.turned", { move: turn, column: game[turn - 1] }) : t("analysis.steady");
}

/** The last move that changed who wins with perfect play; 0 if none did. */
function turningPoint() {
  let turn = 0;
  for (let index = 1; index < scores.length; index++) if (Math.sign(scores[index]) !== Math.sign(scores[index - 1])) turn = index;
  return turn;
}

/** Games of the hall, where there is one. */
async function offerStoredGames() {
  if ("site" in document.documentElement.dataset) return;
  try {
    const { games } = await (await fetch("/api/games?limit=30")).json();
    const ended = games.filter((game) => typeof game.moves === "string" && game.moves.length > 6);
    byId("stored").replaceChildren(el("option", { value: "", "data-t": "analysis.stored_none" }, t("analysis.stored_none")), ...ended.map((game) => el("option", { value: game.moves }, `${game.game}: ${game.red.name} – ${game.yellow.name}`)));
    byId("stored-part").hidden = ended.length === 0;
  } catch {
    // No hall: the page works without.
  }
}
