// Every character on the robot's line as it goes.

import { byId, el } from "./elements.js";
import { onLanguage, t } from "./words.js";

const MOST_LINES = 200;

/** Wires the table; `start()` listens, `stop()` ends it. */
export function mountTraffic() {
  const rows = byId("traffic");
  const hold = byId("traffic-hold");
  let source = null;
  let held = false;

  hold.addEventListener("click", () => {
    held = !held;
    label();
  });

  function label() {
    hold.textContent = t(held ? "admin.traffic_go" : "admin.traffic_hold");
    hold.setAttribute("aria-pressed", String(held));
  }

  function hear(message) {
    if (held) return;
    const { at_ms: at, direction, character, meaning } = JSON.parse(message.data);
    byId("traffic-none").hidden = true;
    rows.prepend(el(
      "tr",
      { "data-direction": direction },
      el("td", {}, (at / 1000).toFixed(2)),
      el("td", {}, t(`admin.${direction}`)),
      el("td", {}, el("code", {}, character)),
      el("td", {}, meaning),
    ));
    while (rows.children.length > MOST_LINES) rows.lastChild.remove();
  }

  function start() {
    if (source) return;
    source = new EventSource("/api/admin/traffic");
    source.onmessage = hear;
  }

  function stop() {
    source?.close();
    source = null;
  }

  label();
  onLanguage(label);
  return { start, stop };
}
