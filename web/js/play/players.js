// Who can play: our players, and those from outside that were dropped onto the page or are lent by the server (P3).
//
// Hooks: #player option[value], #plugin-file, #plugin-error.

import { toast } from "../announce.js";
import { byId, el } from "../elements.js";
import { t, whyOf } from "../words.js";
import { fetchGuests } from "./guests.js";
import { Plugin } from "./plugin.js";

/** Our own, as the desk names them. */
const OURS = ["height", "clever", "bergmark", "lee", "bcts", "ours"];
const BEST = "ours";
const FROM_OUTSIDE = "plugin:";
const plugins = new Map();
let onNew = () => {};

/** Lists our players, and takes plug-ins that are dropped onto the page; `onNew()` is called whenever somebody joins. */
export function mountPlayers(told) {
  onNew = told;
  fillPlayers();
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", dropped);
  byId("plugin-file").addEventListener("change", ({ target }) => addAll(target.files));
}

/** Lists everybody in the visitor's language; whoever was chosen stays chosen. */
export function fillPlayers() {
  const chosen = byId("player").value || BEST;
  const option = (value, words) => el("option", { value }, words);
  byId("player").replaceChildren(...OURS.map((player) => option(player, t(`player.${player}`))), ...[...plugins.keys()].map((name) => option(FROM_OUTSIDE + name, name)));
  byId("player").value = chosen;
}

/** Chooses a player if there is such a one, otherwise our best. */
export function choosePlayer(wanted) {
  byId("player").value = wanted ?? BEST;
  if (!byId("player").value) byId("player").value = BEST;
}

/** The chosen player: a name, or a plug-in. */
export function chosenPlayer() {
  const chosen = byId("player").value;
  return chosen.startsWith(FROM_OUTSIDE) ? plugins.get(chosen.slice(FROM_OUTSIDE.length)) : chosen;
}

/** What a player is called. */
export const playerName = (player) => (typeof player === "string" ? t(`player.${player}`) : (player?.name ?? ""));

/** Whether a player is one of ours, which the server's list of best games knows. */
export const isOurs = (player) => OURS.includes(player);

/** Those that can be compared: they think in this page. */
export function comparable() {
  const evaluators = [...plugins.values()].filter((plugin) => plugin instanceof Plugin);
  return [...OURS.map((id) => ({ id, name: () => t(`player.${id}`) })), ...evaluators.map((plugin) => ({ id: FROM_OUTSIDE + plugin.name, name: () => plugin.name, plugin }))];
}

/** Offers the players of the server's folder; `wanted` is chosen if it is among them. */
export async function welcomeGuests(wanted) {
  for (const guest of await fetchGuests()) plugins.set(guest.name, guest);
  fillPlayers();
  if (wanted?.startsWith?.(FROM_OUTSIDE) && plugins.has(wanted.slice(FROM_OUTSIDE.length))) byId("player").value = wanted;
  onNew();
}

function dropped(event) {
  event.preventDefault();
  addAll(event.dataTransfer?.files ?? []);
}

async function addAll(files) {
  for (const file of files) await addPlugin(file.name, await file.arrayBuffer());
}

/** Loads a plug-in and chooses it. */
export async function addPlugin(file, bytes) {
  const name = file.replace(/\.wasm$/, "");
  byId("plugin-error").textContent = "";
  try {
    const plugin = new Plugin(name, async () => bytes);
    await plugin.load();
    plugins.set(name, plugin);
    fillPlayers();
    byId("player").value = FROM_OUTSIDE + name;
    onNew();
    toast(t("plugin.loaded", { name }));
  } catch (error) {
    byId("plugin-error").textContent = t("plugin.refused", { name: file, why: whyOf(error) });
  }
}
