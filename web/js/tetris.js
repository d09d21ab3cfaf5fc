// Tetris for you (P1–P5): play, let a machine take over, race it, compare players, enter scores.
//
// Hooks: body[data-view=ready|playing|paused|over], body[data-machine], body[data-fps], #field, #start, #machine, #pause, #stop,
//   #score, #lines, #level, #why-rows tr[data-feature], #size-error, #plugin-error, #compare-rows tr[data-player], #scores li.

import { announce, toast } from "./announce.js";
import { byId, el } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { listen } from "./play/buttons.js";
import { mountCompare } from "./play/compare.js";
import { openDesk } from "./play/desk.js";
import { FieldPicture } from "./play/field-picture.js";
import { fetchGuests } from "./play/guests.js";
import { Plugin } from "./play/plugin.js";
import { mountScores } from "./play/scores.js";
import { Table } from "./play/table.js";
import { remember, remembered } from "./storage.js";
import { number, onLanguage, t } from "./words.js";

const PLAYERS = ["height", "clever", "bergmark", "lee", "bcts", "ours"];
const FRAME_MS = 1000 / 59.7275;
/** After a hitch the game goes on where it was, it does not run after the clock. */
const MOST_FRAMES = 4;
const SAVED = ["rules", "width", "height", "start-level", "player", "pace"];
const CHECKED = ["heart", "ghosts", "race"];

mountMasthead({ games: true });
const picture = new FieldPicture(byId("field"));
const rivalPicture = new FieldPicture(byId("rival"));
const nextPicture = new FieldPicture(byId("next"));
const plugins = new Map();
let desk = null;
let mine = null;
let rival = null;
let view = "loading";
let last = 0;
let left = 0;
let frameTimes = [];
let shownThought = null;
// A friend's pieces, and the points to beat.
let challenge = null;

fillPlayers();
restore();
const scores = mountScores(() => byId("rules").value);
mountCompare(PLAYERS, () => (wrong(choices()) ? null : choices()));
const buttons = listen({ pad: byId("pad"), isPlaying: () => view === "playing" || view === "waiting", onPress: takeBack });
openDesk().then(ready, (error) => (byId("cover-text").textContent = t("tetris.failed", { why: error.message })));

byId("start").addEventListener("click", () => (view === "paused" ? resume() : start()));
byId("pause").addEventListener("click", () => (view === "paused" ? resume() : pause()));
byId("stop").addEventListener("click", stop);
byId("machine").addEventListener("click", toggleMachine);
byId("choices").addEventListener("input", changed);
byId("choices").addEventListener("submit", (event) => event.preventDefault());
addEventListener("keydown", shortcut);
document.addEventListener("visibilitychange", () => document.hidden && view === "playing" && pause());
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", dropped);
onLanguage(() => {
  fillPlayers();
  label();
  shownThought = null;
});

function ready(opened) {
  desk = opened;
  mine = new Table(desk, pluginFailed);
  rival = new Table(desk, pluginFailed);
  takeChallenge();
  scores.load();
  welcomeGuests();
  show("ready");
  preview();
  requestAnimationFrame(frame);
}

/** The choices as the desk wants them. */
function choices() {
  const whole = (id) => (/^\d+$/.test(byId(id).value.trim()) ? Number(byId(id).value) : Number.NaN);
  const seed = challenge?.seed ?? crypto.getRandomValues(new Uint32Array(1))[0];
  if (byId("rules").value === "gameboy") return { rules: "gameboy", level: whole("start-level"), heart: byId("heart").checked, seed };
  return { rules: "classic", width: whole("width"), height: whole("height"), level: whole("start-level"), seed };
}

/** What is wrong with the choices, in words; empty if nothing is. */
function wrong({ rules, width, height, level }) {
  const outside = (value, least, most) => !(value >= least && value <= most);
  if (rules === "classic" && outside(width, 4, 32)) return t("choices.width_error");
  if (rules === "classic" && outside(height, 4, 40)) return t("choices.height_error");
  return outside(level, 0, 20) ? t("choices.level_error") : "";
}

function start() {
  const chosen = choices();
  byId("size-error").textContent = wrong(chosen);
  if (wrong(chosen)) return byId("size-error").scrollIntoView({ block: "center" });
  mine.paceMs = rival.paceMs = Number(byId("pace").value);
  const machine = mine.machine;
  mine.letPlay(null);
  mine.start(chosen);
  if (machine) mine.letPlay(chosenPlayer());
  byId("theirs").hidden = !byId("race").checked;
  if (byId("race").checked) {
    rival.start(chosen);
    rival.letPlay(chosenPlayer());
  }
  scores.withdraw();
  byId("challenge").hidden = true;
  resume();
}

function resume() {
  last = performance.now();
  left = 0;
  show("playing");
  byId("field").focus({ preventScroll: true });
  if (byId("game").getBoundingClientRect().bottom < 120) byId("game").scrollIntoView();
}

function pause() {
  if (view === "playing") show("paused");
}

function stop() {
  if (view !== "playing" && view !== "paused") return;
  finish();
}

/** The end: offers the game to the table of scores, and its pieces to a friend. */
function finish() {
  const { score, lines, level } = mine.view;
  show("over");
  if (score > 0) {
    const player = mine.helped ? (typeof mine.machine === "string" ? mine.machine : byId("player").value) : null;
    scores.offer({ choices: mine.choices, keys: mine.keys(), score, lines, level, player: PLAYERS.includes(player) ? player : null });
  }
  const link = new URL(location.href);
  link.hash = new URLSearchParams({ ...mine.choices, beat: score }).toString();
  byId("challenge-link").href = link;
  byId("challenge-link").textContent = t("challenge.link", { score: number(score) });
  byId("challenge").hidden = false;
  announce(t("tetris.over_told", { score: number(score), lines: number(lines) }));
}

/** A friend's link: the same rules and the same pieces. */
function takeChallenge() {
  const words = new URLSearchParams(location.hash.slice(1));
  if (!words.has("seed")) return;
  challenge = { seed: Number(words.get("seed")) >>> 0, beat: Number(words.get("beat")) || 0 };
  byId("rules").value = words.get("rules") === "classic" ? "classic" : "gameboy";
  for (const [id, key] of [["width", "width"], ["height", "height"], ["start-level", "level"]]) if (words.has(key)) byId(id).value = words.get(key);
  byId("heart").checked = words.get("heart") === "true";
  changed();
}

function frame(now) {
  requestAnimationFrame(frame);
  countFrames(now);
  if (view !== "playing") return;
  left = Math.min(left + now - last, MOST_FRAMES * FRAME_MS);
  last = now;
  for (; left >= FRAME_MS; left -= FRAME_MS) {
    const held = buttons.take();
    if (!mine.view.over) mine.step(mine.machine ? 0 : held);
    if (!byId("theirs").hidden && !rival.view.over) rival.step(0);
  }
  draw();
  if (mine.view.over && (byId("theirs").hidden || rival.view.over || rival.view.score > mine.view.score)) finish();
}

function countFrames(now) {
  frameTimes = [...frameTimes.filter((time) => now - time < 1000), now];
  document.body.dataset.fps = String(frameTimes.length);
}

function draw() {
  if (!mine.view) return;
  const shown = mine.view;
  const candidates = byId("ghosts").checked ? (mine.thought?.candidates ?? []) : [];
  picture.draw(shown, { candidates, dimmed: view === "paused" });
  nextPicture.drawNext(shown);
  if (!byId("theirs").hidden && rival.view) rivalPicture.draw(rival.view);
  const text = (id, words) => byId(id).textContent !== words && (byId(id).textContent = words);
  text("score", number(shown.score));
  text("lines", number(shown.lines));
  text("level", number(shown.level));
  text("speed", new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 }).format(shown.rows_per_second));
  if (!byId("theirs").hidden) {
    text("mine-name", `${t("race.you")} · ${number(shown.score)}`);
    text("theirs-name", `${playerName(rival.machine)} · ${number(rival.view?.score ?? 0)}`);
  }
  if (mine.thought !== shownThought) explain();
}

/** Why the piece goes there: features by name, with what each is worth. */
function explain() {
  if (mine.machine && !mine.thought) return;
  shownThought = mine.thought;
  byId("why-table").hidden = !shownThought?.features.length;
  if (!shownThought) return void (byId("why-text").textContent = t("why.none"));
  const [best, second] = shownThought.candidates;
  const figure = (value, digits = 1) => new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: digits, signDisplay: "negative" }).format(value);
  // Our player for points was learned: what it values is no sum of these features.
  const isLearned = mine.machine === "ours" && mine.choices.rules === "gameboy";
  byId("why-text").textContent = t(second ? "why.chosen" : shownThought.places > 1 ? "why.silent" : "why.only", { player: playerName(mine.machine), places: shownThought.places, value: figure(best.value, 2), second: second && figure(second.value, 2) }) + (isLearned ? ` ${t("why.learned")}` : "");
  byId("why-table").classList.toggle("without-worth", isLearned);
  byId("why-rows").replaceChildren(...shownThought.features.map(({ name, amount, weight }) => el(
    "tr",
    { "data-feature": name },
    el("th", { scope: "row" }, t(`feature.${name}`)),
    el("td", {}, figure(amount)),
    el("td", { class: amount * weight < 0 ? "worse" : "better" }, figure(amount * weight)),
  )));
}

function toggleMachine() {
  if (mine?.machine) return takeBack();
  if (!mine) return;
  mine.paceMs = Number(byId("pace").value);
  mine.letPlay(chosenPlayer());
  label();
  if (view === "ready" || view === "over") start();
  else if (view === "paused") resume();
  announce(t("tetris.machine_told", { player: playerName(mine.machine) }));
}

/** Any key of the game gives it back to the person at once. */
function takeBack() {
  if (!mine?.machine) return;
  mine.letPlay(null);
  label();
  explain();
  toast(t("tetris.yours"));
}

function shortcut(event) {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.code === "KeyP" || event.code === "Escape") view === "paused" ? resume() : pause();
  else if (event.code === "KeyM") toggleMachine();
  else if (event.code === "Enter" && !event.target.closest("button, a") && (view === "ready" || view === "over" || view === "paused")) byId("start").click();
}

function changed(event) {
  const chosen = choices();
  byId("size-error").textContent = wrong(chosen);
  document.body.dataset.rules = chosen.rules;
  byId("pace-shown").textContent = t("watch.ms", { ms: byId("pace").value });
  if (event) remember("tetris", JSON.stringify(Object.fromEntries([...SAVED.map((id) => [id, byId(id).value]), ...CHECKED.map((id) => [id, byId(id).checked])])));
  const id = event?.target.id;
  if (id === "pace") for (const table of [mine, rival]) table?.setPace(Number(byId("pace").value));
  if (id === "player" && mine?.machine) mine.letPlay(chosenPlayer());
  if (id === "player" && rival?.machine) rival.letPlay(chosenPlayer());
  if (id === "rules") scores.load();
  if (["rules", "width", "height", "start-level", "heart"].includes(id) && (view === "ready" || view === "over")) preview();
}

/** Shows the field before a game begins. */
function preview() {
  const chosen = choices();
  if (!desk || wrong(chosen)) return;
  const table = new Table(desk);
  picture.draw({ ...table.start(chosen), falling: [], shadow: [] });
  table.end();
}

function savedChoices() {
  try {
    return JSON.parse(remembered("tetris") ?? "{}");
  } catch {
    // Somebody else's text; the choices stay as they are.
    return {};
  }
}

function restore() {
  const saved = savedChoices();
  for (const id of SAVED) if (saved[id] !== undefined) byId(id).value = saved[id];
  for (const id of CHECKED) if (saved[id] !== undefined) byId(id).checked = saved[id];
  if (!byId("player").value) byId("player").value = "ours";
  changed();
}

function fillPlayers() {
  const chosen = byId("player").value || "ours";
  const option = (value, words) => el("option", { value }, words);
  byId("player").replaceChildren(...PLAYERS.map((player) => option(player, t(`player.${player}`))), ...[...plugins.keys()].map((name) => option(`plugin:${name}`, name)));
  byId("player").value = chosen;
}

function chosenPlayer() {
  const chosen = byId("player").value;
  return chosen.startsWith("plugin:") ? plugins.get(chosen.slice(7)) : chosen;
}

/** Offers the players of the server's folder. */
async function welcomeGuests() {
  for (const guest of await fetchGuests()) plugins.set(guest.name, guest);
  const chosen = savedChoices().player;
  fillPlayers();
  if (plugins.has(chosen?.replace(/^plugin:/, ""))) byId("player").value = chosen;
}

const playerName = (machine) => (typeof machine === "string" ? t(`player.${machine}`) : (machine?.name ?? ""));

/** Loads plug-ins that are dropped onto the page. */
async function dropped(event) {
  event.preventDefault();
  for (const file of event.dataTransfer?.files ?? []) await addPlugin(file.name, await file.arrayBuffer());
}

async function addPlugin(file, bytes) {
  const name = file.replace(/\.wasm$/, "");
  byId("plugin-error").textContent = "";
  try {
    const plugin = new Plugin(name, async () => bytes);
    await plugin.load();
    plugins.set(name, plugin);
    fillPlayers();
    byId("player").value = `plugin:${name}`;
    changed();
    toast(t("plugin.loaded", { name }));
  } catch (error) {
    byId("plugin-error").textContent = t("plugin.refused", { name: file, why: error.message });
  }
}

function pluginFailed(why) {
  byId("plugin-error").textContent = t("plugin.failed", { name: byId("player").selectedOptions[0]?.textContent ?? "", why });
  label();
  toast(t("plugin.yours"));
}

function show(next) {
  view = next;
  document.body.dataset.view = next;
  label();
  draw();
}

function label() {
  const machine = mine?.machine ?? null;
  document.body.dataset.machine = machine ? playerName(machine) : "";
  byId("machine").textContent = t(machine ? "tetris.take_back" : "tetris.take_over");
  byId("machine").setAttribute("aria-pressed", String(Boolean(machine)));
  byId("pause").textContent = t(view === "paused" ? "tetris.resume" : "tetris.pause");
  byId("pause").disabled = view !== "playing" && view !== "paused";
  byId("stop").disabled = byId("pause").disabled;
  byId("cover").hidden = view === "playing";
  byId("start").hidden = view === "loading";
  byId("start").textContent = t(view === "paused" ? "tetris.resume" : view === "over" ? "tetris.again" : "tetris.start");
  byId("cover-text").textContent = coverText();
  byId("field").setAttribute("aria-label", t("tetris.field"));
  byId("rival").setAttribute("aria-label", t("tetris.rival"));
  changedWords();
}

function changedWords() {
  byId("pace-shown").textContent = t("watch.ms", { ms: byId("pace").value });
}

function coverText() {
  if (view === "loading") return t("tetris.loading");
  if (view === "paused") return t("tetris.paused");
  if (view === "over") return outcome();
  return challenge ? t("challenge.taken", { score: number(challenge.beat) }) : "";
}

function outcome() {
  const { score } = mine.view;
  if (!byId("theirs").hidden) return t(score >= rival.view.score ? "race.won" : "race.lost", { score: number(score), other: number(rival.view.score) });
  if (challenge) return t(score > challenge.beat ? "challenge.won" : "challenge.lost", { score: number(score), beat: number(challenge.beat) });
  return t("tetris.over", { score: number(score) });
}

// For tests: a file as if it had been dropped, and the tables.
globalThis.gamebot = { addPlugin, tables: () => ({ mine, rival }), desk: () => desk };
