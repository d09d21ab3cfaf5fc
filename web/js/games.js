// Stored games (/games, /statistics): figures, list, replay step by step, export (C12).
//
// Hooks: #today, #total [data-figure], #level-rows tr[data-level], #hours, #lengths .plot-bar (plots.js); #games a[data-game], #filter [data-filter], #more;
//   #replay[data-game][data-ply], #first, #back, #play, #forward, #last, #slider, #step, #faults, board hooks in board.js.

import { byId, el } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { discMark } from "./disc.js";
import { playerName } from "./plates.js";
import { drawPlot } from "./plots.js";
import { mountReplay } from "./replay.js";
import { statisticsList } from "./statistics.js";
import { moment, number, onLanguage, t } from "./words.js";

const PAGE = 50;

mountMasthead();
const replay = mountReplay();
let games = [];
let complete = false;
let failed = false;
let figures = null;
let filter = "all";

byId("more").addEventListener("click", loadMore);
byId("filter").addEventListener("click", (event) => {
  filter = event.target.dataset.filter ?? filter;
  renderList();
});
addEventListener("hashchange", openFromAddress);
onLanguage(() => {
  renderList();
  renderFigures();
});
loadFigures();
loadMore();
openFromAddress();
if (location.pathname === "/statistics") byId("figures").scrollIntoView();

async function loadMore() {
  const before = games.length ? `&before=${games.at(-1).game}` : "";
  try {
    const answer = await (await fetch(`/api/games?limit=${PAGE}${before}`)).json();
    games = [...games, ...answer.games];
    complete = answer.games.length < PAGE;
    failed = false;
  } catch {
    failed = true;
  }
  renderList();
}

async function loadFigures() {
  try {
    figures = await (await fetch("/api/statistics")).json();
    renderFigures();
  } catch {
    // The list says that the server does not answer.
  }
}

async function openFromAddress() {
  const wanted = Number(location.hash.slice(1));
  if (!Number.isInteger(wanted) || wanted < 1) return replay.show(null);
  try {
    const answer = await fetch(`/api/games/${wanted}`);
    replay.show(answer.ok ? await answer.json() : null);
    if (answer.ok && matchMedia("(max-width: 63.99rem)").matches) byId("replay").scrollIntoView();
  } catch {
    replay.show(null);
  }
  renderList();
}

function renderList() {
  const shown = games.filter(({ demo }) => filter === "all" || demo === (filter === "demos"));
  byId("games").replaceChildren(...shown.map(entry));
  byId("games-note").textContent = failed ? t("games.failed") : shown.length === 0 ? t("games.empty") : "";
  byId("more").hidden = complete || failed;
  for (const button of byId("filter").children) button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
}

function entry(game) {
  return el("li", {}, el(
    "a",
    { href: `#${game.game}`, "data-game": game.game, "aria-current": location.hash === `#${game.game}` && "true" },
    el("span", { class: "entry-number figures" }, String(game.game)),
    el("span", { class: "entry-names" }, side(game, "red"), side(game, "yellow")),
    el("span", { class: "entry-result" }, el("strong", {}, resultOf(game)), el("small", { class: "muted figures" }, moment(game.started))),
    game.demo && el("span", { class: "tag" }, t("watch.demo")),
  ));
}

function side(game, disc) {
  return el("span", { class: game.winner === disc ? "side winner" : "side" }, discMark(disc), el("span", {}, playerName(game[disc])));
}

/** How a stored game ended, in a few words. */
function resultOf(game) {
  if (game.result === null) return t("games.running");
  if (game.result !== "won") return t(`games.${game.result}`);
  const won = t("games.won", { name: playerName(game[game.winner]) });
  return game.reason === "four" ? won : `${won} · ${t(`games.reason_${game.reason}`)}`;
}

function renderFigures() {
  if (!figures) return;
  byId("today").replaceChildren(...statisticsList(figures.today));
  byId("total").replaceChildren(...statisticsList(figures.total));
  byId("level-rows").replaceChildren(...figures.levels.map(levelRow));
  byId("levels").hidden = figures.levels.length === 0;
  byId("levels-none").hidden = figures.levels.length !== 0;
  plot("hours", (hour, step) => (step > 40 || hour % 3 === 0) && t("plot.hour", { hour }));
  plot("lengths", (discs, step) => (step > 40 || discs % 5 === 0) && String(discs));
}

function plot(name, labels) {
  const counts = figures[name] ?? [];
  byId(`${name}-part`).hidden = !counts.some((count) => count > 0);
  drawPlot(byId(name), counts, { labels, title: t(`figures.${name}`) });
}

function levelRow({ level, games: played, visitors_won: visitors, machine_won: machine, draws }) {
  const bar = el("span", { class: "share", "aria-hidden": "true" });
  for (const [kind, part] of [["visitors", visitors], ["draws", draws], ["machine", machine]]) {
    const piece = el("span", { class: `share-${kind}` });
    piece.style.flexGrow = part;
    bar.append(piece);
  }
  return el(
    "tr",
    { "data-level": level },
    el("th", { scope: "row" }, t(`level.${level}`)),
    el("td", {}, number(played)),
    el("td", {}, bar, el("span", { class: "share-figures" }, `${number(visitors)} · ${number(draws)} · ${number(machine)}`)),
  );
}
