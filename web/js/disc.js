// Discs. Red carries a light star, yellow a dark ring: nobody needs to tell the colours apart.

import { svg } from "./elements.js";

/** The disc that moves after `disc`. */
export const other = (disc) => (disc === "red" ? "yellow" : "red");

/** A disc of radius 45 around the origin, to be moved with a transform. */
export function drawDisc(disc, attributes = {}) {
  const emblem =
    disc === "red"
      ? svg("path", { class: "disc-emblem", d: "M0-25Q4-4 25 0Q4 4 0 25Q-4 4-25 0Q-4-4 0-25Z" })
      : svg("circle", { class: "disc-emblem", r: 17, "stroke-width": 8 });
  return svg(
    "g",
    { ...attributes, class: `disc disc-${disc} ${attributes.class ?? ""}`.trim() },
    svg("circle", { class: "disc-face", r: 45 }),
    svg("circle", { class: "disc-edge", r: 36, "stroke-width": 4 }),
    emblem,
  );
}

/** A small disc for running text. */
export function discMark(disc) {
  return svg("svg", { class: "disc-mark", viewBox: "-46 -46 92 92", "aria-hidden": "true" }, drawDisc(disc));
}

/** The cells that `moves` (columns, red first) fill, in order. */
export function cellsOf(moves) {
  const heights = new Map();
  return moves.map((column, index) => {
    const row = (heights.get(column) ?? 0) + 1;
    heights.set(column, row);
    return { column, row, disc: index % 2 === 0 ? "red" : "yellow" };
  });
}
