// Why the piece goes there: the places a machine compared, and the features of the chosen one by name (P3).

import { byId, el } from "../elements.js";
import { t } from "../words.js";

/** Shows a thought; null clears the table. `isLearned` says that its value is no sum of the features. */
export function showThought(thought, { player, isLearned }) {
  byId("why-table").hidden = !thought?.features.length;
  if (!thought) return void (byId("why-text").textContent = t("why.none"));
  const [best, second] = thought.candidates;
  const key = second ? "why.chosen" : thought.places > 1 ? "why.silent" : "why.only";
  const words = t(key, { player, places: thought.places, value: figure(best.value, 2), second: second && figure(second.value, 2) });
  byId("why-text").textContent = isLearned ? `${words} ${t("why.learned")}` : words;
  byId("why-table").classList.toggle("without-worth", isLearned);
  byId("why-rows").replaceChildren(...thought.features.map(({ name, amount, weight }) => el(
    "tr",
    { "data-feature": name },
    el("th", { scope: "row" }, t(`feature.${name}`)),
    el("td", {}, figure(amount)),
    el("td", { class: amount * weight < 0 ? "worse" : "better" }, figure(amount * weight)),
  )));
}

function figure(value, digits = 1) {
  return new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: digits, signDisplay: "negative" }).format(value);
}
