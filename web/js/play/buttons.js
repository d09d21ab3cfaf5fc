// What a person holds: keys, touch and gamepads as one set of buttons.
//
// Bits as on the console: 1 right, 2 left, 4 up (drops a classic piece), 8 down, 16 A (turns), 32 B (turns back).

const KEYS = {
  ArrowRight: 1, ArrowLeft: 2, ArrowDown: 8, ArrowUp: 16,
  Space: 4, KeyX: 16, KeyZ: 32, KeyY: 32, ControlLeft: 32,
};
/** A friend at the same keyboard. */
const FRIENDS_KEYS = { KeyD: 1, KeyA: 2, KeyE: 4, KeyS: 8, KeyW: 16, KeyQ: 32 };
/** Standard gamepad: face buttons turn, the pad moves, the upper shoulder buttons drop. */
const GAMEPAD = [[0, 32], [1, 16], [2, 32], [3, 16], [4, 4], [5, 4], [12, 4], [13, 8], [14, 2], [15, 1]];
const STICK = 0.5;
/** What else a gamepad can do. */
const COMMANDS = [[8, "machine"], [9, "start"]];

/** Listens; `onPress(bits)` is called when the first person presses anything that plays. While `isShared()`, a friend
 *  plays at the same computer. */
export function listen({ pad, isPlaying, isShared, onPress }) {
  const sources = { keys: new Set(), pad: new Set() };
  const friend = { keys: new Set(), tapped: 0 };
  // A tap between two frames counts for one frame.
  let tapped = 0;
  const press = (source, bit) => {
    source.add(bit);
    tapped |= bit;
    onPress(bit);
  };
  addEventListener("keydown", (event) => {
    const friendsBit = isShared() ? FRIENDS_KEYS[event.code] : 0;
    const bit = KEYS[event.code];
    if (!(bit || friendsBit) || !isPlaying() || event.altKey || event.metaKey || isTaken(event)) return;
    event.preventDefault();
    if (event.repeat) return;
    if (bit) return press(sources.keys, bit);
    friend.keys.add(friendsBit);
    friend.tapped |= friendsBit;
  });
  addEventListener("keyup", ({ code }) => {
    sources.keys.delete(KEYS[code]);
    friend.keys.delete(FRIENDS_KEYS[code]);
  });
  addEventListener("blur", () => {
    sources.keys.clear();
    friend.keys.clear();
  });
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
  let commandsBefore = [];
  return {
    /** What gamepads ask for since the last look: "start" and "machine". */
    commands() {
      const now = COMMANDS.filter(([index]) => connected().some(({ buttons }) => buttons[index]?.pressed)).map(([, name]) => name);
      const fresh = now.filter((name) => !commandsBefore.includes(name));
      commandsBefore = now;
      return fresh;
    },

    /** The buttons for the next frame: the person's and the friend's. */
    take() {
      const gamepads = connected();
      // Of two gamepads the friend has the second; the only one is the friend's, because the person has the keys.
      const friendsPad = isShared() ? gamepads.pop() : undefined;
      const mine = gamepads.reduce((bits, gamepad) => bits | bitsOf(gamepad), 0);
      if (mine & ~before) onPress(mine & ~before);
      before = mine;
      const held = all([...sources.keys, ...sources.pad]) | tapped | mine;
      const friends = all(friend.keys) | friend.tapped | (friendsPad ? bitsOf(friendsPad) : 0);
      tapped = friend.tapped = 0;
      return [held, friends];
    },
  };
}

const all = (bits) => [...bits].reduce((sum, bit) => sum | bit, 0);

/** Whether the key belongs to what has the focus: all keys to a field, the space bar to a button. */
function isTaken({ target, code }) {
  const owner = target.closest?.("input, select, textarea, button, a, [contenteditable]");
  return Boolean(owner) && (code === "Space" || !owner.matches("button, a, input[type=checkbox]"));
}

const connected = () => [...(navigator.getGamepads?.() ?? [])].filter(Boolean);

function bitsOf({ buttons, axes }) {
  const [x = 0, y = 0] = axes;
  const stick = (x > STICK ? 1 : 0) | (x < -STICK ? 2 : 0) | (y > STICK ? 8 : 0);
  return GAMEPAD.reduce((bits, [index, bit]) => (buttons[index]?.pressed ? bits | bit : bits), stick);
}
