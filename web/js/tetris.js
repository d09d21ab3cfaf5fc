// Tetris for you (P1–P5): play, let a machine take over, race it or a friend, compare players, enter scores.
//
// Hooks: body[data-view=ready|awaiting|playing|paused|over|failed], body[data-machine], body[data-fps], #field, #start, #machine,
//   #pause, #stop, #race, #score, #lines, #level, #why-rows tr[data-feature], #size-error, #plugin-error,
//   #compare-rows tr[data-player], #scores li[data-entry], #challenge-link.

import { announce, toast } from "./announce.js";
import { byId, el } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { listen } from "./play/buttons.js";
import * as challenges from "./play/challenge.js";
import { mountCompare } from "./play/compare.js";
import { openDesk } from "./play/desk.js";
import { FieldPicture } from "./play/field-picture.js";
import { addPlugin, choosePlayer, chosenPlayer, comparable, fillPlayers, isOurs, mountPlayers, playerName, welcomeGuests } from "./play/players.js";
import { KINDS, Race } from "./play/race.js";
import { isRobotHere, RobotRival } from "./play/robot-rival.js";
import { mountScores } from "./play/scores.js";
import { Table } from "./play/table.js";
import { keepUnfinished, unfinished } from "./play/unfinished.js";
import { showThought } from "./play/why.js";
import { remember, remembered, rememberedFields } from "./storage.js";
import { number, onLanguage, t, whyOf } from "./words.js";

const FRAME_MS = 1000 / 59.7275;
/** After a hitch the game goes on where it was, it does not run after the clock. */
const MOST_FRAMES = 4;
const SAVED = ["rules", "width", "height", "start-level", "player", "pace", "race"];
const CHECKED = ["heart", "ghosts"];
/** Choices that make another game; a game to beat is played as it was. */
const OF_THE_GAME = ["rules", "width", "height", "start-level", "heart"];

mountMasthead({ games: true });
const picture = new FieldPicture(byId("field"));
const rivalPicture = new FieldPicture(byId("rival"));
const nextPicture = new FieldPicture(byId("next"));
let desk = null;
let mine = null;
let race = null;
let view = "loading";
let last = 0;
let left = 0;
let frameTimes = [];
let shownThought = null;
// A game to beat: its choices, its score, and its keys if they are known.
let challenge = null;
let comparison = null;
let failure = "";
// The robot as a rival, while somebody races it, and whether there is one here.
let robot = null;
let isRobotKnown = false;

mountPlayers(joined);
restore();
const scores = mountScores(() => byId("rules").value, take);
comparison = mountCompare(comparable, () => (wrong(choices()) ? null : choices()));
const buttons = listen({ pad: byId("pad"), isPlaying: () => view === "playing", isShared: () => race?.kind === "friend", onPress: takeBack });
openDesk().then(ready, failed);

byId("start").addEventListener("click", () => (view === "paused" ? resume() : start()));
byId("pause").addEventListener("click", () => (view === "paused" ? resume() : pause()));
byId("stop").addEventListener("click", stop);
byId("machine").addEventListener("click", toggleMachine);
byId("choices").addEventListener("input", changed);
byId("choices").addEventListener("submit", (event) => event.preventDefault());
byId("challenge-copy").addEventListener("click", copyChallenge);
addEventListener("keydown", shortcut);
document.addEventListener("visibilitychange", () => document.hidden && view === "playing" && pause());
addEventListener("hashchange", fromAddress);
onLanguage(() => {
  fillPlayers();
  label();
  shownThought = null;
});

async function ready(opened) {
  desk = opened;
  mine = new Table(desk, pluginFailed);
  race = new Race(desk, pluginFailed);
  scores.load();
  welcomeGuests(rememberedFields("tetris").player);
  show("ready");
  preview();
  requestAnimationFrame(frame);
  performance.mark("ready");
  const before = unfinished();
  keepUnfinished(inProgress);
  const isLink = location.hash === "#robot" || location.hash.includes("seed=");
  if (before && !isLink) goOn(before);
  isRobotKnown = await isRobotHere();
  fillRaces();
  if (!isLink) return;
  await fromAddress();
  if (before && challenge?.choices.seed === before.choices.seed) goOn(before);
}

/** The game that a reload may take up again. Others go on without this page, or end with it. */
function inProgress() {
  if (!isRunning() || race.kind || mine.view.over) return null;
  return { choices: mine.choices, keys: mine.keys(), helped: mine.helped };
}

/** Takes up the game that this tab had when its page went. */
function goOn({ choices, keys, helped }) {
  if (view !== "ready") return;
  try {
    mine.goOn(choices, keys);
  } catch {
    // What was kept is no game.
    return;
  }
  mine.helped = helped;
  race.start("", choices, {});
  show("paused");
  toast(t("tetris.kept"));
}

/** A link leads to a friend's game, or to the robot. */
async function fromAddress() {
  if (location.hash === "#robot" && isRobotKnown) {
    fillRaces("robot");
    byId("rules").value = "gameboy";
    challenge = null;
    changed();
    show("ready");
  } else take(await challenges.read(location.hash));
}

function failed(error) {
  failure = whyOf(error);
  show("failed");
}

/** The choices as the desk wants them. */
function choices() {
  const whole = (id) => (/^\d+$/.test(byId(id).value.trim()) ? Number(byId(id).value) : Number.NaN);
  const seed = challenge?.choices.seed ?? crypto.getRandomValues(new Uint32Array(1))[0];
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

/** Begins a game of the person, or of the machine; against the robot, once it plays. */
function start(player = null) {
  if (byId("race").value === "robot") awaitRobot(player);
  else begin(player);
}

function begin(player) {
  const kind = byId("race").value;
  const chosen = choices();
  byId("size-error").textContent = wrong(chosen);
  if (wrong(chosen)) return byId("size-error").scrollIntoView({ block: "center" });
  const paceMs = Number(byId("pace").value);
  mine.paceMs = paceMs;
  mine.letPlay(null);
  mine.start(chosen, { pieces: kind === "robot" ? robot.pieces : null });
  if (player) mine.letPlay(player);
  race.start(kind, chosen, { name: rivalName, machine: chosenPlayer(), robot, keys: challenge?.keys, paceMs });
  byId("theirs").hidden = !kind;
  byId("mine-name").textContent = "";
  scores.withdraw();
  byId("challenge").hidden = true;
  resume();
}

/** Waits for the robot's first pieces, then begins at its level. */
function awaitRobot(player) {
  robot?.close();
  robot = new RobotRival((pieces) => {
    if (isRunning()) return mine.deal(pieces);
    if (view !== "awaiting" || !robot.isReady) return;
    byId("start-level").value = robot.level;
    byId("heart").checked = robot.heart;
    begin(player);
  });
  robot.open();
  show("awaiting");
}

/** What the other field is called. */
function rivalName() {
  if (race.kind === "machine") return playerName(chosenPlayer());
  if (race.kind === "robot") return t("race.robot");
  return race.kind === "friend" ? t("race.friend") : (challenge?.name || t("race.recorded"));
}

function resume() {
  last = performance.now();
  left = 0;
  show("playing");
  byId("field").focus({ preventScroll: true });
  const { top, bottom } = byId("mine").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) byId("game").scrollIntoView({ block: "start" });
}

function pause() {
  if (view === "playing") show("paused");
}

function stop() {
  if (isRunning()) finish();
}

function isRunning() {
  return view === "playing" || view === "paused";
}

/** The end: offers the game to the table of scores, and its pieces to a friend. */
async function finish() {
  const { score, lines, level } = mine.view;
  const game = { choices: mine.choices, keys: mine.keys(), score };
  const against = race.kind;
  show("over");
  toast("");
  // The next race is against another game of the robot.
  if (against === "robot") robot.close();
  announce(t("tetris.over_told", { score: number(score), lines: number(lines) }));
  // Pieces that the robot was dealt cannot be dealt again from a seed, so nobody could prove such a game.
  if (!score || against === "robot") return;
  const player = mine.helped ? (typeof mine.machine === "string" ? mine.machine : byId("player").value) : null;
  scores.offer({ ...game, lines, level, player: isOurs(player) ? player : null });
  const link = new URL(location.href);
  link.hash = await challenges.written({ ...game, name: remembered("name") });
  byId("challenge-link").href = link;
  byId("challenge-link").textContent = t("challenge.link", { score: number(score) });
  byId("challenge").hidden = view !== "over";
}

/** Takes a game to beat, from a friend's link or from the list: the same rules, the same pieces, and if its keys are known,
 *  the game itself in the other field. */
function take(game) {
  if (!game) return;
  const { rules, width, height, level, heart } = game.choices;
  byId("rules").value = rules;
  for (const [id, value] of [["width", width], ["height", height], ["start-level", level ?? 0]]) if (value !== undefined) byId(id).value = value;
  byId("heart").checked = heart === true;
  challenge = game;
  fillRaces(game.keys ? "recorded" : "");
  changed();
  mine.letPlay(null);
  byId("theirs").hidden = true;
  show("ready");
  preview();
  toast(t("challenge.taken", { score: number(game.score), name: game.name || t("challenge.somebody") }));
  byId("game").scrollIntoView({ block: "nearest" });
}

/** Browsers lend the clipboard to safe addresses only; elsewhere the link itself can be copied. */
async function copyChallenge() {
  try {
    await navigator.clipboard.writeText(byId("challenge-link").href);
    toast(t("challenge.copied"));
  } catch {
    toast(t("challenge.not_copied"));
  }
}

function forgetChallenge() {
  if (!challenge) return;
  challenge = null;
  history.replaceState(null, "", location.pathname + location.search);
  if (byId("race").value === "recorded") byId("race").value = "";
}

function frame(now) {
  requestAnimationFrame(frame);
  countFrames(now);
  for (const command of buttons.commands()) command === "machine" ? toggleMachine() : view === "playing" ? pause() : byId("start").click();
  if (view !== "playing") return;
  const wasWaiting = mine.view.waiting;
  left = Math.min(left + now - last, MOST_FRAMES * FRAME_MS);
  last = now;
  for (; left >= FRAME_MS; left -= FRAME_MS) {
    const [held, friends] = buttons.take();
    if (!mine.view.over) mine.step(mine.machine ? 0 : held);
    race.step(friends);
  }
  draw();
  if (mine.view.waiting && !wasWaiting) toast(t("race.ahead"));
  if (isDecided()) finish();
}

/** Whether nothing can change the result any more. */
function isDecided() {
  const { over, waiting, score } = mine.view;
  if (race.kind === "robot") return over || (waiting && race.isOver);
  return over && (race.isOver || race.score > score);
}

function countFrames(now) {
  frameTimes = [...frameTimes.filter((time) => now - time < 1000), now];
  document.body.dataset.fps = String(frameTimes.length);
}

function draw() {
  if (!mine?.view) return;
  const shown = mine.view;
  const candidates = byId("ghosts").checked && isRunning() ? (mine.thought?.candidates ?? []) : [];
  picture.draw(shown, { candidates, dimmed: view === "paused" });
  nextPicture.drawNext(shown);
  if (race.kind) rivalPicture.draw(race.view, { dimmed: view === "paused" });
  const text = (id, words) => byId(id).textContent !== words && (byId(id).textContent = words);
  text("score", number(shown.score));
  text("lines", number(shown.lines));
  text("level", number(shown.level));
  text("speed", new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 }).format(shown.rows_per_second));
  if (race.kind) {
    text("mine-name", `${t("race.you")} · ${number(shown.score)}`);
    text("theirs-name", race.kind === "robot" ? t("race.robot_score", { score: number(race.score), pieces: number(shown.pieces), then: number(race.scoreAgainst(shown.pieces)) }) : `${race.name} · ${number(race.score)}`);
  }
  if (mine.thought !== shownThought) explain();
}

function explain() {
  if (mine.machine && !mine.thought) return;
  shownThought = mine.thought;
  // Our player for points was learned: what it values is no sum of these features.
  showThought(shownThought, { player: playerName(mine.machine), isLearned: mine.machine === "ours" && mine.choices.rules === "gameboy" });
}

function toggleMachine() {
  if (!mine) return;
  if (!isRunning()) start(chosenPlayer());
  else if (mine.machine) return takeBack();
  else {
    mine.paceMs = Number(byId("pace").value);
    mine.letPlay(chosenPlayer());
    resume();
  }
  if (mine.machine) announce(t("tetris.machine_told", { player: playerName(mine.machine) }));
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
  if (event) remember("tetris", JSON.stringify(Object.fromEntries([...SAVED.map((id) => [id, byId(id).value]), ...CHECKED.map((id) => [id, byId(id).checked])])));
  const id = event?.target.id;
  if (id === "pace") for (const table of [mine, race]) table?.setPace(Number(byId("pace").value));
  if (id === "player" && isRunning() && mine.machine) mine.letPlay(chosenPlayer());
  if (id === "player") race?.setMachine(chosenPlayer());
  if (id === "rules") scores.load();
  // Whoever chooses another game does not play the friend's any more.
  if (OF_THE_GAME.includes(id) || (id === "race" && byId("race").value !== "recorded")) forgetChallenge();
  if (id === "rules" && byId("race").value === "robot") byId("race").value = "";
  if (view === "awaiting" && byId("race").value !== "robot") {
    robot.close();
    show("ready");
  }
  label();
  if (OF_THE_GAME.includes(id) && (view === "ready" || view === "over")) preview();
}

/** Who can be raced now. A friend needs a keyboard or a gamepad, a recorded game must have been chosen. */
function fillRaces(chosen = byId("race").value) {
  const offered = { "": true, machine: true, friend: !matchMedia("(hover: none) and (pointer: coarse)").matches, robot: isRobotKnown, recorded: Boolean(challenge?.keys) };
  byId("race").replaceChildren(...KINDS.filter((kind) => offered[kind] || kind === chosen).map((kind) => el("option", { value: kind }, t(`race.${kind || "nobody"}_choice`, { name: challenge?.name || t("race.recorded") }))));
  byId("race").value = chosen;
  byId("friends-keys").hidden = chosen !== "friend";
}

/** Shows the field before a game begins. */
function preview() {
  const chosen = choices();
  if (!desk || wrong(chosen)) return;
  const table = new Table(desk);
  picture.draw({ ...table.start(chosen), falling: [], shadow: [] });
  table.end();
}

function restore() {
  const saved = rememberedFields("tetris");
  const isFitting = (id, text) => typeof text === "string" && (byId(id).tagName === "SELECT" || /^\d+$/.test(text));
  for (const id of SAVED) if (isFitting(id, saved[id])) byId(id).value = saved[id];
  for (const id of CHECKED) if (typeof saved[id] === "boolean") byId(id).checked = saved[id];
  if (!byId("rules").value) byId("rules").value = "gameboy";
  choosePlayer(saved.player);
  // A recorded game lasts as long as the visit.
  if (!["machine", "friend"].includes(byId("race").value)) byId("race").value = "";
  changed();
}

/** There are new players. */
function joined() {
  comparison.refresh();
  changed();
}

function pluginFailed(error) {
  byId("plugin-error").textContent = t("plugin.failed", { name: byId("player").selectedOptions[0]?.textContent ?? "", why: whyOf(error) });
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
  const machine = isRunning() ? mine.machine : null;
  document.body.dataset.machine = machine ? playerName(machine) : "";
  byId("machine").textContent = t(machine ? "tetris.take_back" : "tetris.take_over");
  byId("machine").setAttribute("aria-pressed", String(Boolean(machine)));
  byId("pause").textContent = t(view === "paused" ? "tetris.resume" : "tetris.pause");
  byId("pause").disabled = byId("stop").disabled = !isRunning();
  byId("cover").hidden = view === "playing";
  byId("start").hidden = byId("machine").disabled = ["loading", "failed", "awaiting"].includes(view);
  byId("start").textContent = t(view === "paused" ? "tetris.resume" : view === "over" ? "tetris.again" : "tetris.start");
  byId("cover-text").textContent = coverText();
  byId("field").setAttribute("aria-label", t("tetris.field"));
  byId("rival").setAttribute("aria-label", t("tetris.rival"));
  byId("pace-shown").textContent = byId("pace").value === "0" ? t("choices.pace_none") : t("watch.ms", { ms: byId("pace").value });
  fillRaces();
}

function coverText() {
  if (view === "loading") return t("tetris.loading");
  if (view === "failed") return t("tetris.failed", { why: failure });
  if (view === "awaiting") return t("race.awaiting");
  if (view === "paused") return t("tetris.paused");
  if (view === "over") return outcome();
  return challenge ? t("challenge.taken", { score: number(challenge.score), name: challenge.name || t("challenge.somebody") }) : "";
}

function outcome() {
  const { score, pieces } = mine.view;
  const other = race.scoreAgainst(pieces);
  if (race.kind) return t(score === other ? "race.drawn" : score > other ? "race.won" : "race.lost", { score: number(score), other: number(other), name: race.name });
  if (challenge) return t(score > challenge.score ? "challenge.won" : "challenge.lost", { score: number(score), beat: number(challenge.score) });
  return t("tetris.over", { score: number(score) });
}

// For tests: a file as if it had been dropped, and the tables.
globalThis.gamebot = { addPlugin, tables: () => ({ mine, rival: race }), desk: () => desk, robot: () => robot };
