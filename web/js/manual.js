// A page of the manual (/docs): its search and its contents. The text itself comes from the server and needs no script.
//
// Hooks: #manual-words, #manual-found a, #manual-count[data-count], #manual-contents[open].

import { byId, el } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { onLanguage, t } from "./words.js";

/** More would not be read. */
const SHOWN = 20;
/** Letters before and after the first word that is found. */
const AROUND = 70;

mountMasthead({ manual: true });
const heading = document.querySelector("main h1");
const words = byId("manual-words");
const found = byId("manual-found");
const count = byId("manual-count");
const contents = byId("manual-contents");
contents.open = window.matchMedia("(min-width: 60rem)").matches;
let sections = null;
let loading = null;
// The words whose sections are shown; null to show them again.
let drawn = "";

name();
onLanguage(() => {
  name();
  drawn = null;
  search();
});
words.addEventListener("input", search);
byId("manual-search").addEventListener("submit", (event) => {
  event.preventDefault();
  found.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  const writes = event.target.closest("input, textarea, select");
  if (event.key === "/" && !writes) {
    event.preventDefault();
    words.focus();
  } else if (event.key === "Escape" && (writes === words || found.contains(event.target))) {
    words.value = "";
    search();
    words.focus();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !found.hidden) {
    const stops = [words, ...found.querySelectorAll("a")];
    const next = stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    if (stops.includes(document.activeElement) && stops[next]) {
      event.preventDefault();
      stops[next].focus();
    }
  }
});

function name() {
  document.title = `${heading.textContent} · Gamebot`;
}

async function search() {
  if (words.value.trim() && sections === null) {
    try {
      loading ??= fetch("search.json").then((answer) => answer.json());
      sections = await loading;
    } catch {
      loading = null;
      count.textContent = t("manual.no_index");
      return;
    }
  }
  const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  // Several letters may have waited for the index together. What is found is drawn once: somebody may stand in it already.
  if (asked.join(" ") === drawn) return;
  drawn = asked.join(" ");
  const hits = asked.length === 0 ? [] : ranked(asked);
  found.replaceChildren(...hits.slice(0, SHOWN).map((section) => entry(section, asked)));
  found.hidden = hits.length === 0;
  count.dataset.count = hits.length;
  count.textContent = asked.length === 0 ? "" : t("manual.found", { count: hits.length });
}

/** Sections that hold every word, the best first. */
function ranked(asked) {
  return sections
    .map((section, order) => ({ section, order, worth: worth(section, asked) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || a.order - b.order)
    .map(({ section }) => section);
}

/** 0 if a word is missing; headings count most, beginnings of words more than their middles. */
function worth(section, asked) {
  let sum = 0;
  for (const word of asked) {
    const inTitle = match(`${section.chapter} ${section.heading}`, word) * 10;
    const inText = match(section.text, word);
    if (inTitle + inText === 0) return 0;
    sum += inTitle + inText;
  }
  return sum;
}

function match(text, word) {
  const lower = text.toLowerCase();
  const at = lower.indexOf(word);
  if (at < 0) return 0;
  const begins = at === 0 || lower.includes(` ${word}`) || !/[\p{L}\p{N}]/u.test(lower[at - 1]);
  return begins ? 2 : 1;
}

function entry(section, asked) {
  const address = section.page + (section.anchor && `#${section.anchor}`);
  const title = section.heading && section.heading !== section.chapter ? `${section.chapter}: ${section.heading}` : section.chapter;
  return el("li", {}, el("a", { href: address }, el("strong", {}, title), el("span", { class: "small" }, ...snippet(section.text, asked))));
}

/** The text around the first word that is found, with all of them marked. */
function snippet(text, asked) {
  const lower = text.toLowerCase();
  const places = asked.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const near = Math.max(0, Math.min(...(places.length ? places : [0])) - AROUND);
  // From the beginning of a word.
  const from = near === 0 ? 0 : text.indexOf(" ", near) + 1;
  const part = text.slice(from, from + 2 * AROUND);
  const pattern = new RegExp(`(${asked.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  const pieces = part.split(pattern).map((piece, at) => (at % 2 ? el("mark", {}, piece) : piece));
  return [from > 0 ? "…" : "", ...pieces, from + part.length < text.length ? "…" : ""];
}
