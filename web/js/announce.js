// Speaks to screen readers (#announcer) and shows short notes at the bottom (#toast).

import { byId } from "./elements.js";

const TOAST_MS = 4000;
let timer = 0;

/** Says something to people who listen to the page. */
export function announce(text) {
  byId("announcer").textContent = text;
}

/** Shows (and says) a short note. */
export function toast(text) {
  const place = byId("toast");
  place.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => (place.textContent = ""), TOAST_MS);
}
