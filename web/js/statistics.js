// Figures as a list of large numbers with small words.

import { el } from "./elements.js";
import { number, t } from "./words.js";

const FIGURES = ["games", "visitors_won", "machine_won", "draws", "between_visitors", "unfinished", "discs"];

/** What a poster has room for. */
export const MAIN_FIGURES = ["games", "visitors_won", "machine_won", "draws", "discs"];

/** The entries of a `<dl>` for the figures of `docs/events.md`. */
export function statisticsList(statistics, figures = FIGURES) {
  return figures.filter((figure) => figure in statistics).map((figure) =>
    el("div", { "data-figure": figure }, el("dt", {}, t(`stat.${figure}`)), el("dd", {}, number(statistics[figure] ?? 0))));
}
