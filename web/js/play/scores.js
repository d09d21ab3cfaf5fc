// The best games: on the server, which plays each one again before it believes it; without a server, in this browser.

import { byId, el } from "../elements.js";
import { remember, remembered, rememberedFields } from "../storage.js";
import { number, onLanguage, t } from "../words.js";

const KEPT = 10;
/** Games that a browser keeps without a server, with their keys. */
const LOCAL = 30;
const NAME = /^[a-zA-Z0-9_-]{3,15}$/;

/** `rules()` names the list that is shown; `onRace(game)` is called with a game that somebody wants to race against. */
export function mountScores(rules, onRace) {
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
      const { choices, keys, score, lines, level, player } = entry;
      const kept = [...local(), { name, rules: choices.rules, score, lines, level, player, choices, keys }].sort((a, b) => b.score - a.score);
      remember("tetris-scores", JSON.stringify({ games: kept.slice(0, LOCAL) }));
    }
    finished = null;
    byId("enter-score").hidden = true;
    load();
  }

  function render() {
    byId("scores-note").textContent = t(atServer ? "scores.note" : "scores.local");
    const shown = scores.slice(0, KEPT);
    byId("scores").replaceChildren(...(shown.length ? shown.map((game) => row(game, race)) : [el("li", { class: "muted" }, t("scores.none"))]));
  }

  /** A game of the server comes with its keys when it is asked for. */
  async function race(listed) {
    try {
      const game = listed.keys ? listed : await (await fetch(`/api/tetris/scores/${listed.entry}`)).json();
      if (!game.keys) throw new Error(game.error);
      onRace(game);
    } catch {
      byId("scores-error").textContent = t("scores.failed");
    }
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

function row(game, race) {
  const { name, score, lines, level, player } = game;
  const helped = player ? el("span", { class: "tag" }, t("scores.helped", { player: t(`player.${player}`) })) : null;
  const again = game.keys || game.entry ? el("button", { type: "button", class: "button quiet small", "aria-label": t("scores.race_label", { name, score: number(score) }), onclick: () => race(game) }, t("scores.race")) : null;
  return el(
    "li",
    { "data-entry": game.entry },
    el("strong", {}, name),
    helped,
    el("span", { class: "score-figure" }, number(score)),
    el("span", { class: "muted small" }, t("scores.row", { lines: number(lines), level })),
    again,
  );
}

function local() {
  const { games } = rememberedFields("tetris-scores");
  return Array.isArray(games) ? games.filter((game) => typeof game?.name === "string" && Number.isFinite(game.score)) : [];
}
