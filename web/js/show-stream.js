// A show as it runs (docs/events.md): frames onto a canvas, notes and changes to whoever asks; comes back after a loss.

import { scanCanvas } from "./scan.js";

const RETRY_FIRST_MS = 500;
const RETRY_LIMIT_MS = 10_000;
/** Bytes before the picture in a frame: its time. */
const FRAME_HEAD = 8;
/** The first byte of a JPEG; other pictures are PNG. */
const JPEG = 0xff;

/** Shows whose frames are scans, one pixel a cell. */
const SCANNED = ["lego"];

/** Watches the show `name` on `canvas`. `onEvent(event)` gets every JSON event; `onFrame(timeMs)` follows every frame;
 *  `onLink(up)` tells when the connection goes or comes. Rests while the page is hidden.
 *  Returns a function that ends it. */
export function watchShow(name, canvas, { fps = 30, notes = false, onEvent = () => {}, onFrame = () => {}, onLink = () => {} } = {}) {
  const context = canvas.getContext("2d", { willReadFrequently: notes });
  const scan = SCANNED.includes(name) ? scanCanvas(canvas) : null;
  let socket = null;
  let pause = RETRY_FIRST_MS;
  let timer = 0;
  let isLeft = false;

  function open() {
    clearTimeout(timer);
    if (document.hidden || socket || isLeft) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/ws/shows/${name}?fps=${fps}&notes=${notes}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      pause = RETRY_FIRST_MS;
      onLink(true);
    };
    socket.onmessage = ({ data }) => (typeof data === "string" ? hear(JSON.parse(data)) : draw(data));
    socket.onclose = () => {
      socket = null;
      if (document.hidden || isLeft) return;
      onLink(false);
      timer = setTimeout(open, pause);
      pause = Math.min(2 * pause, RETRY_LIMIT_MS);
    };
  }

  function hear(event) {
    if (event.type === "RUN") scan?.forget();
    onEvent(event);
  }

  async function draw(data) {
    const timeMs = Number(new DataView(data).getBigUint64(0, true));
    const picture = await createImageBitmap(new Blob([new Uint8Array(data, FRAME_HEAD)], { type: new Uint8Array(data, FRAME_HEAD, 1)[0] === JPEG ? "image/jpeg" : "image/png" }));
    if (scan) scan.draw(picture);
    else {
      if (canvas.width !== picture.width || canvas.height !== picture.height) {
        canvas.width = picture.width;
        canvas.height = picture.height;
      }
      context.drawImage(picture, 0, 0);
    }
    picture.close();
    onFrame(timeMs);
  }

  /** Closes the connection; one that is not open yet as soon as it is, which the browser takes without a complaint. */
  function leave() {
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = ({ target }) => target.close();
    else socket?.close();
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : open()));
  open();
  return () => {
    isLeft = true;
    clearTimeout(timer);
    leave();
  };
}
