// Compares players on the same pieces (P5): all play the same game side by side, as fast as they can; statistics and a plot
// grow game by game.

import { byId, el, svg } from "../elements.js";
import { number, onLanguage, t, whyOf } from "../words.js";
import { FieldPicture } from "./field-picture.js";
import { GivenUp, Thinker } from "./thinker.js";

const LINES = 100;
/** Pieces of one player until the next one's turn. */
const TURN = 3;
const WIDTH = 720;
const ROW = 40;
const LEFT = 132;

/** Fills the part of the page. `players()` lists who can play (`{ id, name(), plugin }`, the last for evaluators from
 *  outside); `settings()` gives the choices, or nothing while they are wrong. */
export function mountCompare(players, settings) {
  const thinker = new Thinker();
  const dropped = new Set();
  let results = [];
  let note = () => "";
  byId("compare").addEventListener("click", () => (thinker.busy ? thinker.stop() : run()));
  byId("compare-players").addEventListener("change", ({ target }) => (target.checked ? dropped.delete(target.value) : dropped.add(target.value)));
  onLanguage(refresh);

  async function run() {
    const choices = settings();
    const chosen = players().filter(({ id }) => !dropped.has(id));
    if (!choices || !chosen.length) return say(() => t(choices ? "compare.nobody" : "compare.wrong"));
    const games = Number(byId("compare-games").value);
    results = chosen.map((player) => ({ player, games: [] }));
    const tables = chosen.map((player, index) => new LiveTable(thinker, player, index + 1));
    byId("compare-fields").replaceChildren(...tables.map(({ element }) => element));
    byId("compare").textContent = t("compare.stop");
    try {
      for (let game = 0; game < games; game++) {
        say(() => t("compare.running", { game: game + 1, games }));
        const seed = (choices.seed + game) >>> 0;
        await playTogether(tables, { ...choices, seed }, (table, played) => {
          results[tables.indexOf(table)].games.push(played);
          render();
        });
      }
      say(() => t("compare.done", { games, seed: choices.seed }));
    } catch (error) {
      say(() => (error instanceof GivenUp ? t("compare.stopped") : whyOf(error)));
      thinker.stop();
    }
    byId("compare").textContent = t("compare.start");
  }

  function say(words) {
    note = words;
    byId("compare-note").textContent = note();
  }

  /** Lists the players again: there may be new ones, or other words. */
  function refresh() {
    byId("compare-players").replaceChildren(...players().map(({ id, name }) => el("label", { class: "chip" }, el("input", { type: "checkbox", value: id, checked: !dropped.has(id) }), el("span", {}, name()))));
    byId("compare").textContent = t(thinker.busy ? "compare.stop" : "compare.start");
    byId("compare-note").textContent = note();
    render();
  }

  function render() {
    const shown = results.filter(({ games }) => games.length);
    byId("compare-table").hidden = shown.length === 0;
    byId("compare-rows").replaceChildren(...shown.map(({ player, games }) => el(
      "tr",
      { "data-player": player.id },
      el("th", { scope: "row" }, player.name()),
      el("td", {}, number(games.length)),
      el("td", {}, spread(games.map((game) => game.lines))),
      el("td", {}, spread(games.map((game) => game.score))),
      el("td", {}, number(games.filter((game) => game.over).length)),
    )));
    byId("compare-plot").replaceChildren(...(shown.length ? [plot(shown)] : []));
  }

  refresh();
  return { refresh };
}

/** One game of everybody, a few pieces at a time; `onEnd` is called as each comes to its end. */
async function playTogether(tables, choices, onEnd) {
  for (const table of tables) await table.begin(choices);
  let playing = tables;
  while (playing.length) {
    for (const table of playing) {
      const view = await table.play(TURN);
      if (view.over || view.lines >= LINES) onEnd(table, view);
    }
    playing = playing.filter(({ view }) => !view.over && view.lines < LINES);
  }
}

/** A player's small field. */
class LiveTable {
  #thinker;
  #player;
  #game;
  #picture;
  #lines = el("span", { class: "figures" });

  constructor(thinker, player, game) {
    [this.#thinker, this.#player, this.#game] = [thinker, player, game];
    const canvas = el("canvas", { role: "img", "aria-label": player.name() });
    this.#picture = new FieldPicture(canvas);
    this.element = el("figure", { class: "live" }, canvas, el("figcaption", {}, el("strong", {}, player.name()), this.#lines));
  }

  async begin(choices) {
    this.view = await this.#ask("tetris-new", { choices });
    await this.#ask("tetris-pilot", { pace_ms: 0 });
  }

  /** Plays some pieces. */
  async play(pieces) {
    const { plugin, id } = this.#player;
    this.view = await this.#ask("tetris-fly", { player: plugin ? null : id, pieces: plugin ? 1 : pieces, lines: LINES });
    if (this.view.needs_plan) await this.#plan(plugin);
    this.#picture.draw(this.view);
    this.#lines.textContent = t("compare.live", { lines: number(this.view.lines) });
    return this.view;
  }

  async #plan(plugin) {
    const scene = await this.#ask("tetris-scene", { pace_ms: 0 });
    const thought = scene && (await plugin.think(scene, (request) => this.#thinker.ask(request)));
    if (thought) await this.#ask("tetris-follow", { piece: this.view.pieces, plan: thought.candidates[0] });
  }

  #ask(ask, request) {
    return this.#thinker.ask({ ask, game: this.#game, ...request });
  }
}

/** Mean and standard deviation in words. */
function spread(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1));
  return values.length > 1 ? `${number(Math.round(mean))} ± ${number(Math.round(deviation))}` : number(Math.round(mean));
}

/** A dot a game, a bar at the mean: lines to the right. */
function plot(shown) {
  const most = Math.max(LINES, ...shown.flatMap(({ games }) => games.map((game) => game.lines)));
  const x = (lines) => LEFT + (lines / most) * (WIDTH - LEFT - 16);
  const height = shown.length * ROW + 34;
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": t("compare.plot") });
  for (const lines of [0, 25, 50, 75, 100]) {
    drawing.append(
      svg("line", { class: "plot-grid", x1: x(lines), x2: x(lines), y1: 0, y2: height - 26 }),
      svg("text", { class: "plot-text", x: x(lines), y: height - 6 }, number(lines)),
    );
  }
  shown.forEach(({ player, games }, index) => {
    const y = index * ROW + ROW / 2;
    const mean = games.reduce((sum, game) => sum + game.lines, 0) / games.length;
    drawing.append(
      svg("text", { class: "plot-name", x: 0, y: y + 5 }, player.name()),
      svg("rect", { class: "plot-bar", x: x(0), y: y - 9, width: Math.max(1, x(mean) - x(0)), height: 18, rx: 3 }),
      ...games.map((game) => svg("circle", { class: "plot-dot", cx: x(game.lines), cy: y, r: 4 })),
    );
  });
  return drawing;
}
