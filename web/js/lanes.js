// What an exact solver knows: how each column ends if nobody errs. One chain of discs a column, as long as the game would
// still last, and at its end who wins.
//
// Hooks: #lanes[data-ply][data-column]; .lane[data-column][data-end=wins|loses|draw|unknown|full], data-chosen.

import { other } from "./disc.js";
import { svg } from "./elements.js";
import { discsToTheEnd, outcomeDetail, outcomeWord, outlookWords } from "./outlook.js";
import { t } from "./words.js";

const CELLS = 42;
const PHONE = 700;

/** Draws the exact values of `thought` into `place`. */
export function drawLanes(place, thought) {
  place.replaceChildren();
  delete place.dataset.ply;
  if (!thought) return;
  const { decision, ply } = thought;
  place.dataset.ply = ply;
  place.dataset.column = decision.column;
  place.setAttribute("aria-label", t("lanes.label", {
    columns: decision.columns.map((entry) => t("bars.value", { column: entry.column, value: wordsOf(entry) })).join(", "),
  }));
  const left = CELLS - (ply - 1);
  const plan = layOut(place, decision, left);
  const drawing = svg("svg", { viewBox: `0 0 ${plan.width} ${plan.height}`, width: plan.width, height: plan.height, "aria-hidden": "true" });
  drawing.append(scale(plan), ...decision.columns.map((entry) => lane(entry, decision, left, plan)));
  place.append(drawing);
}

function endOf(entry) {
  if (entry.full) return "full";
  return entry.outlook ? entry.outlook.kind : "unknown";
}

function wordsOf(entry) {
  const end = endOf(entry);
  return end === "full" || end === "unknown" ? t(`bars.${end}`) : outlookWords(entry.outlook);
}

function layOut(place, { columns }, left) {
  const width = Math.max(300, place.clientWidth);
  const small = width < PHONE;
  const unit = small ? 11 : parseFloat(getComputedStyle(document.documentElement).fontSize);
  const height = small ? 38 * unit : Math.max(place.clientHeight, 18 * unit);
  const gutter = small ? 4 : 7.2 * unit;
  const top = 1.9 * unit;
  const longest = Math.max(1, ...columns.map((entry) => discsToTheEnd(entry.outlook, left) ?? 0));
  return {
    width, height, gutter, unit, top, small, longest,
    slot: (width - gutter) / 7,
    step: (height - top - 3.4 * unit) / Math.max(longest, 6),
    x: (column) => gutter + (column - 0.5) * ((width - gutter) / 7),
  };
}

/** How far away the end is: now at the top, later below. */
function scale(plan) {
  const group = svg("g", { class: "places" });
  if (plan.small) return group;
  const bottom = plan.top + plan.longest * plan.step;
  const x = plan.gutter - plan.unit;
  group.append(
    svg("text", { class: "places-name", x, y: plan.unit, "font-size": plan.unit }, t("tree.column")),
    svg("text", { class: "places-name", x, y: plan.top + plan.unit, "font-size": plan.unit }, t("lanes.now")),
    svg("text", { class: "places-name", x, y: bottom + plan.unit * 0.4, "font-size": plan.unit }, t("lanes.later", { discs: plan.longest })),
    svg("line", { class: "lanes-axis", x1: x - plan.unit, x2: x - plan.unit, y1: plan.top + 1.6 * plan.unit, y2: bottom - plan.unit }),
  );
  return group;
}

function lane(entry, decision, left, plan) {
  const chosen = entry.column === decision.column;
  const end = endOf(entry);
  const x = plan.x(entry.column);
  const group = svg("g", { class: "lane", "data-column": entry.column, "data-end": end, "data-chosen": chosen });
  const discs = discsToTheEnd(entry.outlook, left) ?? 0;
  const bottom = plan.top + discs * plan.step;
  if (chosen) group.append(svg("rect", { class: "lane-ground", x: x - plan.slot * 0.48, y: 0, width: plan.slot * 0.96, height: plan.height, rx: plan.unit }));
  group.append(svg("text", { class: "lane-number", x, y: plan.unit, "font-size": plan.unit }, String(entry.column)));
  const radius = Math.min(plan.step * 0.44, plan.unit * 0.6);
  for (let index = 0; index < discs; index += 1) {
    const disc = index % 2 === 0 ? decision.disc : other(decision.disc);
    group.append(svg("circle", { class: `link link-${disc}`, cx: x, cy: plan.top + (index + 0.5) * plan.step, r: radius }));
  }
  group.append(endMark(entry, end, decision, { x, y: bottom + 1.5 * plan.unit }, plan));
  return group;
}

function endMark(entry, end, decision, { x, y }, plan) {
  const winner = end === "wins" ? decision.disc : end === "loses" ? other(decision.disc) : "nobody";
  const half = { x: Math.min(plan.slot * 0.46, 3.6 * plan.unit), y: 1.32 * plan.unit };
  const known = end !== "full" && end !== "unknown";
  const word = known ? outcomeWord(entry.outlook) : end === "full" ? t("bars.full") : "?";
  const detail = known ? outcomeDetail(entry.outlook) : "";
  const size = plan.small ? plan.unit * 0.9 : plan.unit;
  return svg("g", { class: `lane-end lane-end-${winner}`, transform: `translate(${x} ${y})` },
    svg("rect", { x: -half.x, y: -half.y, width: 2 * half.x, height: 2 * half.y, rx: half.y }),
    svg("text", { class: "node-word", "font-size": size, y: detail ? -0.55 * size : 0 }, word),
    svg("text", { class: "node-detail", "font-size": size, y: 0.58 * size }, detail));
}
