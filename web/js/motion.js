// Animation that yields to visitors who asked for less of it.

const less = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Whether things may move. */
export const mayMove = () => !less.matches;

/** Plays keyframes; resolves when done, at once where motion is not wanted. */
export function play(element, keyframes, options) {
  if (!mayMove() || document.hidden) return Promise.resolve();
  return element.animate(keyframes, options).finished.catch(() => undefined);
}
