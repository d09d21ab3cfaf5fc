// Remembers small things in the browser; works (forgetfully) where storage is switched off.

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

/** The fields of a remembered object; none if there is no such object, or the text is somebody else's. */
export function rememberedFields(key) {
  return fieldsOf(remembered(key));
}

/** Keeps an object for as long as this tab is open, reloads included; null forgets it. */
export function keepInTab(key, value) {
  try {
    if (value === null) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Nothing to do: a reload begins anew.
  }
}

/** The fields of an object that was kept in this tab. */
export function keptInTab(key) {
  try {
    return fieldsOf(sessionStorage.getItem(PREFIX + key));
  } catch {
    return {};
  }
}

function fieldsOf(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
