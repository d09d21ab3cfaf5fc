// The visitor's own turn between the tap and the server's answer.

const AGAIN_MS = 350;

/** Keeps at most one turn under way. While the robot moves or needs help, the server refuses turns: then the column is
 *  held and asked for again, and a later tap replaces it. `send(column)`, `mayMove()` and `show(column or null)` do the rest. */
export function createTurn({ send, mayMove, show }) {
  let sent = null;
  let held = null;
  let timer = 0;

  function wish(column) {
    if (sent !== null) return;
    if (held !== null) held = column;
    else if (send(column)) sent = column;
    show(held ?? sent);
  }

  /** The robot is not ready; false if no turn of ours was meant. */
  function hold() {
    if (sent === null) return false;
    [held, sent] = [sent, null];
    timer = setTimeout(again, AGAIN_MS);
    return true;
  }

  function again() {
    const column = held;
    held = null;
    if (mayMove()) wish(column);
    else forget();
  }

  /** The turn was made, refused or is no longer possible. */
  function forget() {
    clearTimeout(timer);
    sent = null;
    held = null;
    show(null);
  }

  return { wish, hold, forget };
}
