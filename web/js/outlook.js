// What a value means, in words that need no guide: the outcome first, points second.

import { currentLanguage, t } from "./words.js";

/** Points from which on one side has the better of it. */
const AHEAD = 10;

/** The word of an outlook (`docs/events.md`) on its own: "wins", "even", …; "?" for what is not known. */
export function outcomeWord(outlook) {
  if (!outlook) return "?";
  if (outlook.kind !== "open") return t(`outlook.${outlook.kind}`);
  return t(outlook.points >= AHEAD ? "outlook.ahead" : outlook.points <= -AHEAD ? "outlook.behind" : "outlook.even");
}

/** What goes with the word: "in 5", or the points. */
export function outcomeDetail(outlook) {
  if (!outlook || outlook.kind === "draw") return "";
  return outlook.kind === "open" ? signed(outlook.points) : t("outlook.in", { moves: outlook.moves });
}

/** Both together. */
export const outlookWords = (outlook) => `${outcomeWord(outlook)} ${outcomeDetail(outlook)}`.trim();

/** Discs from the position that was thought about to the end of the game; null where it was not seen. */
export function discsToTheEnd(outlook, left) {
  if (!outlook || outlook.kind === "open") return null;
  if (outlook.kind === "draw") return left;
  return 2 * outlook.moves - (outlook.kind === "wins" ? 1 : 0);
}

/** "+12", "−30", "0"; long ones shortened. */
function signed(value) {
  const size = Math.abs(value);
  const digits = size < 10_000
    ? String(Math.round(size))
    : new Intl.NumberFormat(currentLanguage(), { notation: "compact", maximumFractionDigits: 0 }).format(size);
  return value > 0 ? `+${digits}` : value < 0 ? `−${digits}` : "0";
}
