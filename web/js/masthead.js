// The bar at the top of every page: name, links, language and light.
//
// Hooks: #language (text says the language it switches to), #theme, #sound where a page has sounds, nav a.

import { byId, el, svg } from "./elements.js";
import { isMuted, mute } from "./sounds.js";
import { remember } from "./storage.js";
import { chooseLanguage, currentLanguage, onLanguage, start, t } from "./words.js";

/** Leads to `/` wherever the hall is the first page. */
const HALL = ["/hall", "nav.hall"];
const PLACES = [
  HALL,
  ["/lobby", "nav.play"],
  ["/watch", "nav.watch"],
  ["/games", "nav.games"],
];
/** The pages that need no robot; on a site without a server they are files beside each other, and there is no hall. */
const GAMES = [
  ["/tetris", "nav.tetris"],
  ["/samegame", "nav.samegame"],
  ["/connect-four", "nav.analysis"],
];
/** What belongs to all cabinets. */
const ROOMS = [
  HALL,
  ["/runs", "nav.runs"],
  ["/lab", "nav.lab"],
  ["/about", "nav.about"],
];
const isSite = "site" in document.documentElement.dataset;
const address = (path) => (isSite ? `${path.slice(1) || "index"}.html` : path);
const page = document.documentElement.dataset.page;
const isHere = (path) => (isSite ? location.pathname.endsWith(address(path)) : location.pathname === path || path === `/${page}`);

/** Fills `#masthead` and translates the page; `sounds` adds the switch that mutes it, `games` leads to the pages that need
 *  no robot, `hall` to the rooms of the hall, `manual` there too, or nowhere if there is no server. */
export function mountMasthead({ sounds = false, games = false, hall = false, manual = false } = {}) {
  const language = el("button", { type: "button", class: "switch", id: "language", onclick: switchLanguage });
  const theme = el("button", { type: "button", class: "switch", id: "theme", onclick: switchTheme }, lightIcon());
  const quiet = el("button", { type: "button", class: "switch", id: "sound", onclick: switchSound }, soundIcon());
  const places = games ? [...(isSite ? [] : [HALL]), ...GAMES] : manual && isSite ? [] : hall || manual ? ROOMS : PLACES;
  byId("masthead").append(
    el("a", { class: "wordmark", href: address("/") }, el("img", { src: new URL("../favicon.svg", import.meta.url), alt: "", width: 28, height: 28 }), el("span", {}, "Gamebot")),
    el("nav", { "data-t-label": "nav.label" }, ...places.map(([path, words]) =>
      el("a", { href: address(path), hidden: path === "/hall" && !games && !hall, "data-t": words, "aria-current": isHere(path) && "page" }))),
    el("div", { class: "switches" }, sounds && quiet, language, theme),
  );
  const label = () => {
    language.textContent = currentLanguage() === "en" ? "DE" : "EN";
    language.setAttribute("aria-label", t("nav.language"));
    language.title = t("nav.language");
    quiet.setAttribute("aria-label", t("nav.sound"));
    quiet.title = t("nav.sound");
    quiet.setAttribute("aria-pressed", String(!isMuted()));
    theme.setAttribute("aria-label", t("nav.theme"));
    theme.title = t("nav.theme");
  };
  onLanguage(label);
  start();
  label();
  if (!games && !hall && !isSite) offerHall();
}

/** An exhibition may have one table and nothing else; then there is no hall to go to. */
async function offerHall() {
  try {
    const { shows } = await (await fetch("/api/shows")).json();
    document.querySelector('nav a[href="/hall"]').hidden = shows.length === 0;
  } catch {
    // No server, no hall; the page itself says so.
  }
}

function switchSound(event) {
  mute(!isMuted());
  event.currentTarget.setAttribute("aria-pressed", String(!isMuted()));
}

function switchLanguage() {
  chooseLanguage(currentLanguage() === "en" ? "de" : "en");
}

function switchTheme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  remember("theme", root.dataset.theme);
}

function soundIcon() {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: "M4 9v6h4l5 4V5L8 9Z" }),
    svg("path", { class: "sound-on", d: "M16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12" }),
    svg("path", { class: "sound-off", d: "M16.5 9.5l5 5M21.5 9.5l-5 5" }),
  );
}

function lightIcon() {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("circle", { cx: 12, cy: 12, r: 8 }),
    svg("path", { d: "M12 4a8 8 0 0 1 0 16Z", fill: "currentcolor" }),
  );
}
