// About and settings (/about): version, what is connected, language, light, licences.
//
// Hooks: #facts [data-fact], #choose-language, #choose-theme, #packages dt.

import { byId, el } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { remember } from "./storage.js";
import { chooseLanguage, currentLanguage, onLanguage, t } from "./words.js";

let about = null;

mountMasthead({ hall: true });
const [language, theme] = [byId("choose-language"), byId("choose-theme")];
language.addEventListener("change", () => chooseLanguage(language.value));
theme.addEventListener("change", () => {
  document.documentElement.dataset.theme = theme.value;
  remember("theme", theme.value);
});
onLanguage(draw);
draw();
load();

async function load() {
  try {
    about = await (await fetch("/api/about")).json();
    draw();
  } catch {
    // Without the server nothing is known about it; the settings of this browser work.
  }
}

function draw() {
  language.value = currentLanguage();
  theme.value = document.documentElement.dataset.theme;
  if (!about) return;
  const connected = about.connected.map(({ cabinet, what }) => [t(`hall.${cabinet}`), t(`about.connected.${what}`)]);
  const facts = [[t("about.fact.version"), about.version], ...connected];
  byId("facts").replaceChildren(...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", { "data-fact": name }, value)]));
  const byCount = Object.entries(about.licences).sort(([, a], [, b]) => b.length - a.length);
  byId("packages").replaceChildren(...byCount.flatMap(([licence, crates]) => [el("dt", {}, licence), el("dd", { class: "muted" }, crates.join(" · "))]));
}
