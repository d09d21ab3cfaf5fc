// One stored game, step by step.

import { createBoard } from "./board.js";
import { cellsOf, discMark } from "./disc.js";
import { byId, el } from "./elements.js";
import { outcomeForAll } from "./outcome.js";
import { playerName } from "./plates.js";
import { duration, moment, onLanguage, spoken, t } from "./words.js";
import { winningCells } from "./rules.js";

const STEP_MS = 900;

/** Wires the replay; `show(game)` opens a game as `/api/games/N` gives it, or none (null). */
export function mountReplay() {
  const board = createBoard({ lane: false, buttons: false });
  byId("board-place").append(board.element);
  const slider = byId("slider");
  let game = null;
  let ply = 0;
  let timer = 0;

  const last = () => game?.turns.length ?? 0;
  const steps = { first: () => 0, back: () => ply - 1, forward: () => ply + 1, last };
  for (const [id, target] of Object.entries(steps)) byId(id).addEventListener("click", () => (pause(), go(target())));
  slider.addEventListener("input", () => (pause(), go(Number(slider.value))));
  byId("play").addEventListener("click", () => (timer ? pause() : start()));
  onLanguage(render);

  function go(target) {
    ply = Math.max(0, Math.min(last(), target));
    if (ply === last()) pause();
    render();
  }

  function start() {
    if (ply === last()) ply = 0;
    timer = setInterval(() => go(ply + 1), STEP_MS);
    go(ply === 0 ? 1 : ply);
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    render();
  }

  function show(opened) {
    game = opened;
    ply = last();
    pause();
  }

  function render() {
    byId("replay").dataset.game = game?.game ?? "";
    byId("replay").dataset.ply = ply;
    byId("replay-title").textContent = game ? t("games.number", { game: game.game }) : t("games.list");
    byId("replay-text").textContent = game ? summary() : t("games.choose");
    byId("controls").hidden = !game;
    byId("board-place").hidden = !game;
    byId("play").textContent = t(timer ? "replay.pause" : "replay.play");
    slider.max = last();
    slider.value = ply;
    slider.setAttribute("aria-valuetext", stepWords());
    byId("step").textContent = game ? stepWords() : "";
    byId("plates").replaceChildren(...(game ? ["red", "yellow"].map((disc) => el("span", {}, discMark(disc), el("span", {}, playerName(game[disc])))) : []));
    renderFaults();
    const cells = cellsOf((game?.turns ?? []).slice(0, ply).map(({ column }) => column));
    board.show(cells);
    const four = ply === last() ? winningCells(cells) : [];
    if (four.length) board.win(four);
    else board.markLast(cells.at(-1) ?? null);
  }

  function summary() {
    const moves = t("games.moves", { n: last() });
    return `${moment(game.started)} · ${moves}${game.result ? ` · ${outcomeForAll(game)}` : ""}`;
  }

  function stepWords() {
    if (!game) return "";
    if (ply === 0) return t("games.start");
    const turn = game.turns[ply - 1];
    const told = t("log.turn", { name: playerName(game[turn.disc]), column: turn.column });
    const thought = turn.think_ms === null ? "" : ` (${t("games.thought", { ms: duration(turn.think_ms) })})`;
    return `${t("games.step", { ply, total: last() })}: ${told}${thought}`;
  }

  function renderFaults() {
    const faults = game?.faults ?? [];
    byId("faults").hidden = faults.length === 0;
    byId("fault-list").replaceChildren(...faults.map((fault) => el("li", {}, `${duration(fault.at_ms)}: ${spoken(fault.text)}`)));
  }

  return { show };
}
