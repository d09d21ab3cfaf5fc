// The seat at the LEGO robot's table: a visitor takes it and drops discs (docs/events.md). The server hands it back to the
// simulated person when the visitor leaves or thinks for too long.
//
// Hooks: #seat[data-is=closed|free|taken|mine], #seat-take, #seat-leave, #seat-text[data-turn], #seat .board.

import { announce, toast } from "./announce.js";
import { createBoard } from "./board.js";
import { cellsOf, other } from "./disc.js";
import { byId } from "./elements.js";
import { winningCells } from "./rules.js";
import { onLanguage, t, whyOf } from "./words.js";

const SEATED_MS = 700;
const WATCHING_MS = 3000;

/** Puts the seat into `#seat` of the page of the show `name`. */
export function mountSeat(name) {
  const board = createBoard({ onDrop: drop });
  let ticket = null;
  let table = null;
  let is = "closed";
  let lost = false;
  let timer = 0;

  byId("seat-board").append(board.element);
  byId("seat-take").addEventListener("click", take);
  byId("seat-leave").addEventListener("click", leave);
  addEventListener("pagehide", leave);
  onLanguage(draw);
  look();

  async function look() {
    clearTimeout(timer);
    try {
      const { seat } = await (await fetch(`/api/shows/${name}`)).json();
      table = seat?.table ?? null;
      if (ticket && seat && !seat.taken) gone();
      is = !seat ? "closed" : ticket ? "mine" : seat.taken ? "taken" : "free";
    } catch {
      is = "closed";
    }
    draw();
    timer = setTimeout(look, ticket ? SEATED_MS : WATCHING_MS);
  }

  /** Too long without a disc: the simulated person plays again. */
  function gone() {
    ticket = null;
    lost = true;
    announce(t("seat.given_back"));
  }

  async function take() {
    try {
      const answer = await ask("seat", {});
      if (answer.ok) {
        ticket = (await answer.json()).seat;
        lost = false;
        announce(t("seat.taken_told"));
      }
    } catch (error) {
      toast(whyOf(error));
    }
    await look();
    if (ticket) byId("seat").scrollIntoView({ block: "nearest" });
  }

  function leave() {
    if (!ticket) return;
    // Without an answer the server takes the seat back by itself.
    ask("seat/leave", { seat: ticket }, { keepalive: true }).catch(() => {});
    ticket = null;
    is = "free";
    draw();
  }

  async function drop(column) {
    board.pending(column);
    try {
      const answer = await ask("seat/drop", { seat: ticket, column: column - 1 });
      if (!answer.ok) toast((await answer.json()).error);
    } catch (error) {
      toast(whyOf(error));
    }
    await look();
    board.pending(null);
  }

  const ask = (path, body, options = {}) => fetch(`/api/shows/${name}/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), ...options });

  function draw() {
    const place = byId("seat");
    place.dataset.is = is;
    place.hidden = is === "closed";
    byId("seat-take").hidden = is !== "free";
    byId("seat-leave").hidden = is !== "mine";
    byId("seat-board").hidden = is !== "mine";
    const isTurn = is === "mine" && Boolean(table?.persons_turn);
    byId("seat-text").dataset.turn = String(isTurn);
    byId("seat-text").textContent = t(words(isTurn));
    if (is !== "mine" || !table) return board.enable(null);
    const robots = table.robot_is_red ? "red" : "yellow";
    const first = table.robot_began ? robots : other(robots);
    const cells = cellsOf(table.columns.map((column) => column + 1)).map((cell) => ({ ...cell, disc: cell.disc === "red" ? first : other(first) }));
    board.show(cells);
    if (table.end && table.end !== "draw") board.win(winningCells(cells));
    board.enable(isTurn ? other(robots) : null);
  }

  function words(isTurn) {
    if (is === "free") return lost ? "seat.given_back" : "seat.free";
    if (is !== "mine") return "seat.taken";
    if (table?.end) return `seat.end.${table.end}`;
    return isTurn ? "seat.turn" : "seat.robot";
  }
}
