// Questions that need an answer now: "Are you still there?", NO_VIRTUAL, and "Really?".

import { byId } from "./elements.js";
import { t } from "./words.js";

/** Wires the inactivity question; `onStay` is the yes. */
export function mountInactivity(onStay) {
  const dialog = byId("inactivity");
  let timer = 0;

  const close = () => {
    clearInterval(timer);
    if (dialog.open) dialog.close();
  };
  const stay = () => {
    close();
    onStay();
  };
  byId("stay").addEventListener("click", stay);
  dialog.addEventListener("cancel", stay);

  /** Asks, and counts down. */
  function ask(seconds) {
    close();
    const end = performance.now() + 1000 * seconds;
    const count = () => {
      const left = Math.max(0, end - performance.now());
      byId("inactivity-text").textContent = t("inactivity.text", { seconds: Math.ceil(left / 1000) });
      byId("inactivity-bar").style.transform = `scaleX(${left / (1000 * seconds)})`;
      if (left === 0) close();
    };
    count();
    timer = setInterval(count, 200);
    dialog.showModal();
  }
  return { ask, close };
}

/** Wires the NO_VIRTUAL choice; `onAccept` plays against whoever waits, `onInsist` the machine all the same. */
export function mountNoVirtual({ onAccept, onInsist }) {
  const dialog = byId("no-virtual");
  byId("decline").addEventListener("click", () => dialog.close());
  for (const [id, then] of [["accept", onAccept], ["insist", onInsist]]) {
    byId(id).addEventListener("click", () => {
      dialog.close();
      then();
    });
  }
  return {
    ask(name) {
      byId("no-virtual-title").textContent = t("novirtual.title", { name });
      byId("accept").textContent = t("novirtual.accept", { name });
      if (!dialog.open) dialog.showModal();
    },
    close: () => dialog.open && dialog.close(),
  };
}

/** Asks before something that cannot be taken back; resolves to the answer. `words` is `{title, text, yes, no}`. */
export function confirm(words) {
  const dialog = byId("confirm");
  for (const [part, text] of Object.entries(words)) byId(`confirm-${part}`).textContent = text;
  return new Promise((resolve) => {
    const answer = (said) => () => {
      byId("confirm-yes").onclick = byId("confirm-no").onclick = dialog.oncancel = null;
      if (dialog.open) dialog.close();
      resolve(said);
    };
    byId("confirm-yes").onclick = answer(true);
    byId("confirm-no").onclick = dialog.oncancel = answer(false);
    if (!dialog.open) dialog.showModal();
    byId("confirm-no").focus();
  });
}

/** Takes an open "Really?" back: what it asked about is over. */
export function closeConfirm() {
  if (byId("confirm").open) byId("confirm-no").click();
}
