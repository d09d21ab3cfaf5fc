// The simulated robot's own picture of its board (/robot): polls /api/robot.
//
// Hooks: #robot-status[data-status], #robot-arm[data-column], #robot-leds[data-count], board hooks in board.js,
//   circle.led[data-cell="column-row"][data-disc].

import { columnX, createBoard, rowY } from "./board.js";
import { byId, svg } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { onLanguage, t } from "./words.js";

const POLL_MS = 300;
const DISCS = { r: "red", y: "yellow" };

mountMasthead();
const board = createBoard({ buttons: false });
byId("board-place").append(board.element);
const leds = svg("g");
const arm = svg(
  "g",
  { class: "arm" },
  svg("rect", { class: "arm-body", x: -26, y: 2, width: 52, height: 30, rx: 8 }),
  svg("path", { class: "arm-grip", d: "M-20 34l-12 26M20 34l12 26" }),
);
board.overlay.append(svg("line", { class: "rail", x1: 20, x2: 720, y1: 16, y2: 16 }), arm, leds);

let latest = null;
let answering = true;
onLanguage(render);
poll();

async function poll() {
  try {
    const answer = await fetch("/api/robot");
    if (!answer.ok) throw new Error(answer.statusText);
    latest = await answer.json();
    answering = true;
  } catch {
    answering = false;
  }
  render();
  setTimeout(poll, POLL_MS);
}

function render() {
  byId("robot-note").textContent = !answering ? t("robotpage.away") : latest && !latest.board ? t("robotpage.none") : "";
  if (!latest) return;
  const status = byId("robot-status");
  status.dataset.status = latest.status;
  status.className = ["error", "lost"].includes(latest.status) ? "tag alarm" : latest.status === "busy" ? "tag" : "tag good";
  status.textContent = t(`robot.${latest.status}`);
  byId("board-place").hidden = !latest.board;
  if (latest.board) renderPicture(latest);
}

function renderPicture({ board: rows, leds: lit = [], arm: column }) {
  board.show(cellsOfRows(rows));
  byId("robot-arm").dataset.column = column ?? "";
  byId("robot-arm").textContent = column ? t("robotpage.arm", { column }) : t("robotpage.arm_home");
  byId("robot-leds").dataset.count = lit.length;
  byId("robot-leds").textContent = lit.length ? t("robotpage.leds", { n: lit.length }) : "";
  arm.style.transform = `translateX(${column ? columnX(column) : 60}px)`;
  leds.replaceChildren(...lit.flatMap((led) => {
    const at = { cx: columnX(led.column), cy: rowY(led.row), r: 43 };
    return [
      svg("circle", { class: `led led-glow led-${led.disc}`, ...at }),
      svg("circle", { class: `led led-${led.disc}`, ...at, "data-cell": `${led.column}-${led.row}`, "data-disc": led.disc }),
    ];
  }));
}

/** Rows come top first, as people read them. */
function cellsOfRows(rows) {
  return rows.flatMap((text, index) =>
    [...text.toLowerCase()].flatMap((letter, place) => (DISCS[letter] ? [{ column: place + 1, row: 6 - index, disc: DISCS[letter] }] : [])));
}
