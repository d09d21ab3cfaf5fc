// Strips across the top: the link is lost, the robot has a fault.
//
// Hooks: #strip-link, #strip-robot.

import { byId, el } from "./elements.js";
import { spoken, t } from "./words.js";

/** Short losses are not worth a word. */
const PATIENCE_MS = 900;
/** How long a sentence takes to read. */
const READABLE_MS = 2500;
let linkTimer = 0;
let robotTimer = 0;
let robotToldAt = 0;

/** Tells that the link is gone, or takes the word back. */
export function showLink(up, retry) {
  clearTimeout(linkTimer);
  if (up) return void document.getElementById("strip-link")?.remove();
  linkTimer = setTimeout(() => {
    const strip = el(
      "div",
      { id: "strip-link", class: "strip", role: "alert" },
      el("span", {}, el("strong", {}, t("link.lost")), " ", t("link.retry")),
      el("button", { type: "button", class: "button small", onclick: retry }, t("link.now")),
    );
    replace("strip-link", strip);
  }, PATIENCE_MS);
}

/** Tells what is wrong with the robot, if anything, and what that means for this visitor; a fault that passes at once is
 *  still told long enough to be read. */
export function showRobotFault(robot, playing = true) {
  clearTimeout(robotTimer);
  if (robot.status !== "error" && robot.status !== "lost") {
    const left = robotToldAt + READABLE_MS - performance.now();
    robotTimer = setTimeout(() => document.getElementById("strip-robot")?.remove(), left);
    return;
  }
  if (document.getElementById("strip-robot") === null) robotToldAt = performance.now();
  const strip = el(
    "div",
    { id: "strip-robot", class: "strip", role: "alert" },
    el("span", {}, el("strong", {}, t(`robot.strip_${robot.status}`)), " ", spoken(robot.asks) || t(playing ? "robot.patience" : "robot.games_go_on")),
  );
  replace("strip-robot", strip);
}

function replace(id, strip) {
  const old = document.getElementById(id);
  if (old?.textContent === strip.textContent) return;
  old?.remove();
  byId("strips").append(strip);
}
