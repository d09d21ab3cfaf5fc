// A short loop of captions that replaces the guide. A caption is shown only while what it explains is on the screen; it
// points at the part it explains. The arrow keys turn it by hand.
//
// Hooks: body[data-explain] is the caption's key; #explain-title, #explain-text.

import { byId, el } from "./elements.js";
import { onLanguage, t } from "./words.js";

const CAPTION_MS = 11_000;

/** Key, what must be on the screen for it, and the part that it points at. */
export const CAPTIONS = [
  { key: "finale", needs: "#finale:not([hidden])", part: "invite" },
  { key: "people", needs: "#thought[data-kind=comment]", part: "thought" },
  { key: "slip", needs: "#intent[data-intent=slip]:not([hidden])", part: "thought" },
  { key: "yields", needs: "#intent[data-intent=yields]:not([hidden])", part: "thought" },
  { key: "ahead", needs: "#tree .node", part: "thought" },
  { key: "colours", needs: "#tree .node[data-chosen]", part: "thought" },
  { key: "words", needs: "#tree .node-word", part: "thought" },
  { key: "cut", needs: "#tree .stub.cut", part: "thought" },
  { key: "lanes", needs: "#lanes .lane", part: "thought" },
  { key: "ends", needs: "#lanes .lane-end", part: "thought" },
  { key: "unknown", needs: "#lanes .lane[data-end=unknown]", part: "thought" },
  { key: "bars", needs: "#bars .bar[data-state=known]", part: "position" },
  { key: "line", needs: "#board-place .expected", part: "position" },
  { key: "wait", needs: "#thought-empty:not([hidden])", part: "thought" },
];

/** Wires the loop; `refresh()` after every drawing, `run(on)` starts and stops it. */
export function mountExplanation() {
  let current = null;
  let timer = 0;

  // Parts that are switched off still stand in the page: only what is drawn counts.
  const isSeen = ({ needs }) => [...document.querySelectorAll(needs)].some((found) => found.checkVisibility?.() ?? true);
  const fitting = () => CAPTIONS.filter(isSeen);

  function turn(step) {
    const captions = fitting();
    const at = captions.findIndex(({ key }) => key === current?.key);
    current = captions.length ? captions[(at + step + captions.length) % captions.length] : null;
    show(captions);
  }

  /** What a caption explains may have gone with the last drawing. */
  function refresh() {
    const captions = fitting();
    if (!captions.some(({ key }) => key === current?.key)) current = captions[0] ?? null;
    show(captions);
  }

  function show(captions) {
    document.body.dataset.explain = current?.key ?? "";
    document.body.dataset.part = current?.part ?? "";
    byId("explain-title").textContent = current ? t(`explain.${current.key}.title`) : "";
    byId("explain-text").textContent = current ? t(`explain.${current.key}.text`) : "";
    byId("explain-dots").replaceChildren(...captions.map(({ key }) => el("li", { class: key === current?.key ? "on" : "" })));
  }

  function run(on) {
    if (on === (timer !== 0)) return;
    clearInterval(timer);
    timer = on ? setInterval(() => turn(1), CAPTION_MS) : 0;
  }

  addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && timer) turn(step);
  });
  onLanguage(refresh);
  return { run, refresh };
}
