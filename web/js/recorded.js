// A recording as the viewer wants it: any frame with what was known then (docs/events.md).
//
// Hooks: #scrubber[data-frame], #play[aria-pressed], #frame-number, #marks button, #link, #download.

import { announce } from "./announce.js";
import { byId, el } from "./elements.js";
import { scanCanvas } from "./scan.js";
import { duration, number, t, whyOf } from "./words.js";

/** The shortest time between two frames while it plays: requests take their time too. */
const FASTEST_MS = 60;
const SCANNED = ["connect-four"];

/** Opens the recording `id` on `canvas`. `onMoment(moment)` gets each moment after its frame is drawn; `onTrouble(why)` is
 *  called when there is none. Resolves to `{ run, step_times, marks }`. */
export async function openRecording(id, canvas, { onMoment, onTrouble }) {
  const base = `/api/runs/${id}`;
  const described = await ask(base);
  const last = described.run.frames - 1;
  const scan = SCANNED.includes(described.run.game) ? scanCanvas(canvas) : null;
  const scrubber = byId("scrubber");
  let shown = -1;
  let wanted = null;
  let busy = false;
  let timer = 0;

  scrubber.max = String(last);
  byId("download").href = `${base}/file`;
  byId("recording").hidden = false;
  byId("marks").replaceChildren(...described.marks.map(markButton));
  scrubber.addEventListener("input", () => go(Number(scrubber.value)));
  byId("play").addEventListener("click", () => setPlaying(!isPlaying()));
  byId("back").addEventListener("click", () => step(-1));
  byId("forward").addEventListener("click", () => step(1));
  byId("link").addEventListener("click", copyLink);
  addEventListener("hashchange", fromAddress);
  addEventListener("keydown", ({ key, target }) => {
    if (target.matches("input, button, a") && key !== "ArrowLeft" && key !== "ArrowRight") return;
    if (target === scrubber) return;
    if (key === "ArrowLeft") step(-1);
    else if (key === "ArrowRight") step(1);
    else if (key === " ") setPlaying(!isPlaying());
  });
  fromAddress();

  function fromAddress() {
    const match = /frame=(\d+)/.exec(location.hash);
    go(match ? Math.min(last, Number(match[1])) : 0);
  }

  function markButton({ topic, time_ms: time, frame }) {
    const label = t("runs.mark", { what: t(`runs.mark.${topic}`), time: duration(time) });
    const mark = el("button", { type: "button", class: `mark mark-${topic}`, title: label, "aria-label": label, onclick: () => go(frame) });
    mark.style.setProperty("--at", String(frame / Math.max(1, last)));
    return mark;
  }

  function step(by) {
    setPlaying(false);
    go(Math.max(0, Math.min(last, (wanted ?? shown) + by)));
  }

  /** Only the newest wish counts: a scrubber makes hundreds. */
  async function go(frame) {
    wanted = frame;
    if (busy) return;
    busy = true;
    while (wanted !== null) {
      const now = wanted;
      wanted = null;
      try {
        await show(now);
      } catch (error) {
        setPlaying(false);
        onTrouble(whyOf(error));
      }
    }
    busy = false;
  }

  async function show(frame) {
    const [moment, picture] = await Promise.all([ask(`${base}/moment?frame=${frame}`), pictureOf(frame)]);
    if (moment.board) scan?.recall(moment.board);
    draw(picture);
    shown = frame;
    scrubber.value = String(frame);
    scrubber.dataset.frame = String(frame);
    byId("frame-number").textContent = t("runs.frame", { frame: number(frame + 1), frames: number(last + 1), time: duration(moment.time_ms) });
    onMoment(moment);
    if (isPlaying()) schedule(moment.time_ms);
  }

  async function pictureOf(frame) {
    const response = await fetch(`${base}/frames/${frame}.png`);
    if (!response.ok) throw new Error((await response.json()).error);
    return createImageBitmap(await response.blob());
  }

  function draw(picture) {
    if (scan) scan.draw(picture);
    else {
      if (canvas.width !== picture.width || canvas.height !== picture.height) Object.assign(canvas, { width: picture.width, height: picture.height });
      canvas.getContext("2d", { willReadFrequently: true }).drawImage(picture, 0, 0);
    }
    picture.close();
  }

  const isPlaying = () => byId("play").getAttribute("aria-pressed") === "true";

  function setPlaying(on) {
    const button = byId("play");
    button.setAttribute("aria-pressed", String(on));
    button.textContent = t(on ? "runs.pause" : "runs.play");
    clearTimeout(timer);
    if (on) go(shown >= last ? 0 : shown);
  }

  let before = null;
  /** The next frame when it is due, as fast as the run was at most. */
  function schedule(time) {
    clearTimeout(timer);
    if (shown >= last) return setPlaying(false);
    const now = performance.now();
    before = before && time > before.time && time - before.time < 2000 ? before : { time, now };
    const late = now - before.now - (time - before.time);
    const skip = Math.max(1, Math.round(late / FASTEST_MS));
    timer = setTimeout(() => go(Math.min(last, shown + skip)), FASTEST_MS);
  }

  async function copyLink() {
    const address = `${location.origin}/runs/${id}#frame=${shown}`;
    history.replaceState(null, "", `#frame=${shown}`);
    try {
      await navigator.clipboard.writeText(address);
      announce(t("runs.copied"));
      byId("link").textContent = t("runs.copied");
    } catch {
      // Without a clipboard the address bar has it.
    }
  }

  return described;
}

async function ask(path) {
  const response = await fetch(path);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? String(response.status));
  return answer;
}
