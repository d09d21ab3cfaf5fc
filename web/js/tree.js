// The search tree as SVG: one row a move, one place a column, the chosen branch open.
//
// Hooks: .node[data-column][data-disc], data-chosen on the expected line, data-cut where alpha-beta cut.

import { drawDisc, other } from "./disc.js";
import { svg } from "./elements.js";
import { mayMove } from "./motion.js";
import { t } from "./words.js";
import { signed } from "./values.js";

const HEAD = 34;
const MOST_ROWS = 9;

/** Draws the tree of `thought` into `place` (empty without a thought). */
export function drawTree(place, thought, game) {
  place.replaceChildren();
  delete place.dataset.ply;
  place.setAttribute("aria-label", t("watch.no_decision"));
  if (!thought) return;
  const { decision, ply } = thought;
  place.dataset.ply = ply;
  place.dataset.column = decision.column;
  place.setAttribute("aria-label", t("tree.label", { disc: t(`disc.${decision.disc}`), column: decision.column, value: signed(decision.value) }));
  if (!decision.tree) return;
  const rows = openRows(decision);
  const plan = layOut(place, rows.length);
  const drawing = svg("svg", { viewBox: `0 0 ${plan.width} ${plan.height}`, width: plan.width, height: plan.height, "aria-hidden": "true" });
  drawing.append(places(plan), ...rows.flatMap((row, depth) => drawRow(row, depth, plan)));
  drawing.append(rootNode(decision.tree, plan), ...rows.map((row, depth) => rowLabel(row, depth, plan, decision, game)));
  place.append(drawing);
}

/** The children of the root, then of each chosen child: `[{parent, nodes}]`. The tree is shown only so deep; below, the
 *  rest of the expected line goes on without its siblings. */
function openRows({ tree, line, disc }) {
  const rows = [];
  let parent = tree;
  while (parent?.children?.length && rows.length < MOST_ROWS) {
    rows.push({ parent, nodes: parent.children });
    parent = parent.children.find((child) => child.chosen);
  }
  for (let depth = rows.length; parent && depth < Math.min(line.length, MOST_ROWS); depth += 1) {
    const node = { column: line[depth], disc: depth % 2 === 0 ? disc : other(disc), value: null, chosen: true, cut: false, children: [] };
    rows.push({ parent, nodes: [node] });
    parent = node;
  }
  return rows;
}

function layOut(place, rows) {
  const width = Math.max(300, place.clientWidth);
  // On a phone the tree may be as tall as it needs; on the big screen it has its frame.
  const height = Math.max(place.clientHeight, HEAD + 58 * (rows + 1));
  const gutter = width > 900 ? 170 : width > 560 ? 120 : 34;
  const slot = (width - gutter) / 7;
  const step = Math.min((height - HEAD) / (rows + 1), 150);
  const radius = Math.min(step * 0.3, slot * 0.4, 34);
  return {
    width,
    height: Math.min(height, HEAD + step * (rows + 1)),
    gutter,
    slot,
    step,
    radius,
    x: (column) => gutter + (column - 0.5) * slot,
    y: (depth) => HEAD + (depth + 0.5) * step,
  };
}

/** Faint lines: a place in the tree is a column of the board. */
function places(plan) {
  const group = svg("g", { class: "places" });
  for (let column = 1; column <= 7; column += 1) {
    const x = plan.x(column);
    group.append(svg("line", { x1: x, x2: x, y1: HEAD, y2: plan.height }), svg("text", { x, y: 20 }, String(column)));
  }
  if (plan.gutter > 60) group.append(svg("text", { class: "places-name", x: plan.gutter - 14, y: 20 }, t("tree.column")));
  return group;
}

function drawRow({ parent, nodes }, depth, plan) {
  const from = { x: depth === 0 ? plan.x(4) : plan.x(parent.column), y: plan.y(depth) };
  const late = mayMove() ? ` wave-${Math.min(depth, 8)}` : "";
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
  const start = from.y + plan.radius;
  const end = to.y - plan.radius;
  const middle = (start + end) / 2;
  const kind = node.chosen ? "edge chosen" : node.cut ? "edge cut" : "edge";
  return svg("path", {
    class: `${kind} edge-${node.disc}`,
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
  const radius = node.cut && node.value === null ? plan.radius * 0.62 : plan.radius;
  group.append(svg("circle", { r: radius }));
  if (node.cut && node.value === null) {
    const arm = radius * 0.42;
    group.append(svg("path", { class: "cross", d: `M${-arm} ${-arm}L${arm} ${arm}M${-arm} ${arm}L${arm} ${-arm}` }));
  } else if (node.value === null) {
    group.append(svg("g", { transform: `scale(${radius / 45})` }, drawDisc(node.disc)));
  } else {
    group.append(svg("text", { "font-size": textSize(signed(node.value), plan.radius) }, signed(node.value)));
  }
  return group;
}

/** Closed branches show that there is more below. */
function stubs(node, { x, y }, plan) {
  const group = svg("g", { class: "stubs" });
  const count = Math.min(node.children?.length ?? 0, 7);
  const reach = Math.min(plan.step * 0.5 - plan.radius * 0.2, plan.radius + 14);
  for (let index = 0; index < count; index += 1) {
    const angle = (index - (count - 1) / 2) * 0.24;
    group.append(svg("line", {
      x1: x + Math.sin(angle) * plan.radius,
      y1: y + Math.cos(angle) * plan.radius,
      x2: x + Math.sin(angle) * reach,
      y2: y + Math.cos(angle) * reach,
    }));
  }
  return group;
}

function rootNode(root, plan) {
  const group = svg("g", { class: "root", transform: `translate(${plan.x(4)} ${plan.y(0)})` });
  const words = `${t("tree.now")} ${signed(root.value)}`;
  const height = plan.radius * 1.5;
  const size = Math.min(18, height * 0.5);
  const width = size * (0.62 * words.length + 1.6);
  group.append(
    svg("rect", { x: -width / 2, y: -height / 2, width, height, rx: height / 2 }),
    svg("text", { "font-size": size }, words),
  );
  return group;
}

/** Who moves in this row, and which number that player takes. */
function rowLabel({ nodes }, depth, plan, decision, game) {
  const disc = nodes[0]?.disc ?? (depth % 2 === 0 ? decision.disc : other(decision.disc));
  const y = plan.y(depth + 1);
  const group = svg("g", { class: "row-label", transform: `translate(18 ${y})` });
  group.append(svg("g", { transform: "scale(0.33)" }, drawDisc(disc)));
  if (plan.gutter < 60) return group;
  const wide = plan.gutter > 150;
  const name = game[disc].level === null ? game[disc].name : t(`level.${game[disc].level}`);
  group.append(
    svg("text", { class: "row-name", x: 24, y: -3 }, wide ? name : t(`disc.${disc}`)),
    svg("text", { class: "row-rule", x: 24, y: 13 }, wide ? t(disc === decision.disc ? "tree.highest" : "tree.lowest") : t("tree.move", { n: depth + 1 })),
  );
  return group;
}

const textSize = (text, radius) => Math.min(radius * 0.8, (radius * 3.1) / Math.max(text.length, 2));
