// What keeps people from using a page, as far as a program can see it; run inside every page. Returns a list of sentences.
// The rules are WCAG 2.2, level AA, by their numbers.

const flaws = [];
const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const show = (element) => element.outerHTML.replace(/\s+/g, " ").slice(0, 120);

// 3.1.1, 2.4.2, 1.3.1: language, title, one main part, one heading of the page, no level left out.
if (!/^(en|de)$/.test(document.documentElement.lang)) flaws.push("the page has no language");
if (!document.title.trim()) flaws.push("the page has no title");
if (document.querySelectorAll("main").length !== 1) flaws.push("the page has no main part");
const headings = [...document.querySelectorAll("h1, h2, h3, h4")].filter(seen);
if (headings.filter((heading) => heading.tagName === "H1").length !== 1) flaws.push("the page has not one h1");
headings.reduce((last, heading) => {
  const level = Number(heading.tagName[1]);
  if (level > last + 1) flaws.push(`a heading level is left out before ${show(heading)}`);
  return level;
}, 0);

// 3.1.2: every text is in a language; a key that stands there itself has no words.
for (const element of document.querySelectorAll("main *, header *")) {
  const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent.trim()).join("");
  if (/^[a-z]+(\.[a-z_0-9-]+)+$/.test(own) && !element.closest("code, pre, script, input, [data-key]")) flaws.push(`no words for ${own}`);
}

// 4.1.1: what is referred to exists, once.
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) flaws.push(`id ${id} is there twice`);
for (const element of document.querySelectorAll("[aria-labelledby], [aria-describedby], label[for]")) {
  const references = ["aria-labelledby", "aria-describedby", "for"].flatMap((name) => (element.getAttribute(name) ?? "").split(/\s+/));
  for (const id of references.filter(Boolean)) if (!document.getElementById(id)) flaws.push(`no #${id} for ${show(element)}`);
}

// 4.1.2, 1.1.1: controls and pictures have names.
for (const control of [...document.querySelectorAll("button, input, select, a[href], [role=img], img, [role=group], dialog")].filter(seen)) {
  const labelled = (control.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join("");
  const decoration = control.tagName === "IMG" && control.getAttribute("alt") === "";
  const name = [control.getAttribute("aria-label"), labelled, control.getAttribute("alt"), control.labels?.[0]?.textContent,
    control.tagName === "INPUT" ? "" : control.textContent].join("").trim();
  if (!name && !decoration) flaws.push(`no name: ${show(control)}`);
}

// 2.5.8: what is touched is at least 24 pixels in both directions, unless it stands in a sentence.
for (const control of [...document.querySelectorAll("button, select, input:not([type=radio])")].filter(seen)) {
  const { width, height } = control.getBoundingClientRect();
  if (width < 24 || height < 24) flaws.push(`too small to touch (${width} × ${height}): ${show(control)}`);
}

// 1.4.3: text stands out from its ground: 4.5 to 1, large text 3 to 1.
const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
const linear = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
const over = ([r, g, b, a = 1], ground) => [r, g, b].map((value, index) => value * a + ground[index] * (1 - a));
function groundOf(element) {
  if (!element) return [255, 255, 255];
  const colour = channels(getComputedStyle(element).backgroundColor);
  if ((colour[3] ?? 1) === 1) return colour;
  return over(colour, groundOf(element.parentElement));
}
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const judged = new Set();
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const idle = element.closest(":disabled, [aria-disabled=true], svg, script, noscript, option, .unseen, .skip");
  if (!walker.currentNode.textContent.trim() || judged.has(element) || idle || !seen(element)) continue;
  judged.add(element);
  const style = getComputedStyle(element);
  const ground = groundOf(element);
  const [light, dark] = [luminance(over(channels(style.color), ground)), luminance(ground)].sort((a, b) => b - a);
  const ratio = (light + 0.05) / (dark + 0.05);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (large ? 3 : 4.5)) flaws.push(`contrast ${ratio.toFixed(2)}: ${show(element)}`);
}
return flaws;
