// Figures as a list of large numbers with small words.

import { el } from "./elements.js";
import { number, t } from "./words.js";

const FIGURES = ["games", "visitors_won", "machine_won", "draws", "discs"];

/** The entries of a `<dl>` for `{games, visitors_won, machine_won, draws, discs}`. */
export function statisticsList(statistics) {
  return FIGURES.map((figure) =>
    el("div", { "data-figure": figure }, el("dt", {}, t(`stat.${figure}`)), el("dd", {}, number(statistics[figure] ?? 0))));
}
