// Short sounds and vibrations that tell a player what happened; the switch in the masthead mutes both.
//
// Hooks: html[data-sounded] names the last one that was played; #sound[aria-pressed].

import { remember, remembered } from "./storage.js";

/** Notes as `[hertz, from, to]` in seconds, and the vibration in milliseconds. */
const SOUNDS = {
  drop: { notes: [[180, 0, 0.09]], buzz: [12] },
  mine: { notes: [[523, 0, 0.08], [659, 0.09, 0.2]], buzz: [25] },
  refused: { notes: [[140, 0, 0.14]], buzz: [30, 40, 30] },
  won: { notes: [[523, 0, 0.14], [659, 0.14, 0.28], [784, 0.28, 0.42], [1047, 0.42, 0.8]], buzz: [40, 60, 40, 60, 120] },
  lost: { notes: [[392, 0, 0.2], [330, 0.2, 0.4], [262, 0.4, 0.8]], buzz: [160] },
  draw: { notes: [[440, 0, 0.25], [440, 0.3, 0.55]], buzz: [60, 60, 60] },
  ask: { notes: [[880, 0, 0.12], [880, 0.2, 0.32], [880, 0.4, 0.52]], buzz: [120, 80, 120] },
};
const LOUDNESS = 0.12;
let context = null;

/** Whether the visitor wants silence. */
export const isMuted = () => remembered("muted") === "yes";

/** Mutes, or not. */
export function mute(on) {
  remember("muted", on ? "yes" : null);
}

/** Plays a sound by its name; browsers allow it from the first touch on. */
export function sound(name) {
  if (isMuted() || document.hidden) return;
  document.documentElement.dataset.sounded = name;
  // Before the first touch a browser refuses to vibrate, and notes it as a complaint.
  if (!navigator.userActivation?.hasBeenActive) return;
  navigator.vibrate?.(SOUNDS[name].buzz);
  const Context = window.AudioContext;
  if (!Context) return;
  context ??= new Context();
  if (context.state === "suspended") context.resume().catch(() => undefined);
  for (const [hertz, from, to] of SOUNDS[name].notes) note(hertz, context.currentTime + from, context.currentTime + to);
}

function note(hertz, from, to) {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.type = "triangle";
  tone.frequency.value = hertz;
  // Up and down without a click.
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(LOUDNESS, from + 0.015);
  volume.gain.linearRampToValueAtTime(0, to);
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(to);
}
