// Writes a limit into a WebAssembly module: its memory cannot grow beyond 16 MiB, as on the server.

import { Trouble } from "../trouble.js";

const MOST_PAGES = 256;
const MEMORY_SECTION = 5;

/** The module's bytes with every memory limited; throws if it needs more from the start. */
export function withLimitedMemory(bytes) {
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== "\0asm") throw new Trouble("plugin.not_wasm");
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [size, start] = number(bytes, at + 1);
    const body = bytes.subarray(start, start + size);
    if (start + size > bytes.length) throw new Trouble("plugin.damaged");
    if (id === MEMORY_SECTION) {
      const limited = limitedMemories(body);
      parts.push(Uint8Array.of(id, ...leb(limited.length)), limited);
    } else {
      parts.push(bytes.subarray(at, start + size));
    }
    at = start + size;
  }
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function limitedMemories(body) {
  let [count, at] = number(body, 0);
  const out = [...leb(count)];
  for (; count > 0; count--) {
    const flags = body[at++];
    if (flags > 1) throw new Trouble("plugin.other_memory");
    let least;
    let most = MOST_PAGES;
    [least, at] = number(body, at);
    if (flags === 1) [most, at] = number(body, at);
    if (least > MOST_PAGES) throw new Trouble("plugin.much_memory", { kib: least * 64, most: MOST_PAGES * 64 });
    out.push(1, ...leb(least), ...leb(Math.min(most, MOST_PAGES)));
  }
  return Uint8Array.from(out);
}

/** An unsigned LEB128 number and where it ends. */
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at++];
    if (byte === undefined) break;
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
  throw new Trouble("plugin.damaged");
}

function leb(value) {
  const bytes = [];
  do {
    bytes.push((value & 127) | (value > 127 ? 128 : 0));
    value >>>= 7;
  } while (value);
  return bytes;
}
