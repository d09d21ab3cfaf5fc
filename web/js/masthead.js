// The bar at the top of every page: name, links, language and light.
//
// Hooks: #language (text says the language it switches to), #theme, nav a.

import { byId, el, svg } from "./elements.js";
import { remember } from "./storage.js";
import { chooseLanguage, currentLanguage, onLanguage, start, t } from "./words.js";

const PLACES = [
  ["/", "nav.play"],
  ["/watch", "nav.watch"],
  ["/games", "nav.games"],
];

/** Fills `#masthead` and translates the page. */
export function mountMasthead() {
  const language = el("button", { type: "button", class: "switch", id: "language", onclick: switchLanguage });
  const theme = el("button", { type: "button", class: "switch", id: "theme", onclick: switchTheme }, lightIcon());
  byId("masthead").append(
    el("a", { class: "wordmark", href: "/" }, el("img", { src: "/static/favicon.svg", alt: "", width: 28, height: 28 }), el("span", {}, "Gamebot")),
    el("nav", { "data-t-label": "nav.label" }, ...PLACES.map(([path, words]) =>
      el("a", { href: path, "data-t": words, "aria-current": location.pathname === path && "page" }))),
    el("div", { class: "switches" }, language, theme),
  );
  const label = () => {
    language.textContent = currentLanguage() === "en" ? "DE" : "EN";
    language.setAttribute("aria-label", t("nav.language"));
    language.title = t("nav.language");
    theme.setAttribute("aria-label", t("nav.theme"));
    theme.title = t("nav.theme");
  };
  onLanguage(label);
  start();
  label();
}

function switchLanguage() {
  chooseLanguage(currentLanguage() === "en" ? "de" : "en");
}

function switchTheme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  remember("theme", root.dataset.theme);
}

function lightIcon() {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("circle", { cx: 12, cy: 12, r: 8 }),
    svg("path", { d: "M12 4a8 8 0 0 1 0 16Z", fill: "currentcolor" }),
  );
}
