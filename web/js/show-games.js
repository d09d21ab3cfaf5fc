// What the notes of each game mean: its cells, its figures and its decisions in words.

import { t } from "./words.js";

const TETRIS_ROWS = 18;

/** The field on the Game Boy's screen: tiles of eight pixels. */
const TETRIS_FIELD = { left: 16, top: 0, width: 80, height: 144 };

/** The size of the upright screen, where a game has one. */
export const screenSize = (name) => (name === "tetris" ? [160, 144] : null);

/** Where the board lies: on the upright screen, or in the frame where there is no other screen; or null. */
export function placeOf(name, seen) {
  if (name === "tetris") return TETRIS_FIELD;
  return seen?.bounds ?? null;
}

/** The recognised board: `{ columns, rows, cells: [{ column, row, kind }] }`, rows from the bottom; or null. */
export function boardOf(name, seen, decision, known) {
  if (!seen) return null;
  if (name === "tetris") return tetrisBoard(seen.view?.playing, decision?.place);
  if (name === "samegame") return samegameBoard(seen.board);
  if (name === "lego") return connectFourBoard(known);
  return null;
}

function tetrisBoard(playing, place) {
  if (!Array.isArray(playing?.cells)) return null;
  const cells = [];
  const target = place?.placed?.columns;
  playing.cells.forEach((bits, column) => {
    for (let row = 0; row < TETRIS_ROWS; row += 1) {
      const filled = (bits >> row) & 1;
      const planned = target && (target[column] >> row) & 1;
      if (filled) cells.push({ column, row, kind: "filled" });
      else if (planned) cells.push({ column, row, kind: "planned" });
    }
  });
  return { columns: playing.cells.length, rows: TETRIS_ROWS, cells };
}

/** Boards come in their normal form: a list of columns, colours from the bottom, 0 for empty. */
function samegameBoard(board) {
  if (typeof board !== "string") return null;
  const columns = parsed(board);
  if (!columns) return null;
  const rows = Math.max(1, ...columns.map((column) => column.length));
  const cells = columns.flatMap((colours, column) => colours.map((colour, row) => ({ column, row, kind: `colour-${colour}` })).filter(({ kind }) => kind !== "colour-0"));
  return { columns: columns.length, rows, cells };
}

/** A stranger's recording may hold anything. */
function parsed(board) {
  try {
    const columns = JSON.parse(board);
    return Array.isArray(columns) && columns.every(Array.isArray) && columns.length > 0 && columns.length <= 100 ? columns : null;
  } catch {
    return null;
  }
}

/** The robot looks at one cell after the other; `known` holds what it has found so far. */
function connectFourBoard(known) {
  const cells = [...known].map(([place, kind]) => ({ column: place % 7, row: Math.floor(place / 7), kind })).filter(({ kind }) => kind !== "empty");
  return { columns: 7, rows: 6, cells };
}

/** Takes a look of the LEGO robot into what is known of the board. */
export function learn(known, seen) {
  if (seen?.cell) known.set(seen.cell.row * 7 + seen.cell.column, seen.cell.sight);
}

/** What is on the screen, in words. */
export function seenWords(name, seen) {
  if (!seen) return t("show.nothing_seen");
  if (name === "tetris") {
    const view = typeof seen.view === "string" ? seen.view : (Object.keys(seen.view ?? {})[0] ?? "empty");
    return t(`show.view.${view}`);
  }
  if (seen.sensor) return t(seen.sensor.pressed ? "show.pressed" : "show.not_pressed");
  if (seen.cell) return t("show.cell", { column: seen.cell.column + 1, row: seen.cell.row + 1, sight: t(`show.sight.${seen.cell.sight}`) });
  return "";
}

/** Score, lines and level, where the game shows them. */
export function scoreFigures(name, seen) {
  const playing = seen?.view?.playing;
  if (name !== "tetris" || !playing) return [];
  return [["score", playing.score ?? 0], ["lines", playing.lines ?? 0], ["level", playing.level ?? 0]];
}

/** What a person told the run, in words. */
export function orderWords(order) {
  if (typeof order === "string") return t(`show.order.${order}`);
  const [[kind, value] = []] = Object.entries(order ?? {});
  if (kind === "press") return t("show.order.press", { button: t(`show.action.${value}`) });
  if (kind === "heart") return t(value ? "panel.heart_on" : "panel.heart_off");
  return t(`show.order.${kind}`, { value });
}

/** A decision in words. */
export function decisionWords(name, decision) {
  if (decision.steer) return t("show.steer", { piece: decision.steer.piece, buttons: decision.steer.buttons.map((button) => t(`show.action.${button}`)).join(" + ") });
  if (decision === "let_go") return t("show.let_go");
  if (decision === "go_on") return t("show.go_on");
  if (decision.menu) return t("show.menu", { buttons: (decision.menu.buttons ?? []).map((button) => t(`show.action.${button}`)).join(" + "), why: decision.menu.why });
  if (decision.place) return t("show.place", { piece: decision.place.piece, next: decision.place.preview ?? "–" });
  if (name === "samegame") return t("show.removal", { group: decision.number + 1, left: decision.moves_left });
  if (decision.drop) return t("show.drop", { column: decision.drop.column + 1, why: decision.drop.why });
  if (decision.leave) return t(decision.leave.end ? `show.leave.${decision.leave.end}` : "show.leave");
  if (decision.call) return t("show.call");
  if (decision === "find_stop") return t("show.find_stop");
  return t("show.deciding");
}
