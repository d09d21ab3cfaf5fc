// Strips across the top: the link is lost, the robot has a fault, games cannot be stored.
//
// Hooks: #strip-link, #strip-robot, #strip-recording.

import { byId, el } from "./elements.js";
import { spoken, t } from "./words.js";

/** Short losses are not worth a word. */
const PATIENCE_MS = 900;
/** How long a sentence takes to read. */
const READABLE_MS = 2500;
let linkTimer = 0;
const robotStrip = readable("strip-robot");
const recordingStrip = readable("strip-recording");

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

/** Tells what is wrong with the robot, if anything, and what that means for this visitor. */
export function showRobotFault(robot, playing = true) {
  if (robot.status !== "error" && robot.status !== "lost") return robotStrip.takeBack();
  robotStrip.tell(el("strong", {}, t(`robot.strip_${robot.status}`)), " ", spoken(robot.asks) || t(playing ? "robot.patience" : "robot.games_go_on"));
}

/** Tells that games wait for the server's disk, or takes the word back. */
export function showRecording(recorded) {
  if (recorded) recordingStrip.takeBack();
  else recordingStrip.tell(t("log.not_recorded"));
}

/** A strip that stays long enough to be read, even if what it tells passes at once. */
function readable(id) {
  let timer = 0;
  let toldAt = 0;
  return {
    tell(...words) {
      clearTimeout(timer);
      if (document.getElementById(id) === null) toldAt = performance.now();
      replace(id, el("div", { id, class: "strip", role: "alert" }, el("span", {}, ...words)));
    },
    takeBack() {
      clearTimeout(timer);
      timer = setTimeout(() => document.getElementById(id)?.remove(), toldAt + READABLE_MS - performance.now());
    },
  };
}

function replace(id, strip) {
  const old = document.getElementById(id);
  if (old?.textContent === strip.textContent) return;
  old?.remove();
  byId("strips").append(strip);
}
