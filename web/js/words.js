// The words of the pages in the visitor's language.
//
// `data-t="key"` on an element sets its text, `data-t-label` its aria-label, `data-t-alt` and
// `data-t-placeholder` those attributes.

import { remember, remembered } from "./storage.js";
import { Trouble } from "./trouble.js";
import { de } from "./words/de.js";
import { en } from "./words/en.js";
import { de as hallDe } from "./words/hall-de.js";
import { en as hallEn } from "./words/hall-en.js";
import { de as playDe } from "./words/play-de.js";
import { en as playEn } from "./words/play-en.js";

const LANGUAGES = { en: { ...en, ...hallEn, ...playEn }, de: { ...de, ...hallDe, ...playDe } };
const listeners = new Set();
let hallLanguage = "auto";
let language = chosen();

/** The words of a key; some are functions of `values`. */
export function t(key, values = {}) {
  const words = LANGUAGES[language][key];
  // A newer server may know more codes than this page; a code is better than a broken page.
  if (words === undefined) return key;
  return typeof words === "function" ? words(values) : words;
}

/** The server's own words (`{"en", "de"}`) in this language. */
export function spoken(text) {
  if (text === null || text === undefined) return "";
  return typeof text === "string" ? text : (text[language] ?? text.en ?? "");
}

/** Why something failed. Browsers say in words of their own that a server is away; visitors get ours. */
export function whyOf(error) {
  if (error instanceof Trouble) return t(error.message, error.values);
  if (error instanceof TypeError) return t("link.away");
  return error.name === "TimeoutError" ? t("link.slow") : error.message;
}

/** "en" or "de". */
export const currentLanguage = () => language;

/** A whole number as people write it here. */
export const number = (value) => new Intl.NumberFormat(language).format(value);

/** A time in milliseconds, in seconds from one second on. */
export function duration(ms) {
  if (ms < 1000) return t("watch.ms", { ms: Math.round(ms) });
  return t("watch.s", { s: new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(ms / 1000) });
}

/** A time in milliseconds, in seconds to a tenth. */
export const seconds = (ms) => t("watch.s", { s: new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ms / 1000) });

/** Day and time of an ISO date or a number of milliseconds. */
export const moment = (date) =>
  new Intl.DateTimeFormat(navigator.languages.find((tag) => tag.startsWith(language)) ?? language, { dateStyle: "short", timeStyle: "short" }).format(new Date(date));

/** Calls `listener` after every change of language. */
export function onLanguage(listener) {
  listeners.add(listener);
}

/** The visitor's own choice. */
export function chooseLanguage(wanted) {
  remember("language", wanted);
  refresh();
}

/** The operator's choice for the hall; the visitor's own goes before it. */
export function setHallLanguage(wanted) {
  hallLanguage = wanted;
  if (chosen() !== language) refresh();
}

/** Puts the words into a part of the page. */
export function translate(root = document) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
  for (const element of root.querySelectorAll("[data-t-alt]")) element.alt = t(element.dataset.tAlt);
  for (const element of root.querySelectorAll("[data-t-placeholder]")) element.placeholder = t(element.dataset.tPlaceholder);
}

function refresh() {
  language = chosen();
  start();
  for (const listener of listeners) listener(language);
}

/** Translates the page for the first time. */
export function start() {
  document.documentElement.lang = language;
  const title = document.documentElement.dataset.title;
  if (title) document.title = t(title);
  translate();
}

function chosen() {
  const own = remembered("language");
  if (own in LANGUAGES) return own;
  if (hallLanguage in LANGUAGES) return hallLanguage;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES) ?? "en";
}
