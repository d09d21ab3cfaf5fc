// The tree of the search that decided, as SVG: one row a move, one place a column, the chosen branch open.
//
// Hooks: #tree[data-ply][data-column]; .node[data-column][data-disc], data-chosen on the expected line; .stub.cut below a
//   closed branch for each answer that alpha-beta left out.

import { drawDisc, other } from "./disc.js";
import { svg } from "./elements.js";
import { mayMove } from "./motion.js";
import { outcomeDetail, outcomeWord, outlookWords } from "./outlook.js";
import { t } from "./words.js";

/** Rows that can be read from afar; the rest of the expected line is numbered on the board. */
const MOST_ROWS = 3;
const PHONE = 700;

/** Draws the tree of `thought` into `place` (empty without one). */
export function drawTree(place, thought, game) {
  place.replaceChildren();
  delete place.dataset.ply;
  place.setAttribute("aria-label", t("watch.no_decision"));
  if (!thought?.decision.tree) return;
  const { decision, ply } = thought;
  place.dataset.ply = ply;
  place.dataset.column = decision.column;
  const value = outlookWords(decision.tree.outlook);
  place.setAttribute("aria-label", t("tree.label", { disc: t(`disc.${decision.disc}`), column: decision.column, value }));
  const rows = openRows(decision.tree);
  const plan = layOut(place, rows.length);
  const drawing = svg("svg", { viewBox: `0 0 ${plan.width} ${plan.height}`, width: plan.width, height: plan.height, "aria-hidden": "true" });
  drawing.append(places(plan), ...rows.flatMap((row, depth) => drawRow(row, depth, plan)));
  drawing.append(rootNode(decision, plan), ...rows.map((row, depth) => rowLabel(depth, plan, decision, game)));
  place.append(drawing);
}

/** The children of the root, then of each chosen child: `[{parent, nodes}]`. */
function openRows(tree) {
  const rows = [];
  let parent = tree;
  while (parent?.children?.length && rows.length < MOST_ROWS) {
    rows.push({ parent, nodes: parent.children });
    parent = parent.children.find((child) => child.chosen);
  }
  return rows;
}

function layOut(place, rows) {
  const width = Math.max(300, place.clientWidth);
  const small = width < PHONE;
  // One unit is one line of small type; the big screen's root size sets it.
  const unit = small ? 11 : parseFloat(getComputedStyle(document.documentElement).fontSize);
  const head = 1.7 * unit;
  const height = small ? head + 5.4 * unit * (rows + 1) : Math.max(place.clientHeight, head + 4 * unit * (rows + 1));
  const gutter = small ? 28 : 9.7 * unit;
  const slot = (width - gutter) / 7;
  const step = (height - head) / (rows + 0.62);
  return {
    width, height, head, gutter, slot, step, unit, small,
    half: { x: Math.min(slot * 0.46, 3.6 * unit), y: 1.32 * unit },
    x: (column) => gutter + (column - 0.5) * slot,
    y: (depth) => head + (depth + 0.31) * step,
  };
}

/** Faint lines: a place in the tree is a column of the board. */
function places(plan) {
  const group = svg("g", { class: "places" });
  const y = plan.unit;
  for (let column = 1; column <= 7; column += 1) {
    const x = plan.x(column);
    group.append(svg("line", { x1: x, x2: x, y1: plan.head, y2: plan.height }), svg("text", { x, y, "font-size": plan.unit }, String(column)));
  }
  if (!plan.small) group.append(svg("text", { class: "places-name", x: plan.gutter - plan.unit, y, "font-size": plan.unit }, t("tree.column")));
  return group;
}

function drawRow({ parent, nodes }, depth, plan) {
  const from = { x: depth === 0 ? plan.x(4) : plan.x(parent.column), y: plan.y(depth) };
  const late = mayMove() ? ` wave-${Math.min(depth, 4)}` : "";
  const edges = svg("g", { class: `edges${late}` });
  const discs = svg("g", { class: `nodes${late}` });
  for (const node of nodes) {
    const to = { x: plan.x(node.column), y: plan.y(depth + 1) };
    edges.append(edge(from, to, node, plan));
    if (!node.chosen) discs.append(stubs(node, to, plan));
    discs.append(nodeAt(node, to, plan));
  }
  // The chosen edge lies on top.
  const chosen = edges.querySelector(".edge.chosen");
  if (chosen) edges.append(chosen);
  return [edges, discs];
}

function edge(from, to, node, plan) {
  const start = from.y + plan.half.y;
  const end = to.y - plan.half.y;
  const middle = (start + end) / 2;
  return svg("path", {
    class: `${node.chosen ? "edge chosen" : node.cut ? "edge cut" : "edge"} edge-${node.disc}`,
    d: `M${from.x} ${start}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${end}`,
  });
}

function nodeAt(node, { x, y }, plan) {
  const group = svg("g", {
    class: `node node-${node.disc}`,
    transform: `translate(${x} ${y})`,
    "data-column": node.column,
    "data-disc": node.disc,
    "data-chosen": node.chosen,
    "data-cut": node.cut,
  });
  group.append(pill(plan, node.cut ? "–" : outcomeWord(node.outlook), bounded(node)));
  return group;
}

/** A search that stopped early knows only a limit. */
function bounded(node) {
  const detail = outcomeDetail(node.outlook);
  if (!node.outlook || node.outlook.kind !== "open" || node.known === "exactly") return detail;
  return t(node.known === "at_most" ? "outlook.at_most" : "outlook.at_least", { value: detail });
}

function pill(plan, word, detail) {
  const { x, y } = plan.half;
  const size = plan.small ? plan.unit * 0.9 : plan.unit;
  return svg("g", {},
    svg("rect", { x: -x, y: -y, width: 2 * x, height: 2 * y, rx: y }),
    svg("text", { class: "node-word", "font-size": size * (detail ? 1 : 1.1), y: detail ? -0.55 * size : 0 }, word),
    svg("text", { class: "node-detail", "font-size": size, y: 0.58 * size }, detail));
}

/** Closed branches show how many answers lie below, and which of them were never looked at. */
function stubs(node, { x, y }, plan) {
  const group = svg("g", { class: "stubs" });
  const children = node.children ?? [];
  const reach = Math.min(plan.step * 0.36, 2.6 * plan.unit);
  children.forEach((child, index) => {
    const lean = (index - (children.length - 1) / 2) * 0.27;
    const [right, down] = [Math.sin(lean), Math.cos(lean)];
    const start = y + plan.half.y;
    group.append(svg("line", {
      class: child.cut ? "stub cut" : "stub",
      x1: x + right * plan.unit,
      y1: start,
      x2: x + right * (plan.unit + reach),
      y2: start + down * (reach - plan.unit * 0.4),
    }));
  });
  return group;
}

function rootNode({ tree, disc }, plan) {
  const group = svg("g", { class: `root root-${disc}`, transform: `translate(${plan.x(4)} ${plan.y(0)})` });
  const words = `${t("tree.now")}: ${outlookWords(tree.outlook)}`;
  const size = plan.unit * (plan.small ? 1.1 : 1.2);
  const width = size * (0.56 * words.length + 2);
  group.append(
    svg("rect", { x: -width / 2, y: -plan.half.y, width, height: 2 * plan.half.y, rx: plan.half.y }),
    svg("text", { "font-size": size }, words),
  );
  return group;
}

/** Who moves in this row, and which value that player takes. */
function rowLabel(depth, plan, decision, game) {
  const mine = depth % 2 === 0;
  const disc = mine ? decision.disc : other(decision.disc);
  const group = svg("g", { class: "row-label", transform: `translate(${plan.small ? 14 : plan.unit} ${plan.y(depth + 1)})` });
  group.append(svg("g", { transform: `scale(${plan.unit / 55})` }, drawDisc(disc)));
  if (plan.small) return group;
  const name = game[disc].level === null ? game[disc].name : t(`level.${game[disc].level}`);
  // Where the machine slipped it did not take the best; nothing on the screen may say so.
  const took = depth === 0 && decision.intent !== "best" ? `tree.${decision.intent}` : mine ? "tree.highest" : "tree.lowest";
  group.append(
    svg("text", { class: "row-name", x: 1.3 * plan.unit, y: -0.25 * plan.unit, "font-size": plan.unit }, name),
    svg("text", { class: "row-rule", x: 1.3 * plan.unit, y: 0.95 * plan.unit, "font-size": plan.unit }, t(took)),
  );
  return group;
}
