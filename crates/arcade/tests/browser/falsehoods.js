// What is not true of what the big screen shows; run inside the page. Returns a list of sentences: a column that is called
// full and is not, values that differ between the picture and the bars, a bold branch that is not the best though nothing
// says so, numbers without words.

const wrong = [];
const words = (element) => [...element.querySelectorAll("text")].map((text) => text.textContent).join(" ").trim();
const discs = (column) => document.querySelectorAll(`#board-place g.disc[data-cell^="${column}-"]`).length;
const bars = [...document.querySelectorAll("#bars .bar")];
const bar = (column) => bars.find((bar) => bar.dataset.column === String(column));
if (bars.length !== 7) wrong.push(`${bars.length} bars`);
for (const { dataset } of bars)
  if (dataset.state === "full" && discs(dataset.column) < 6) wrong.push(`column ${dataset.column} is not full`);
for (const known of bars.filter(({ dataset }) => dataset.state === "known"))
  if (!/^(wins in|loses in|draw|even|ahead|behind)/.test(words(known))) wrong.push(`no words: ${words(known)}`);
const tree = document.querySelectorAll("#tree .nodes")[0];
for (const node of tree?.querySelectorAll(".node") ?? [])
  if (words(node) !== words(bar(node.dataset.column))) wrong.push(`tree says ${words(node)}, bar ${words(bar(node.dataset.column))}`);
for (const lane of document.querySelectorAll("#lanes .lane-end")) {
  const column = lane.parentElement.dataset.column;
  if (words(lane) !== words(bar(column))) wrong.push(`lane says ${words(lane)}, bar ${words(bar(column))}`);
}
const claims = [...document.querySelectorAll("#tree .row-rule")].map((rule) => rule.textContent);
const honest = document.getElementById("intent").hidden;
if (claims.length && honest !== (claims[0] === "the best for it")) wrong.push(`row says ${claims[0]}, intent ${!honest}`);
return wrong;
