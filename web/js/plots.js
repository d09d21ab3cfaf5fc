// Figures as pictures: games by the hour of the day, and by how many discs they took.
//
// Hooks: .plot-bar[data-at][data-count].

import { svg } from "./elements.js";
import { number, t } from "./words.js";

const WIDTH = 720;
const HEIGHT = 220;
const LEFT = 44;
const BOTTOM = 30;
const TOP = 14;

/** Draws `counts` (a number for each place from 0 on) into `place`; only from the first to the last that is not 0, and
 *  `labels(at)` names the places that get a label. `title` says it in words. */
export function drawPlot(place, counts, { labels, title }) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  place.hidden = total === 0;
  if (total === 0) return void place.replaceChildren();
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0);
  const shown = counts.slice(first, last + 1);
  const most = Math.max(...shown);
  const step = (WIDTH - LEFT) / shown.length;
  const y = (count) => HEIGHT - BOTTOM - (count / most) * (HEIGHT - BOTTOM - TOP);
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words(counts, title) });
  for (const count of gridOf(most)) {
    drawing.append(
      svg("line", { class: "plot-grid", x1: LEFT, x2: WIDTH, y1: y(count), y2: y(count) }),
      svg("text", { class: "plot-text plot-end", x: LEFT - 8, y: y(count) + 5 }, number(count)),
    );
  }
  shown.forEach((count, index) => {
    const at = first + index;
    const x = LEFT + (index + 0.5) * step;
    const width = Math.min(step * 0.8, 46);
    drawing.append(svg("rect", { class: "plot-bar", "data-at": at, "data-count": count, x: x - width / 2, y: y(count), width, height: HEIGHT - BOTTOM - y(count), rx: 2 }));
    const label = labels(at, step);
    if (label) drawing.append(svg("text", { class: "plot-text", x, y: HEIGHT - 8 }, label));
  });
  place.replaceChildren(drawing);
}

/** Two or three round numbers up to the largest. */
function gridOf(most) {
  if (most <= 3) return [...Array(most + 1).keys()];
  const size = 10 ** Math.floor(Math.log10(most / 2));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((candidate) => most / candidate <= 3.5);
  return [...Array(Math.floor(most / step) + 1).keys()].map((index) => index * step);
}

function words(counts, title) {
  const told = counts.flatMap((count, at) => (count ? [t("plot.entry", { at, n: number(count) })] : []));
  return `${title}: ${told.join(", ")}`;
}
