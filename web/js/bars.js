// One bar a column: up is good for the machine, down is bad.
//
// Hooks: .bar[data-column], data-chosen on the column that was played.

import { svg } from "./elements.js";
import { signed } from "./values.js";
import { t } from "./words.js";

const WIDTH = 740;
const HEIGHT = 190;
const LABEL = 26;
const SHORTEST = 5;

/** Draws the values of all columns into `place`, in line with a board of the same width. */
export function drawBars(place, thought) {
  place.replaceChildren();
  place.setAttribute("aria-label", t("watch.no_decision"));
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  place.append(drawing);
  if (!thought) return void drawing.append(svg("line", { class: "zero", x1: 20, x2: WIDTH - 20, y1: HEIGHT - 2, y2: HEIGHT - 2 }));
  const { columns, column: chosen, disc } = thought.decision;
  place.dataset.ply = thought.ply;
  place.setAttribute("aria-label", t("bars.label", {
    columns: columns.map(({ column, value }) => t("bars.value", { column, value: value === null ? t("bars.full") : signed(value) })).join(", "),
  }));
  const scale = scaleOf(columns.map(({ value }) => value).filter((value) => value !== null));
  drawing.append(svg("line", { class: "zero", x1: 20, x2: WIDTH - 20, y1: scale.zero, y2: scale.zero }));
  for (const { column, value } of columns) drawing.append(bar(column, value, column === chosen ? disc : null, scale));
}

/** Roots keep small differences visible beside a sure win. */
function scaleOf(values) {
  const high = Math.sqrt(Math.max(0, ...values));
  const low = Math.sqrt(Math.max(0, ...values.map((value) => -value)));
  const room = HEIGHT - 2 * LABEL;
  const unit = room / Math.max(high + low, 1e-9);
  const zero = LABEL + (high + low === 0 ? room : high * unit);
  return { zero, length: (value) => Math.max(SHORTEST, Math.sqrt(Math.abs(value)) * (high + low === 0 ? 0 : unit)) };
}

function bar(column, value, disc, scale) {
  const x = 20 + (column - 0.5) * 100;
  if (value === null) return svg("text", { class: "bar-value full", x, y: scale.zero - 10 }, t("bars.full"));
  const length = scale.length(value);
  const up = value >= 0;
  return svg(
    "g",
    { class: `bar ${up ? "up" : "down"} ${disc ? `bar-${disc}` : ""}`, "data-column": column, "data-chosen": disc !== null },
    svg("rect", { x: x - 30, y: up ? scale.zero - length : scale.zero, width: 60, height: length, rx: 6 }),
    svg("text", { class: "bar-value", x, y: up ? scale.zero - length - 8 : scale.zero + length + 21 }, signed(value)),
  );
}
