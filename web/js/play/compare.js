// Compares players on the same pieces: statistics and a plot that grow game by game (P5).

import { byId, el, svg } from "../elements.js";
import { number, onLanguage, t } from "../words.js";
import { Thinker } from "./thinker.js";

const GAMES = 10;
const LINES = 100;
const WIDTH = 720;
const ROW = 40;
const LEFT = 132;

/** Fills the part of the page; `settings()` gives the choices, or nothing while they are wrong. */
export function mountCompare(players, settings) {
  const thinker = new Thinker();
  let results = new Map();
  const boxes = byId("compare-players");
  boxes.append(...players.map((player) => el("label", { class: "chip" }, el("input", { type: "checkbox", value: player, checked: true }), el("span", { "data-t": `player.${player}` }, t(`player.${player}`)))));
  byId("compare").addEventListener("click", () => (thinker.busy ? thinker.stop() : run()));
  onLanguage(render);

  async function run() {
    const chosen = [...boxes.querySelectorAll("input:checked")].map((box) => box.value);
    results = new Map(chosen.map((player) => [player, []]));
    const choices = settings();
    if (!choices || !chosen.length) return;
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    byId("compare").textContent = t("compare.stop");
    try {
      for (let index = 0; index < GAMES; index++) {
        for (const player of chosen) {
          byId("compare-note").textContent = t("compare.running", { game: index + 1, games: GAMES, player: t(`player.${player}`) });
          results.get(player).push(await thinker.ask({ ask: "tetris-compare", choices: { ...choices, seed: (seed + index) >>> 0 }, player, lines: LINES }));
          render();
        }
      }
      byId("compare-note").textContent = t("compare.done", { games: GAMES, seed });
    } catch {
      byId("compare-note").textContent = t("compare.stopped");
    }
    byId("compare").textContent = t("compare.start");
  }

  function render() {
    const shown = [...results].filter(([, games]) => games.length);
    byId("compare-table").hidden = shown.length === 0;
    byId("compare-rows").replaceChildren(...shown.map(([player, games]) => el(
      "tr",
      { "data-player": player },
      el("th", { scope: "row" }, t(`player.${player}`)),
      el("td", {}, number(games.length)),
      el("td", {}, spread(games.map((game) => game.lines))),
      el("td", {}, spread(games.map((game) => game.score))),
      el("td", {}, number(games.filter((game) => game.died).length)),
    )));
    byId("compare-plot").replaceChildren(...(shown.length ? [plot(shown)] : []));
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
  const most = Math.max(LINES, ...shown.flatMap(([, games]) => games.map((game) => game.lines)));
  const x = (lines) => LEFT + (lines / most) * (WIDTH - LEFT - 16);
  const height = shown.length * ROW + 34;
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": t("compare.plot") });
  for (const lines of [0, 25, 50, 75, 100]) {
    drawing.append(
      svg("line", { class: "plot-grid", x1: x(lines), x2: x(lines), y1: 0, y2: height - 26 }),
      svg("text", { class: "plot-text", x: x(lines), y: height - 6 }, number(lines)),
    );
  }
  shown.forEach(([player, games], index) => {
    const y = index * ROW + ROW / 2;
    const mean = games.reduce((sum, game) => sum + game.lines, 0) / games.length;
    drawing.append(
      svg("text", { class: "plot-name", x: 0, y: y + 5 }, t(`player.${player}`)),
      svg("rect", { class: "plot-bar", x: x(0), y: y - 9, width: Math.max(1, x(mean) - x(0)), height: 18, rx: 3 }),
      ...games.map((game) => svg("circle", { class: "plot-dot", cx: x(game.lines), cy: y, r: 4 })),
    );
  });
  return drawing;
}
