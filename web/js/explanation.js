// A short loop of captions that replaces the guide; each points at the part it explains.

import { byId, el } from "./elements.js";
import { onLanguage, t } from "./words.js";

const CAPTIONS = 5;
const CAPTION_MS = 11_000;

/** Wires the loop; `run(true)` starts it, `run(false)` stops it. */
export function mountExplanation() {
  let current = 1;
  let timer = 0;
  byId("explain-dots").append(...Array.from({ length: CAPTIONS }, () => el("li")));

  function show() {
    byId("explain-title").textContent = t(`explain.${current}.title`);
    byId("explain-text").textContent = t(`explain.${current}.text`);
    document.body.dataset.explain = current;
    [...byId("explain-dots").children].forEach((dot, index) => dot.classList.toggle("on", index + 1 === current));
  }

  function run(on) {
    if (on === (timer !== 0)) return;
    clearInterval(timer);
    timer = on ? setInterval(() => ((current = (current % CAPTIONS) + 1), show()), CAPTION_MS) : 0;
    if (on) show();
  }

  onLanguage(show);
  return { run };
}
