// The board as a component: an SVG drawing below seven buttons, one a column.
//
// Hooks: .board[data-testid=board], .playable while the visitor may drop, .won with a winning four;
//   button.column[data-column=1…7] (also data-count, data-full); g.disc[data-cell="column-row"], .winning on the four.

import { drawDisc } from "./disc.js";
import { el, svg } from "./elements.js";
import { play } from "./motion.js";
import { onLanguage, t } from "./words.js";

const CELL = 100;
const EDGE = 20;
const LANE = 100;
const COLUMNS = [1, 2, 3, 4, 5, 6, 7];
const ROWS = [1, 2, 3, 4, 5, 6];
const WIDTH = 7 * CELL + 2 * EDGE;
const PANEL_HEIGHT = 6 * CELL + 2 * EDGE;
const HEIGHT = LANE + PANEL_HEIGHT + 36;
const HOLE_RADIUS = 41;

/** Centre of a column. */
export const columnX = (column) => EDGE + (column - 0.5) * CELL;
/** Centre of a row, counted from the bottom. */
export const rowY = (row) => LANE + EDGE + (6.5 - row) * CELL;

const keyOf = ({ column, row }) => `${column}-${row}`;

/** Makes a board. `onDrop(column)` is called when the visitor chooses a column while it is playable, `onRefuse(code)` when
 *  that is not possible; `lane: false` leaves out the space above (small and still boards). */
export function createBoard({ onDrop = () => {}, onRefuse = () => {}, lane = true, buttons = true } = {}) {
  const discs = svg("g");
  const lights = svg("g", {}, ...COLUMNS.map((column) => columnLight(column)));
  const expected = svg("g");
  const marks = svg("g");
  const hand = svg("g", { class: "board-hand" });
  const overlay = svg("g");
  const top = lane ? 0 : LANE;
  const drawing = svg(
    "svg",
    { viewBox: `0 ${top} ${WIDTH} ${HEIGHT - top}`, "aria-hidden": "true", focusable: "false" },
    svg("rect", { class: "board-back", x: 8, y: LANE + 8, width: WIDTH - 16, height: PANEL_HEIGHT - 16, rx: 30 }),
    svg("g", { "clip-path": "none" }, discs),
    panel(),
    lights,
    rims(),
    expected,
    marks,
    hand,
    overlay,
  );
  const columns = COLUMNS.map((column) => columnButton(column));
  const group = el("div", { class: "columns", role: "group" }, ...columns);
  const element = el("div", { class: lane ? "board" : "board no-lane", "data-testid": "board" }, drawing);
  if (buttons) element.append(group);

  let cells = new Map();
  let playableDisc = null;
  let pendingColumn = null;
  let pointedColumn = null;
  let focusedColumn = 4;
  let marked = "";
  let landed = Promise.resolve();

  function columnButton(column) {
    return el("button", {
      type: "button",
      class: "column",
      "data-column": column,
      tabindex: column === 4 ? 0 : -1,
      onclick: () => drop(column),
      onpointerenter: (event) => event.pointerType === "mouse" && point(column),
      onpointerleave: () => point(null),
      onfocus: () => {
        focusedColumn = column;
        rove();
        if (columns[column - 1].matches(":focus-visible")) point(column);
      },
      onblur: () => point(null),
      onkeydown: walk,
    });
  }

  function walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const target = { Home: 1, End: 7 }[event.key] ?? (step ? focusedColumn + step : 0);
    if (target < 1 || target > 7) return;
    event.preventDefault();
    columns[target - 1].focus();
  }

  function rove() {
    for (const button of columns) button.tabIndex = Number(button.dataset.column) === focusedColumn ? 0 : -1;
  }

  function drop(column) {
    if (!playableDisc) return onRefuse("not_your_turn");
    if (heightOf(column) === 6) return onRefuse("column_full", column);
    onDrop(column);
  }

  function point(column) {
    pointedColumn = column;
    showHand();
  }

  /** The disc in the visitor's hand hangs over the column it would fall into. */
  function showHand() {
    const column = pendingColumn ?? pointedColumn;
    const shown = playableDisc !== null && column !== null && (pendingColumn !== null || heightOf(column) < 6);
    hand.classList.toggle("shown", shown);
    hand.classList.toggle("pending", pendingColumn !== null);
    for (const light of lights.children) light.classList.toggle("lit", shown && Number(light.dataset.column) === column);
    if (shown) hand.replaceChildren(svg("g", { transform: `translate(${columnX(column)} 50)` }, drawDisc(playableDisc)));
  }

  const heightOf = (column) => ROWS.filter((row) => cells.has(`${column}-${row}`)).length;

  function label() {
    group.setAttribute("aria-label", t("board.columns"));
    for (const button of columns) {
      const column = Number(button.dataset.column);
      const content = ROWS.map((row) => cells.get(`${column}-${row}`)).filter(Boolean);
      button.dataset.count = content.length;
      button.toggleAttribute("data-full", content.length === 6);
      button.setAttribute("aria-disabled", String(!playableDisc || content.length === 6));
      button.setAttribute("aria-label", t("board.column", { column, discs: content.map(({ disc }) => disc) }));
    }
  }

  function add(cell) {
    const disc = drawDisc(cell.disc);
    const place = svg("g", { transform: `translate(${columnX(cell.column)} ${rowY(cell.row)})` }, disc);
    disc.dataset.cell = keyOf(cell);
    discs.append(place);
    cells.set(keyOf(cell), { ...cell, place, shape: disc });
    return disc;
  }

  /** Shows exactly these cells (`{column, row, disc}`): new discs fall in, missing ones fall out below. Resolves when all
   *  discs lie still. */
  function show(wanted, { animate = true } = {}) {
    const keep = new Map(wanted.map((cell) => [keyOf(cell), cell.disc]));
    if (keep.size === cells.size && [...cells].every(([key, cell]) => keep.get(key) === cell.disc)) return landed;
    for (const [key, cell] of [...cells]) {
      if (keep.get(key) === cell.disc) continue;
      cells.delete(key);
      fallOut(cell, animate);
    }
    const fresh = wanted.filter((cell) => !cells.has(keyOf(cell)));
    const falls = fresh.map((cell, index) => {
      const disc = add(cell);
      return animate ? fallIn(disc, cell.row, fresh.length > 1 ? index * 90 : 0) : null;
    });
    landed = Promise.all([landed, ...falls]);
    clearMarks();
    label();
    showHand();
    return landed;
  }

  function clearMarks() {
    marked = "";
    marks.replaceChildren();
    element.classList.remove("won");
    for (const { shape } of cells.values()) shape.classList.remove("winning");
  }

  /** Lights the winning cells up and joins them. */
  function win(winning) {
    const key = winning.map(keyOf).join();
    if (key === marked) return;
    clearMarks();
    marked = key;
    if (winning.length === 0) return;
    element.classList.add("won");
    marks.append(...links(winning), ...winning.map((cell) =>
      svg("circle", { class: "win-ring", cx: columnX(cell.column), cy: rowY(cell.row), r: HOLE_RADIUS - 2 })));
    for (const cell of winning) cells.get(keyOf(cell))?.shape.classList.add("winning");
    for (const link of marks.querySelectorAll(".win-link")) {
      play(link, [{ strokeDasharray: "0 1" }, { strokeDasharray: "1 0" }], { duration: 400, easing: "ease-out" });
    }
  }

  /** Rings the disc that was dropped last. */
  function markLast(cell) {
    clearMarks();
    if (cell) marks.append(svg("circle", { class: "last-move", cx: columnX(cell.column), cy: rowY(cell.row), r: 38 }));
  }

  /** Numbers the expected play on the board: moves that came true are solid, the rest pale. */
  function expect(line) {
    expected.replaceChildren(...line.map((cell, index) => {
      const disc = drawDisc(cell.disc, { class: cell.played ? "expected played" : "expected" });
      disc.setAttribute("transform", `translate(${columnX(cell.column)} ${rowY(cell.row)}) scale(0.9)`);
      disc.append(svg("text", { y: 2 }, String(index + 1)));
      return disc;
    }));
  }

  /** Lets the visitor drop this disc, or nobody (null). */
  function enable(disc) {
    playableDisc = disc;
    element.classList.toggle("playable", disc !== null);
    label();
    showHand();
  }

  /** The visitor's column until the server has answered. */
  function pending(column) {
    pendingColumn = column;
    showHand();
  }

  label();
  onLanguage(label);
  return { element, overlay, show, win, markLast, expect, enable, pending, drop, focus: () => columns[focusedColumn - 1].focus() };
}

function fallIn(disc, row, delay) {
  const height = rowY(row) - 40;
  // Free fall: time grows with the square root of the height; then one small bounce.
  const fall = 110 * Math.sqrt(7 - row) + 90;
  const bounce = Math.min(22, height / 16);
  const total = fall + 170;
  return play(
    disc,
    [
      { transform: `translateY(${-height}px)`, offset: 0, easing: "cubic-bezier(.5,0,.95,.6)" },
      { transform: "translateY(0)", offset: fall / total, easing: "ease-out" },
      { transform: `translateY(${-bounce}px)`, offset: (fall + 80) / total, easing: "ease-in" },
      { transform: "translateY(0)", offset: 1 },
    ],
    { duration: total, delay, fill: "backwards" },
  );
}

async function fallOut(cell, animate) {
  delete cell.shape.dataset.cell;
  if (animate) {
    await play(
      cell.shape,
      [{ transform: "translateY(0)" }, { transform: `translateY(${HEIGHT - rowY(cell.row) + 60}px)`, opacity: 0 }],
      { duration: 420, delay: cell.row * 25, easing: "cubic-bezier(.5,0,1,.7)", fill: "both" },
    );
  }
  cell.place.remove();
}

/** Short bars from rim to rim between neighbouring winning cells. */
function links(winning) {
  const bars = [];
  for (const [index, a] of winning.entries()) {
    for (const b of winning.slice(index + 1)) {
      if (Math.max(Math.abs(a.column - b.column), Math.abs(a.row - b.row)) !== 1) continue;
      const [x, y] = [columnX(b.column) - columnX(a.column), rowY(b.row) - rowY(a.row)];
      const share = HOLE_RADIUS / Math.hypot(x, y);
      const from = [columnX(a.column) + x * share, rowY(a.row) + y * share];
      const to = [columnX(b.column) - x * share, rowY(b.row) - y * share];
      bars.push(svg("path", { class: "win-link", d: `M${from}L${to}`, pathLength: 1 }));
    }
  }
  return bars;
}

function panel() {
  let holes = "";
  for (const column of COLUMNS) {
    for (const row of ROWS) {
      const x = columnX(column);
      const y = rowY(row);
      holes += `M${x - HOLE_RADIUS} ${y}a${HOLE_RADIUS} ${HOLE_RADIUS} 0 1 0 ${2 * HOLE_RADIUS} 0a${HOLE_RADIUS} ${HOLE_RADIUS} 0 1 0 ${-2 * HOLE_RADIUS} 0Z`;
    }
  }
  const outline = `M32 ${LANE}H${WIDTH - 32}a32 32 0 0 1 32 32V${LANE + PANEL_HEIGHT - 32}a32 32 0 0 1-32 32H32a32 32 0 0 1-32-32V${LANE + 32}a32 32 0 0 1 32-32Z`;
  const bottom = LANE + PANEL_HEIGHT;
  return svg(
    "g",
    {},
    svg("path", { class: "board-foot", d: `M60 ${bottom - 4}h70l20 36h-118zM${WIDTH - 60} ${bottom - 4}h-70l-20 36h118z` }),
    svg("path", { class: "board-shade", transform: "translate(0 7)", "fill-rule": "evenodd", d: outline + holes }),
    svg("path", { class: "board-panel", "fill-rule": "evenodd", d: outline + holes }),
    svg("path", { class: "board-sheen", d: `M34 ${LANE + 2}H${WIDTH - 34}` }),
  );
}

function rims() {
  return svg("g", {}, ...COLUMNS.flatMap((column) =>
    ROWS.map((row) => svg("circle", { class: "board-rim", cx: columnX(column), cy: rowY(row), r: HOLE_RADIUS }))));
}

function columnLight(column) {
  // Only the panel lights up, not the holes: the ring path leaves them out.
  const x = columnX(column) - CELL / 2;
  let path = `M${x} ${LANE + 6}h${CELL}v${PANEL_HEIGHT - 12}h${-CELL}Z`;
  for (const row of ROWS) {
    const y = rowY(row);
    path += `M${columnX(column) - HOLE_RADIUS} ${y}a${HOLE_RADIUS} ${HOLE_RADIUS} 0 1 0 ${2 * HOLE_RADIUS} 0a${HOLE_RADIUS} ${HOLE_RADIUS} 0 1 0 ${-2 * HOLE_RADIUS} 0Z`;
  }
  return svg("path", { class: "board-light", "data-column": column, "fill-rule": "evenodd", d: path });
}
