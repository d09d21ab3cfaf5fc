// The best games: on the server, which plays each one again before it believes it; without a server, in this browser.

import { byId, el } from "../elements.js";
import { remember, remembered } from "../storage.js";
import { number, onLanguage, t } from "../words.js";

const KEPT = 10;
const NAME = /^[a-zA-Z0-9_-]{3,15}$/;

/** `rules()` names the list that is shown. */
export function mountScores(rules) {
  let scores = [];
  let atServer = true;
  let finished = null;
  byId("score-name").value = remembered("name") ?? "";
  byId("enter-score").addEventListener("submit", enter);
  onLanguage(render);

  async function load() {
    try {
      if ("site" in document.documentElement.dataset) throw new Error("a site without a server");
      const response = await fetch(`/api/tetris/scores?rules=${rules()}`);
      if (!response.ok) throw new Error(response.statusText);
      scores = (await response.json()).scores;
      atServer = true;
    } catch {
      atServer = false;
      scores = local().filter((score) => score.rules === rules());
    }
    render();
  }

  async function enter(event) {
    event.preventDefault();
    const name = byId("score-name").value.trim();
    byId("scores-error").textContent = NAME.test(name) ? "" : t("name.invalid");
    if (!NAME.test(name) || !finished) return;
    remember("name", name);
    const entry = { name, ...finished };
    if (atServer) {
      const response = await fetch("/api/tetris/scores", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(entry) }).catch(() => null);
      if (!response?.ok) {
        const why = await response?.json().catch(() => null);
        byId("scores-error").textContent = why?.error ?? t("scores.failed");
        return;
      }
    } else {
      const { choices, score, lines, player } = entry;
      const kept = [...local(), { name, rules: choices.rules, score, lines, level: entry.level, player }].sort((a, b) => b.score - a.score);
      remember("tetris-scores", JSON.stringify(kept.slice(0, 50)));
    }
    finished = null;
    byId("enter-score").hidden = true;
    load();
  }

  function render() {
    byId("scores-note").textContent = t(atServer ? "scores.note" : "scores.local");
    const shown = scores.slice(0, KEPT);
    byId("scores").replaceChildren(...(shown.length ? shown.map(row) : [el("li", { class: "muted" }, t("scores.none"))]));
  }

  return {
    load,
    /** A game has ended: it may be entered. */
    offer(game) {
      finished = game;
      byId("enter-score").hidden = false;
    },
    withdraw() {
      finished = null;
      byId("enter-score").hidden = true;
      byId("scores-error").textContent = "";
    },
  };
}

function row({ name, score, lines, level, player }) {
  const helped = player ? el("span", { class: "tag" }, t("scores.helped", { player: t(`player.${player}`) })) : null;
  return el("li", {}, el("strong", {}, name), helped, el("span", { class: "score-figure" }, number(score)), el("span", { class: "muted small" }, t("scores.row", { lines: number(lines), level })));
}

function local() {
  try {
    return JSON.parse(remembered("tetris-scores") ?? "[]");
  } catch {
    return [];
  }
}
