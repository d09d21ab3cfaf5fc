// The lab (/lab): measurements with their plots and commands; the operator starts and stops them (X6).
//
// Hooks: [data-experiment], #running, #progress, #stop, #results [data-result][data-is=done|failed|stopped].

import { byId, el } from "./elements.js";
import { mountMasthead } from "./masthead.js";
import { ask } from "./operator.js";
import { duration, moment, onLanguage, t, whyOf } from "./words.js";

const REFRESH_MS = 1500;
let lab = null;
let shown = "";

mountMasthead({ hall: true });
onLanguage(() => {
  shown = "";
  draw();
});
byId("stop").addEventListener("click", () => send("DELETE"));
load();
setInterval(() => !document.hidden && load(), REFRESH_MS);

async function load() {
  try {
    lab = await (await fetch("/api/lab")).json();
    draw();
  } catch {
    // The next time may be better; what is shown stays true.
  }
}

function draw() {
  if (!lab) return;
  const { running, operator, experiments, results } = lab;
  byId("bench-rule").textContent = t(operator ? "lab.rule" : "lab.visitors");
  byId("running").hidden = !running;
  byId("stop").hidden = !operator;
  byId("running-name").textContent = running ? t("lab.running", { what: t(`lab.${running.experiment}`) }) : "";
  byId("progress").textContent = running?.progress ?? "";
  // Buttons and plots are rebuilt only when something changed: a finger may be on one of them.
  const now = JSON.stringify([results.map(({ id }) => id), operator, Boolean(running)]);
  if (now === shown) return;
  shown = now;
  byId("experiments").replaceChildren(...experiments.map(({ name, command }) =>
    el("li", {},
      operator && el("button", { type: "button", class: "button small", "data-experiment": name, disabled: Boolean(running), onclick: () => send("POST", { experiment: name }) }, t("lab.start")),
      el("span", {}, t(`lab.${name}`)),
      el("code", { class: "small" }, command))));
  byId("results").replaceChildren(...results.map(result));
}

function result({ id, experiment, command, at, seconds, state, output, plot }) {
  return el("li", { class: "sheet result", "data-result": id, "data-is": state },
    el("h2", { class: "room-title" }, t(`lab.${experiment}`)),
    el("p", { class: "muted" }, t(`lab.${state}`, { date: moment(at), time: duration(seconds * 1000) })),
    plot && el("img", { class: "plot", src: `/api/lab/${id}/plot.svg`, alt: t("lab.plot", { what: t(`lab.${experiment}`) }), loading: "lazy" }),
    output && state === "failed" && el("p", { class: "error" }, output),
    output && state !== "failed" && el("details", {}, el("summary", {}, t("lab.output")), el("pre", { tabindex: 0 }, output)),
    el("p", {}, el("code", { class: "small" }, command)));
}

async function send(method, body) {
  byId("lab-state").textContent = "";
  try {
    await ask(method, "/api/admin/lab", body);
  } catch (error) {
    byId("lab-state").textContent = t("panel.refused", { why: whyOf(error) });
  }
  await load();
}
