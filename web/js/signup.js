// The lobby's form: name and opponent.

import { byId, el, svg } from "./elements.js";
import { onLanguage, t } from "./words.js";

const STRENGTH = { easy: 1, medium: 2, hard: 3, perfect: 4 };
const NAME = /^[A-Za-z0-9_-]{3,15}$/;

/** Wires the form; `onWish({name, opponent})` gets every complete sign-up. */
export function mountSignup(onWish) {
  const form = byId("signup");
  const name = byId("name");
  let shownLevels = "";

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wish = { name: name.value.trim(), opponent: new FormData(form).get("opponent") };
    if (!NAME.test(wish.name)) return refuseName("name.invalid");
    acceptName();
    onWish(wish);
  });
  // Whatever the table does, the button says what a tap on it will do.
  const label = () => (byId("start").textContent = t(taken ? "lobby.wait" : "lobby.start"));
  let taken = false;
  label();
  onLanguage(label);
  name.addEventListener("input", acceptName);

  function refuseName(words) {
    const plain = plainName(name.value);
    byId("name-error").textContent = plain !== name.value.trim() && NAME.test(plain)
      ? t("name.plain", { name: name.value.trim(), plain })
      : t(words);
    name.setAttribute("aria-invalid", "true");
    name.focus();
  }

  function acceptName() {
    byId("name-error").textContent = "";
    name.removeAttribute("aria-invalid");
  }

  /** Offers a human opponent and the levels that the operator allows. */
  function offer(levels, force = false) {
    if (!force && shownLevels === levels.join()) return;
    shownLevels = levels.join();
    const chosen = new FormData(form).get("opponent");
    const opponents = [...levels, "human"];
    const preferred = opponents.includes(chosen) ? chosen : opponents.includes("medium") ? "medium" : opponents[0];
    byId("opponents").replaceChildren(...opponents.map((opponent) => card(opponent, opponent === preferred)));
  }

  onLanguage(() => offer(shownLevels.split(",").filter(Boolean), true));
  /** Whether a game is under way, so that one has to wait. */
  function tableTaken(isTaken) {
    taken = isTaken;
    label();
  }

  return { offer, refuseName, tableTaken, forgetName: () => (name.value = "") };
}

const UMLAUTS = { ä: "ae", ö: "oe", ü: "ue", Ä: "Ae", Ö: "Oe", Ü: "Ue", ß: "ss", æ: "ae", ø: "oe", å: "aa", ł: "l", Ł: "L" };

/** A name in the letters that the hall knows: Jörg is Joerg, Zoë is Zoe, Anna Maria is Anna_Maria. */
export function plainName(name) {
  return [...name.trim().normalize("NFC")]
    .map((letter) => UMLAUTS[letter] ?? letter.normalize("NFD").replace(/[\u0300-\u036f]/g, ""))
    .join("")
    .replace(/\s+/g, "_");
}

function card(opponent, checked) {
  return el(
    "label",
    { class: "opponent" },
    el("input", { type: "radio", name: "opponent", value: opponent, id: `opponent-${opponent}`, checked }),
    strengthIcon(opponent),
    el("span", {}, el("strong", {}, t(`level.${opponent}`)), el("small", {}, t(`level.${opponent}.about`))),
  );
}

/** A disc that fills with strength; adaptive swings, a person is a person. */
function strengthIcon(opponent) {
  const icon = svg("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" });
  if (opponent === "human") {
    icon.append(
      svg("circle", { class: "strength-fill", cx: 16, cy: 10, r: 6 }),
      svg("path", { class: "strength-fill", d: "M4 29a12 11 0 0 1 24 0Z" }),
    );
  } else if (opponent === "adaptive") {
    icon.append(
      svg("circle", { class: "strength-ground", cx: 16, cy: 16, r: 14 }),
      svg("path", { class: "strength-mark", d: "M8 20q4-10 8-4t8-4" }),
    );
  } else {
    const level = STRENGTH[opponent] ?? 1;
    icon.append(svg("circle", { class: "strength-ground", cx: 16, cy: 16, r: 14 }));
    icon.append(level === 4 ? svg("circle", { class: "strength-fill", cx: 16, cy: 16, r: 14 }) : slice(level));
  }
  return icon;
}

function slice(quarters) {
  const [x, y] = [[30, 16], [16, 30], [2, 16]][quarters - 1];
  return svg("path", { class: "strength-fill", d: `M16 16V2A14 14 0 ${quarters > 2 ? 1 : 0} 1 ${x} ${y}Z` });
}
