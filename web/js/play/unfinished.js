// A game whose page went away before it was over: kept for this tab, so that a reload or the back button finds it again.

import { keepInTab, keptInTab } from "../storage.js";

const KEY = "tetris-game";

/** Keeps what `game()` returns whenever the page may be going: `{ choices, keys, helped }`, or null if none is played. */
export function keepUnfinished(game) {
  const keep = () => keepInTab(KEY, game());
  addEventListener("pagehide", keep);
  // A phone that needs the memory ends a page in the background without a word.
  document.addEventListener("visibilitychange", () => document.hidden && keep());
}

/** The game that was kept, or null. */
export function unfinished() {
  const { choices, keys, helped } = keptInTab(KEY);
  return typeof keys === "string" && keys && choices ? { choices, keys, helped: helped === true } : null;
}
