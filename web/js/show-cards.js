// Live pictures of several shows at once, with the state of each.

import { watchShow } from "./show-stream.js";
import { t } from "./words.js";

/** Watches every `canvas[data-show]`; `onChange(states)` gets a map of `{ is, why }` by name after each change. */
export function watchAll(fps, onChange) {
  const states = new Map();
  for (const canvas of document.querySelectorAll("canvas[data-show]")) {
    const name = canvas.dataset.show;
    const tell = (state) => {
      states.set(name, state);
      onChange(states);
    };
    tell({ is: "waiting" });
    watchShow(name, canvas, {
      fps,
      onEvent: (event) => tell(event.type === "FAILED" ? { is: "failed", why: event.why } : { is: "waiting" }),
      onFrame: () => states.get(name).is !== "playing" && tell({ is: "playing" }),
      onLink: (up) => !up && tell({ is: "lost" }),
    });
  }
  return states;
}

/** The state of a show in words. */
export function stateWords(name, { is, why }) {
  return is === "failed" ? t("show.failed", { why }) : t(`hall.${name}.${is}`);
}
