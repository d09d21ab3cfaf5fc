// The operator's page (/admin): password, table, robot, settings, live traffic, downloads (C12).
//
// Hooks: body[data-view] is entering, setup, login or open; #setup (#setup-code, #setup-password, #setup-error), #login
//   (#login-password, #login-error), #logout; #address-warning, #database-warning; #table-text, #end-game; dialog#confirm; #happenings li; #robot-status[data-status], [data-command],
//   [data-fault]; #settings .setting[data-key][data-source] with input or select, .save, .reset, .error; #traffic-part, #traffic tr,
//   #traffic-hold.

import { toast } from "./announce.js";
import { mountDatabase } from "./database.js";
import { byId, el } from "./elements.js";
import { enterHall } from "./hall.js";
import { mountHappenings } from "./happenings.js";
import { mountMasthead } from "./masthead.js";
import { Refused, ask } from "./operator.js";
import { playerName } from "./plates.js";
import { mountSettings } from "./settings.js";
import { closeConfirm, confirm } from "./questions.js";
import { showLink } from "./strips.js";
import { mountTraffic } from "./traffic.js";
import { onLanguage, setHallLanguage, spoken, t } from "./words.js";

const FAULTS = ["no_answer", "wrong_byte", "deaf", "stuck_busy", "error", "jam", "repair", "unplug", "plug"];
/** Kinds of robots that are talked to character by character. */
const ON_A_LINE = ["simulated", "serial"];
/** What can happen to each kind of simulated robot. */
const FAULTS_OF = { simulated: FAULTS, "simulated-lego": ["deaf", "error", "jam", "repair", "unplug", "plug"] };

mountMasthead();
const settings = mountSettings(byId("settings"), closeDesk);
const traffic = mountTraffic();
const happenings = mountHappenings(byId("happenings"));
const database = mountDatabase(byId("database-warning"));
/** This machine's address in its network, if it has one. */
let networkHost = null;
let hall = null;

byId("setup").addEventListener("submit", (event) => enter(event, "setup"));
byId("login").addEventListener("submit", (event) => enter(event, "login"));
byId("logout").addEventListener("click", async () => {
  await attempt(() => ask("POST", "/api/admin/logout"));
  show("login");
});
byId("end-game").addEventListener("click", async () => {
  if (await sure("end")) attempt(() => ask("POST", "/api/admin/game/end"), "admin.ended");
});
for (const button of document.querySelectorAll("[data-command]")) {
  button.addEventListener("click", async () => {
    if (await sure(button.dataset.command)) attempt(() => ask("POST", "/api/admin/robot", { command: button.dataset.command }), "admin.sent");
  });
}
byId("fault-buttons").append(...FAULTS.map((fault) =>
  el("button", {
    type: "button",
    class: "button small",
    "data-fault": fault,
    "data-t": `fault.${fault}`,
    onclick: () => attempt(() => ask("POST", "/api/admin/robot/fault", { fault }), "admin.sent"),
  }, t(`fault.${fault}`))));
onLanguage(renderHall);
enterOffice();

/** Asks before what cannot be undone. */
const sure = (what) =>
  confirm({ title: t(`sure.${what}`), text: t(`sure.${what}_text`), yes: t(`sure.${what}_yes`), no: t("sure.no") });

async function enterOffice() {
  try {
    show((await ask("GET", "/api/admin/session")).state);
  } catch {
    toast(t("admin.away"));
  }
}

async function enter(event, door) {
  event.preventDefault();
  const error = byId(`${door}-error`);
  error.textContent = "";
  try {
    await ask("POST", `/api/admin/${door}`, Object.fromEntries(new FormData(event.target)));
    event.target.reset();
    show("open");
  } catch (refusal) {
    error.textContent = wordsOf(refusal, door === "login" && refusal.status === 401 ? "admin.wrong" : null);
    byId(`${door}-password`).focus();
  }
}

function show(view) {
  document.body.dataset.view = view;
  byId("setup").hidden = view !== "setup";
  byId("login").hidden = view !== "login";
  byId("desk").hidden = view !== "open";
  byId("logout").hidden = view !== "open";
  happenings.watch(view === "open");
  if (view === "open") return openDesk();
  traffic.stop();
  closeConfirm();
}

function openDesk() {
  settings.load();
  database.look();
  ask("GET", "/api/admin/network").then(({ host }) => {
    networkHost = host;
    renderHall();
  }, () => undefined);
  hall ??= enterHall({
    onChange: (event) => {
      setHallLanguage(hall.state.language);
      happenings.hear(event, hall.state);
      if (event.type === "RECORDING") database.look();
      renderHall();
    },
    onLink: (up) => showLink(up, () => hall.retry()),
  });
  renderHall();
}

/** The session has run out. */
function closeDesk() {
  show("login");
}

async function attempt(request, done = null) {
  try {
    await request();
    if (done) toast(t(done));
  } catch (refusal) {
    if (refusal.status === 401) closeDesk();
    toast(refusal.status === 409 ? t("admin.no_game") : wordsOf(refusal));
  }
}

/** The server's own words if it gave some. */
function wordsOf(refusal, known = null) {
  if (!(refusal instanceof Refused)) return t("admin.away");
  if (refusal.status === 429) return t("admin.wait", { seconds: refusal.answer.retry_after_s });
  return known ? t(known) : refusal.answer.error ?? t("admin.failed");
}

function renderHall() {
  const state = hall?.state;
  if (!state) return;
  const { game, robot } = state;
  byId("table-text").textContent = game
    ? t("admin.table_playing", { red: playerName(game.red), yellow: playerName(game.yellow), moves: game.moves.length })
    : state.waiting ? t("admin.table_waiting", { name: state.waiting }) : t("admin.table_free");
  byId("end-game").disabled = !game || game.result !== null;
  const status = byId("robot-status");
  status.dataset.status = robot.status;
  status.className = ["error", "lost"].includes(robot.status) ? "tag alarm" : robot.status === "busy" ? "tag" : "tag good";
  status.textContent = t(`robot.${robot.status}`);
  byId("robot-kind").textContent = t("admin.robot_kind", { kind: t(`robot.kind.${robot.kind}`) });
  byId("robot-text").textContent = spoken(robot.text);
  const faults = FAULTS_OF[robot.kind] ?? [];
  byId("faults").hidden = faults.length === 0;
  for (const button of byId("fault-buttons").children) button.hidden = !faults.includes(button.dataset.fault);
  byId("robot-commands").hidden = robot.kind === "none";
  const isOnLine = ON_A_LINE.includes(robot.kind);
  byId("traffic-part").hidden = !isOnLine;
  if (isOnLine && document.body.dataset.view === "open") traffic.start();
  else traffic.stop();
  renderWarning(state.address);
}

/** Phones cannot reach an address that only this machine understands. */
function renderWarning(address) {
  const warning = byId("address-warning");
  const local = URL.canParse(address) && /^(localhost|127\..*|\[::1\])$/.test(new URL(address).hostname);
  warning.hidden = !local;
  if (!local) return;
  const port = new URL(address).port || "80";
  const better = networkHost ? `http://${networkHost}:${port}/` : null;
  warning.textContent = [t("admin.loopback", { address }), better ? t("admin.loopback_better", { better, port }) : t("admin.loopback_start", { port })].join(" ");
}
