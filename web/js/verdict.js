// The one sentence that everybody should take home: who plays what, and why; in a game between people, what the last move
// was worth and what the machine would do now.

import { discMark, other } from "./disc.js";
import { byId, el } from "./elements.js";
import { playerName } from "./plates.js";
import { spoken, t } from "./words.js";

/** Shows the verdict of a `TURN_TREE` or `COMMENT`, or none. */
export function showVerdict(thought, game) {
  const title = byId("verdict");
  const intent = byId("intent");
  title.replaceChildren();
  intent.hidden = true;
  byId("reason").textContent = "";
  if (!thought) return void title.append(t("watch.title"));
  if (thought.type === "COMMENT") return comment(thought, game);
  const { disc, column, reason } = thought.decision;
  title.append(discMark(disc), el("span", {}, t("verdict.plays", { name: playerName(game[disc]), column })));
  intent.hidden = thought.decision.intent === "best";
  intent.dataset.intent = thought.decision.intent;
  intent.textContent = intent.hidden ? "" : t(`intent.${thought.decision.intent}`);
  byId("reason").textContent = sentence(spoken(reason));
}

function comment({ decision }, game) {
  const title = byId("verdict");
  const mover = other(decision.disc);
  if (decision.remark) title.append(discMark(mover), el("span", {}, t("verdict.remark", { name: game[mover].name, text: spoken(decision.remark) })));
  else title.append(discMark(decision.disc), el("span", {}, t("verdict.begins", { name: game[decision.disc].name })));
  byId("reason").textContent = t("verdict.advice", { name: game[decision.disc].name, column: decision.column, text: spoken(decision.reason) });
}

const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}.` : "");
