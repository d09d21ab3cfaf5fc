// Lobby and game (/): sign up, wait, play, hear how it ended.
//
// Hooks: body[data-view] is entering, lobby, waiting, playing or result; body[data-seat] red or yellow while seated.
//   Lobby: #signup, #name, #name-error, #opponents input[value=…] (ids opponent-…), #start, #table-note[data-mood],
//   #queue, #queue-place, #queue-cancel. Waiting: #waiting, #waiting-cancel. Game: #turn[data-turn=mine|theirs],
//   #turn-title, #why, #leave, #plates, board hooks in board.js. End: #result[data-mood=won|lost|draw|ended],
//   #result-title, #result-offer, #rematch, #result-ends, #keepsake, #to-lobby. Questions: dialog#inactivity, #stay,
//   dialog#no-virtual, #accept, #decline, dialog#confirm, #confirm-yes, #confirm-no.
//   Notes: #toast, #announcer, #strip-link, #strip-robot, #strip-recording.

import { announce, toast } from "./announce.js";
import { createBoard } from "./board.js";
import { cellsOf, other } from "./disc.js";
import { byId } from "./elements.js";
import { enterHall } from "./hall.js";
import { mountMasthead } from "./masthead.js";
import { outcomeForAll, outcomeForPlayer } from "./outcome.js";
import { playerName, showPlates } from "./plates.js";
import { closeConfirm, confirm, mountInactivity, mountNoVirtual } from "./questions.js";
import { mountSignup } from "./signup.js";
import { sound } from "./sounds.js";
import { showLink, showRecording, showRobotFault } from "./strips.js";
import { createTurn } from "./turn.js";
import { onLanguage, setHallLanguage, spoken, t } from "./words.js";

/** A result that nobody takes away goes by itself: the device may stand in the hall. */
const RESULT_MS = 60_000;
/** Phones and tablets have no keys to speak of. */
const fingers = window.matchMedia("(hover: none)");
/** What the empty table of the lobby shows: a diagonal of red. */
const POSTER = [4, 5, 5, 6, 6, 7, 6, 7, 7, 2, 7];
const POSTER_FOUR = [4, 5, 6, 7].map((column) => ({ column, row: column - 3 }));

mountMasthead({ sounds: true });
const board = createBoard({ onDrop: (column) => turn.wish(column), onRefuse: (code) => view() === "playing" && sayNo(code) });
byId("board-place").append(board.element);
const turn = createTurn({
  send: (column) => hall.send({ type: "TURN", column }),
  mayMove: () => view() === "playing" && hall.state.game.next === hall.seat.disc,
  show: (column) => board.pending(column),
});
const signup = mountSignup((wish) => askToPlay(wish));
const inactivity = mountInactivity(() => hall.send({ type: "STAY" }));
const noVirtual = mountNoVirtual({
  onAccept: () => askToPlay(wish, { accept: true }),
  onInsist: () => askToPlay(wish, { insist: true }),
});

/** The last sign-up. */
let wish = null;
/** The finished game of this visitor, until the visitor leaves it behind. */
let result = null;
let leaving = null;
/** Resolves when every disc lies still. */
let landed = Promise.resolve();
let endTimer = 0;

const hall = enterHall({
  seated: true,
  onChange: hear,
  onLink: (up) => {
    showLink(up, () => hall.retry());
    if (!up) turn.forget();
  },
});

byId("leave").addEventListener("click", async () => {
  const words = { title: t("leave.title"), text: t("leave.text"), yes: t("leave.yes"), no: t("leave.no") };
  if ((await confirm(words)) && view() === "playing") leave();
});
byId("waiting-cancel").addEventListener("click", leave);
byId("queue-cancel").addEventListener("click", leave);
byId("without-robot").addEventListener("click", () => hall.send({ type: "WITHOUT_ROBOT" }));
byId("rematch").addEventListener("click", () => {
  if (!hall.send({ type: "REMATCH" })) return;
  result.wanted = true;
  render();
});
byId("to-lobby").addEventListener("click", () => {
  if (hall.seat) hall.send({ type: "LEAVE" });
  dismissResult();
});
document.addEventListener("keydown", (event) => {
  if (/^[1-7]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && view() === "playing") board.drop(Number(event.key));
});
onLanguage(() => hall.state && render());

function hear(event) {
  switch (event.type) {
    case "WELCOME":
      welcomeBack(event);
      break;
    case "NAME_INVALID":
      signup.refuseName("name.invalid");
      break;
    case "NAME_TAKEN":
      signup.refuseName("name.taken");
      break;
    case "NO_VIRTUAL":
      noVirtual.ask(event.waiting);
      break;
    case "TABLE_BUSY":
      toast(t("queue.full"));
      break;
    case "DROPPED":
      inactivity.close();
      signup.forgetName();
      toast(t("queue.dropped"));
      break;
    case "REFUSED":
      refuse(event.code);
      break;
    case "INACTIVITY":
      sound("ask");
      inactivity.ask(event.seconds);
      break;
    case "REMATCH_OFFER":
      if (result) result.offered = true;
      announce(t("result.offer", { name: event.name }));
      break;
    case "GAME_START":
      begin(event);
      break;
    case "TURN":
      tell(event);
      break;
    case "GAME_OVER":
    case "GAME_DRAW":
    case "GAME_ENDED":
      finish();
      break;
    case "VISITOR_LEFT":
      noVirtual.close();
      break;
    case "TABLE_FREE":
      if (result) result.over = true;
      break;
  }
  setHallLanguage(hall.state.language);
  render();
}

function refuse(code) {
  if ((code === "robot_busy" || code === "robot_fault") && turn.hold()) return;
  turn.forget();
  // Who was asked for a rematch has gone, or others come first.
  if (result?.wanted && ["no_game", "others_wait"].includes(code)) result.over = true;
  if (code === "others_wait" && result) result.wanted = false;
  if (code !== "no_game" || !result) sayNo(code);
}

/** A tap that cannot be followed gets an answer. */
function sayNo(code) {
  sound("refused");
  toast(t(`refused.${code}`));
}

function welcomeBack(event) {
  turn.forget();
  if (event.question_s !== null && event.question_s !== undefined) inactivity.ask(event.question_s);
  else inactivity.close();
  // The seat may have been given up while the link was away.
  if (document.body.dataset.view === "playing" && !hall.seat) toast(t("seat.lost"));
  const game = event.state.game;
  if (hall.seat && game?.result && !result) showResult(game, hall.seat);
  if (hall.seat && game && !game.result) result = null;
}

function askToPlay(wanted, answer = {}) {
  wish = wanted;
  if (!hall.send({ type: "GAME_SIGNUP", ...wanted, ...answer })) toast(t("link.lost"));
}

function begin(event) {
  noVirtual.close();
  turn.forget();
  if (!hall.seat) return;
  // Others' games leave a question to whoever stands in line open.
  inactivity.close();
  clearTimeout(leaving);
  result = null;
  const mine = hall.seat.disc;
  announce(t("game.begins", { name: playerName(event[other(mine)]), disc: t(`disc.${mine}`) }));
  document.activeElement?.blur();
  scrollTo({ top: 0 });
}

function tell(event) {
  const game = hall.state.game;
  if (hall.seat?.disc === event.disc) turn.forget();
  if (!game || view() === "lobby") return;
  const words = t("turn.told", { disc: t(`disc.${event.disc}`), column: event.column, row: event.row });
  const mine = hall.seat && event.next === hall.seat.disc;
  if (hall.seat) sound(mine ? "mine" : "drop");
  const reason = whyWords(game, event.disc);
  announce([words, mine && t("turn.mine"), reason].filter(Boolean).join(" "));
}

/** Why the machine played its last turn; empty for people. */
function whyWords(game, disc) {
  const why = game.why?.disc === disc ? spoken(game.why.reason) : "";
  return why ? t("turn.why", { column: game.why.column, text: why }) : "";
}

/** The result is told when the last disc has landed. */
async function finish() {
  const { game } = hall.state;
  const seat = hall.seat;
  if (!seat || !game) return;
  inactivity.close();
  closeConfirm();
  await landed;
  if (hall.state?.game?.game === game.game || !hall.state?.game) showResult(game, seat);
}

function showResult(game, seat) {
  turn.forget();
  board.enable(null);
  result = { game, mine: { ...seat }, wanted: false, offered: false, over: !hall.seat, endsAt: endOf(game) };
  sound({ won: "won", lost: "lost", draw: "draw", ended: "draw" }[outcomeForPlayer(game, seat).mood]);
  clearTimeout(leaving);
  leaving = setTimeout(dismissResult, RESULT_MS);
  if (game.reason === "inactive" && game.winner !== result.mine.disc) signup.forgetName();
  render();
  byId("result-title").focus({ preventScroll: true });
}

/** When the table is given to the next, on this page's clock. */
const endOf = ({ free_in_s: left }) => (left === null || left === undefined ? null : performance.now() + 1000 * left);

function dismissResult() {
  clearTimeout(leaving);
  result = null;
  render();
  byId("name").focus({ preventScroll: true });
}

function leave() {
  hall.send({ type: "LEAVE" });
  inactivity.close();
  turn.forget();
  result = null;
  render();
}

function view() {
  if (!hall.state) return "entering";
  if (result) return "result";
  if (hall.seat && hall.state.game) return "playing";
  // Whoever stands in line sees the table and the place; whoever waits for a person, how to bring one along.
  return hall.waiting && !isInLine() ? "waiting" : "lobby";
}

const isInLine = () => hall.waiting && hall.place !== null && hall.place.wait_s !== null;

function render() {
  const now = view();
  document.body.dataset.view = now;
  if (hall.seat) document.body.dataset.seat = hall.seat.disc;
  else delete document.body.dataset.seat;
  for (const id of ["lobby", "waiting", "result"]) byId(id).hidden = id !== now;
  byId("turn").hidden = now !== "playing";
  showRobotFault(hall.state.game?.without_robot ? { status: "off" } : hall.state.robot, now === "playing");
  showRecording(hall.state.recorded);
  if (now === "lobby") renderLobby();
  if (now === "waiting") renderWaiting();
  if (now === "result") renderResult();
  if (now === "playing") renderTurn();
  renderTable(now === "result" ? result.game : hall.state.game);
}

function renderLobby() {
  const { state } = hall;
  signup.offer(state.levels);
  byId("poster2").textContent = t(state.robot.kind === "none" ? "attract.title2_none" : "lobby.poster2");
  signup.tableTaken(Boolean(state.game) && !state.game.demo);
  const [mood, words] = tableNote(state);
  byId("table-note").dataset.mood = mood;
  const note = byId("table-note");
  if (note.textContent !== words) note.textContent = words;
  byId("queue").hidden = !isInLine();
  byId("signup").hidden = isInLine();
  if (isInLine()) renderQueue(state);
}

function renderQueue() {
  const { position, wait_s: wait } = hall.place;
  byId("queue").dataset.position = position;
  byId("queue-place").textContent = t(position === 1 ? "queue.next" : "queue.place", { position });
  byId("queue-text").textContent = `${t("queue.wait", { minutes: Math.max(1, Math.round(wait / 60)) })} ${t("queue.text")}`;
}

/** What happens at the table, and so why one may have to wait (C2). */
function tableNote({ table, game, waiting, robot }) {
  if (table === "waiting" && waiting) return ["waiting", t("note.waiting", { name: waiting })];
  if (!game || table === "free") return ["free", t("note.free")];
  const players = { red: playerName(game.red), yellow: playerName(game.yellow) };
  if (game.demo) return ["free", t("note.demo")];
  if (table === "finished") return ["busy", `${outcomeForAll(game)} ${t("note.soon")}`];
  return ["busy", t(robot.kind === "none" ? "note.busy_none" : "note.busy", players)];
}

function renderWaiting() {
  const human = !wish || wish.opponent === "human";
  byId("waiting-title").textContent = t(human ? "waiting.title" : "waiting.table_title");
  byId("waiting-text").textContent = t(human ? "waiting.text" : hall.state.robot.kind === "none" ? "waiting.table_text_none" : "waiting.table_text");
  byId("waiting-qr").hidden = !human;
  byId("address").textContent = hall.state.address ?? "";
}

function renderTurn() {
  const { game, robot } = hall.state;
  // The last disc is still falling.
  if (game.result) return;
  const mine = game.next === hall.seat.disc;
  byId("turn").dataset.turn = mine ? "mine" : "theirs";
  const opponent = game[other(hall.seat.disc)];
  const theirs = opponent.level === null ? t("turn.theirs", { name: opponent.name }) : t("turn.machine");
  byId("turn-title").textContent = mine ? t("turn.mine") : theirs;
  byId("turn-text").textContent = robot.status === "busy" ? t("turn.robot") : mine ? t(fingers.matches ? "turn.tap" : "turn.how") : "";
  // A robot that is away need not end the game.
  byId("without-robot").hidden = game.without_robot || !["error", "lost"].includes(robot.status);
  const why = whyWords(game, other(hall.seat.disc));
  byId("why").hidden = !why;
  byId("why").textContent = why;
}

function renderResult() {
  const { mood, title, text } = outcomeForPlayer(result.game, result.mine);
  byId("result").dataset.mood = mood;
  const heading = byId("result-title");
  if (heading.textContent !== title) {
    heading.textContent = title;
    announce(`${title} ${text}`);
  }
  byId("result-text").textContent = text;
  const opponent = result.game[other(result.mine.disc)];
  const possible = hall.seat !== null && !result.over && ["four", null, undefined].includes(result.game.reason);
  byId("rematch").hidden = !possible || result.wanted;
  renderEnd(possible);
  byId("keepsake").hidden = result.game.moves.length === 0;
  byId("keepsake-code").src = `/qr.svg?game=${result.game.game}`;
  byId("keepsake-link").href = `/games#${result.game.game}`;
  const offer = byId("result-offer");
  offer.hidden = !(result.offered || result.wanted);
  if (result.over && result.wanted) offer.textContent = t("result.declined", { name: playerName(opponent) });
  else if (result.wanted) offer.textContent = t("result.asked", { name: playerName(opponent) });
  else if (result.offered) offer.textContent = t("result.offer", { name: playerName(opponent) });
}

/** How long "Play again" is still possible. */
function renderEnd(possible) {
  const left = result.endsAt === null ? null : Math.max(0, Math.ceil((result.endsAt - performance.now()) / 1000));
  byId("rematch").textContent = t("result.rematch");
  byId("result-ends").hidden = !possible || left === null;
  byId("result-ends").textContent = left === null ? "" : t("result.ends", { seconds: left });
  clearTimeout(endTimer);
  if (possible && left) endTimer = setTimeout(() => result && renderEnd(!result.over && hall.seat !== null), 1000);
}

function renderTable(game) {
  const mine = (result?.mine ?? hall.seat)?.disc ?? null;
  byId("table").hidden = view() === "entering";
  showPlates(byId("plates"), game, mine);
  const poster = !game && view() === "lobby";
  board.element.classList.toggle("poster-board", poster);
  const cells = cellsOf(poster ? POSTER : (game?.moves ?? []));
  landed = board.show(cells);
  if (poster) board.win(POSTER_FOUR);
  else if (game?.cells?.length) lightWhenLanded(game);
  else board.markLast(game && !game.result ? cells.at(-1) : null);
  const playing = view() === "playing" && game.next === hall.seat.disc && !game.result;
  board.enable(playing ? mine : null);
}

/** The winning four light up when the last of them lies in its place. */
async function lightWhenLanded(game) {
  await landed;
  const shown = result?.game ?? hall.state.game;
  if (shown?.game === game.game && shown.cells?.length) board.win(shown.cells);
}
