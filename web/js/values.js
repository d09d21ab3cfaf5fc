// Values of positions, short enough for a node.

import { currentLanguage } from "./words.js";

/** "+12", "−30", "0"; long ones shortened. */
export function signed(value) {
  if (value === null || value === undefined) return "·";
  const size = Math.abs(value);
  const digits = size < 10_000
    ? String(Math.round(size))
    : new Intl.NumberFormat(currentLanguage(), { notation: "compact", maximumFractionDigits: 0 }).format(size);
  return value > 0 ? `+${digits}` : value < 0 ? `−${digits}` : "0";
}
