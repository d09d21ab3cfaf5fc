// One WebSocket to the hall (docs/events.md) that comes back by itself.

import { remember, remembered } from "./storage.js";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
/** A socket that opens but never says WELCOME counts as dead. */
const WELCOME_WITHIN_MS = 8000;

/** Opens the connection. `onEvent(event)` gets every event in order; `onLink(up)` tells when the link goes or comes.
 *  With `seated` the visitor's token is sent and kept, so that a reload finds the seat again. */
export function connect({ watch = false, seated = false, onEvent, onLink }) {
  let socket = null;
  let pause = FIRST_PAUSE_MS;
  let timer = 0;
  let lastSeq = null;
  let askedAgain = false;

  function open() {
    clearTimeout(timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const fresh = new WebSocket(`${scheme}//${location.host}/ws`);
    socket = fresh;
    fresh.onopen = hello;
    fresh.onmessage = (message) => receive(message.data);
    fresh.onclose = () => fresh === socket && lost();
    timer = setTimeout(() => fresh.close(), WELCOME_WITHIN_MS);
  }

  function hello() {
    send({ type: "HELLO", token: seated ? remembered("token") : null, watch });
  }

  function receive(text) {
    let event;
    try {
      event = JSON.parse(text);
    } catch {
      return;
    }
    if (event.type === "WELCOME") welcome(event);
    else if (lastSeq === null || isOld(event)) return;
    else if (isGap(event)) return;
    onEvent(event);
  }

  function welcome(event) {
    clearTimeout(timer);
    pause = FIRST_PAUSE_MS;
    lastSeq = event.state.seq;
    askedAgain = false;
    if (seated && event.token) remember("token", event.token);
    onLink(true);
  }

  const isOld = (event) => typeof event.seq === "number" && event.seq <= lastSeq;

  /** An event after a gap is dropped: the whole state comes with the next WELCOME. */
  function isGap(event) {
    if (typeof event.seq !== "number") return false;
    if (event.seq === lastSeq + 1) {
      lastSeq = event.seq;
      return false;
    }
    if (!askedAgain) hello();
    askedAgain = true;
    return true;
  }

  function lost() {
    clearTimeout(timer);
    socket = null;
    lastSeq = null;
    onLink(false);
    timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }

  /** Sends a wish; false when there is no link. */
  function send(event) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(event));
    return true;
  }

  /** Tries now instead of after the pause. */
  function retry() {
    if (!socket) open();
  }

  addEventListener("online", retry);
  document.addEventListener("visibilitychange", () => !document.hidden && retry());
  open();
  return { send, retry };
}
