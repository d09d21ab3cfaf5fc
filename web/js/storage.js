// Remembers small texts in the browser; works (forgetfully) where storage is switched off.

const PREFIX = "gamebot.";

/** The remembered text, or null. */
export function remembered(key) {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Remembers a text; null forgets it. */
export function remember(key, text) {
  try {
    if (text === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, text);
  } catch {
    // Nothing to do: the page works without.
  }
}
