// Name plates of the two players.
//
// Hooks: .plate[data-disc], .next on the one to move.

import { discMark } from "./disc.js";
import { el } from "./elements.js";
import { t } from "./words.js";

/** How a player is called: people by name, machines by level. */
export function playerName(player) {
  return player.level === null ? player.name : t("machine.name", { level: t(`level.${player.level}`) });
}

/** Shows who plays; `mine` is the visitor's own disc or null. */
export function showPlates(place, game, mine = null) {
  place.replaceChildren(...(game ? ["red", "yellow"].map((disc) => plate(game, disc, mine)) : []));
}

function plate(game, disc, mine) {
  const player = game[disc];
  const name = player.level === null ? player.name : t(`level.${player.level}`);
  const below = disc === mine ? t("plate.you") : player.level === null ? t(`disc.${disc}`) : t("plate.machine");
  return el(
    "div",
    { class: game.next === disc ? "plate next" : "plate", "data-disc": disc },
    discMark(disc),
    el("div", { class: "who" }, el("strong", {}, name), el("small", {}, below)),
  );
}
