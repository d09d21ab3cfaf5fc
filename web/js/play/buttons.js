// What a person holds: keys, touch and gamepads as one set of buttons.
//
// Bits as on the console: 1 right, 2 left, 4 up (drops a classic piece), 8 down, 16 A (turns), 32 B (turns back).

const KEYS = {
  ArrowRight: 1, ArrowLeft: 2, ArrowDown: 8, ArrowUp: 16,
  Space: 4, KeyX: 16, KeyZ: 32, KeyY: 32, ControlLeft: 32,
};
/** Standard gamepad: face buttons turn, the pad moves, the upper shoulder buttons drop. */
const GAMEPAD = [[0, 32], [1, 16], [2, 32], [3, 16], [4, 4], [5, 4], [12, 4], [13, 8], [14, 2], [15, 1]];
const STICK = 0.5;

/** Listens; `onPress(bits)` is called when a person presses anything that plays. */
export function listen({ pad, isPlaying, onPress }) {
  const sources = { keys: new Set(), pad: new Set() };
  // A tap between two frames counts for one frame.
  let tapped = 0;
  const press = (source, bit) => {
    source.add(bit);
    tapped |= bit;
    onPress(bit);
  };
  addEventListener("keydown", (event) => {
    const bit = KEYS[event.code];
    if (!bit || !isPlaying() || event.altKey || event.metaKey || isTyping(event.target)) return;
    event.preventDefault();
    if (!event.repeat) press(sources.keys, bit);
  });
  addEventListener("keyup", ({ code }) => sources.keys.delete(KEYS[code]));
  addEventListener("blur", () => sources.keys.clear());
  for (const key of pad.querySelectorAll("[data-button]")) {
    const bit = Number(key.dataset.button);
    const release = () => {
      sources.pad.delete(bit);
      key.classList.remove("held");
    };
    key.addEventListener("pointerdown", (event) => {
      if (!isPlaying()) return;
      event.preventDefault();
      key.setPointerCapture(event.pointerId);
      key.classList.add("held");
      press(sources.pad, bit);
    });
    key.addEventListener("pointerup", release);
    key.addEventListener("pointercancel", release);
    key.addEventListener("contextmenu", (event) => event.preventDefault());
    // From the keyboard, a key of the pad is a tap.
    key.addEventListener("click", (event) => event.detail === 0 && isPlaying() && (press(sources.pad, bit), release()));
  }
  let before = 0;
  return {
    /** The buttons for the next frame. */
    take() {
      const gamepad = fromGamepads();
      if (gamepad & ~before) onPress(gamepad & ~before);
      before = gamepad;
      const held = [...sources.keys, ...sources.pad].reduce((bits, bit) => bits | bit, tapped | gamepad);
      tapped = 0;
      return held;
    },
  };
}

function isTyping(target) {
  return target.closest?.("input, select, textarea, button, a, [contenteditable]") !== null && target.closest("#pad") === null;
}

function fromGamepads() {
  let bits = 0;
  for (const gamepad of navigator.getGamepads?.() ?? []) {
    if (!gamepad) continue;
    for (const [index, bit] of GAMEPAD) if (gamepad.buttons[index]?.pressed) bits |= bit;
    const [x = 0, y = 0] = gamepad.axes;
    bits |= (x > STICK ? 1 : 0) | (x < -STICK ? 2 : 0) | (y > STICK ? 8 : 0);
  }
  return bits;
}
