// The result takes the stage for some seconds, then the last thought is shown again.
//
// Hooks: #finale[data-result=won|draw|ended], body[data-finale].

import { discMark } from "./disc.js";
import { byId } from "./elements.js";
import { outcomeForAll } from "./outcome.js";
import { playerName } from "./plates.js";
import { onLanguage, t } from "./words.js";

const STAGE_MS = 10_000;

/** Wires it; `show(game)` with a finished game, `clear()` when another begins; `onChange` when it comes or goes. */
export function mountFinale(onChange) {
  let shown = null;
  let timer = 0;

  function show(game) {
    if (shown?.game === game.game) return;
    shown = game;
    words();
    place(true);
    timer = setTimeout(() => place(false), STAGE_MS);
  }

  function clear() {
    clearTimeout(timer);
    shown = null;
    place(false);
  }

  function place(on) {
    byId("finale").hidden = !on;
    if (document.body.hasAttribute("data-finale") === on) return;
    document.body.toggleAttribute("data-finale", on);
    onChange();
  }

  function words() {
    if (!shown) return;
    const { result, winner } = shown;
    byId("finale").dataset.result = result;
    byId("finale-disc").replaceChildren(...(winner ? [discMark(winner)] : []));
    byId("finale-title").textContent = result === "won" ? t("finale.won", { name: playerName(shown[winner]) }) : t(`finale.${result}`);
    byId("finale-text").textContent = outcomeForAll(shown);
  }

  onLanguage(words);
  return { show, clear };
}
