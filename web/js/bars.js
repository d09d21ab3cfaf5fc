// One bar a column: up is good for whoever moves, down is bad; what it means stands beside it in words.
//
// Hooks: .bar[data-column][data-state=known|full|unknown], data-chosen on the column that was played.

import { svg } from "./elements.js";
import { outcomeDetail, outcomeWord, outlookWords } from "./outlook.js";
import { t } from "./words.js";

const WIDTH = 740;
const HEIGHT = 232;
const LINE = 28;
const LABEL = 2 * LINE + 8;
const SHORTEST = 5;

/** Draws the values of all columns into `place`, in line with a board of the same width. */
export function drawBars(place, thought) {
  place.replaceChildren();
  delete place.dataset.ply;
  place.setAttribute("aria-label", t("watch.no_decision"));
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  place.append(drawing);
  if (!thought) return void drawing.append(zeroLine(HEIGHT - 2));
  const { columns, column: chosen, disc } = thought.decision;
  place.dataset.ply = thought.ply;
  place.setAttribute("aria-label", t("bars.label", {
    columns: columns.map((entry) => t("bars.value", { column: entry.column, value: stateWords(entry) })).join(", "),
  }));
  const scale = scaleOf(columns.map(({ value }) => value).filter((value) => value !== null));
  drawing.append(zeroLine(scale.zero));
  const size = typeSize(place);
  for (const entry of columns) drawing.append(bar(entry, entry.column === chosen ? disc : null, scale, size));
}

/** The page's own size in units of the drawing, as far as seven words fit beside each other. */
function typeSize(place) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.max(20, Math.min(27, (rem * WIDTH) / Math.max(place.clientWidth, 1)));
}

const zeroLine = (y) => svg("line", { class: "zero", x1: 20, x2: WIDTH - 20, y1: y, y2: y });

/** A column may be full, or its value may not have been asked for: these are not the same. */
const stateOf = ({ value, full }) => (full ? "full" : value === null ? "unknown" : "known");

function stateWords(entry) {
  const state = stateOf(entry);
  return state === "known" ? outlookWords(entry.outlook) : t(`bars.${state}`);
}

/** Roots keep small differences visible beside a sure win. */
function scaleOf(values) {
  const high = Math.sqrt(Math.max(0, ...values));
  const low = Math.sqrt(Math.max(0, ...values.map((value) => -value)));
  const up = values.some((value) => value >= 0) || values.length === 0;
  const down = values.some((value) => value < 0);
  const room = HEIGHT - (up ? LABEL : 6) - (down ? LABEL : 6);
  const unit = room / Math.max(high + low, 1e-9);
  const zero = (up ? LABEL : 6) + (high + low === 0 ? room : high * unit);
  return { zero, length: (value) => Math.max(SHORTEST, Math.sqrt(Math.abs(value)) * (high + low === 0 ? 0 : unit)) };
}

function bar(entry, disc, scale, size) {
  const { column, value, outlook } = entry;
  const x = 20 + (column - 0.5) * 100;
  const state = stateOf(entry);
  const group = svg("g", { class: "bar", "data-column": column, "data-state": state, "data-chosen": disc !== null });
  if (state !== "known") {
    group.append(svg("text", { class: "bar-word", x, y: scale.zero - 10, "font-size": size }, state === "full" ? t("bars.full") : "?"));
    return group;
  }
  const length = scale.length(value);
  const up = value >= 0;
  group.classList.add(up ? "up" : "down");
  if (disc) group.classList.add(`bar-${disc}`);
  const top = up ? scale.zero - length - LINE - 8 : scale.zero + length + LINE - 3;
  group.append(
    svg("rect", { x: x - 30, y: up ? scale.zero - length : scale.zero, width: 60, height: length, rx: 6 }),
    svg("text", { class: "bar-word", x, y: top, "font-size": size }, outcomeWord(outlook)),
    svg("text", { class: "bar-detail", x, y: top + LINE, "font-size": size }, outcomeDetail(outlook)),
  );
  return group;
}
