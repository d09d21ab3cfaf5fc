// How a game ended, in words for one visitor or for everybody.

import { playerName } from "./plates.js";
import { t } from "./words.js";

/** `{mood, title, text}` for the player of `mine` (`{disc}`): won, lost, draw, left, ended. */
export function outcomeForPlayer(game, mine) {
  if (game.result === "draw") return { mood: "draw", title: t("outcome.draw"), text: t("outcome.draw_text") };
  if (game.result === "ended") return { mood: "ended", title: t("outcome.ended"), text: t(`outcome.ended_${game.reason}`) };
  const opponent = playerName(game[mine.disc === "red" ? "yellow" : "red"]);
  const won = game.winner === mine.disc;
  const mood = won ? "won" : "lost";
  return { mood, title: t(`outcome.${mood}_${game.reason}`, { name: opponent }), text: t(`outcome.${mood}_${game.reason}_text`, { name: opponent }) };
}

/** One sentence for those who watch. */
export function outcomeForAll(game) {
  if (game.result === "draw") return t("outcome.draw_text");
  if (game.result === "ended") return t(`outcome.ended_${game.reason}`);
  const loser = playerName(game[game.winner === "red" ? "yellow" : "red"]);
  return t(`outcome.all_${game.reason}`, { name: playerName(game[game.winner]), loser });
}
