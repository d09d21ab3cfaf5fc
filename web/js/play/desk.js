// Our Rust in this page: one WebAssembly module that answers requests in JSON (crates/browser).

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Loads the module; `ask(request)` of what it returns answers at once, and throws what the module calls an error. */
export async function openDesk() {
  const address = new URL("../../wasm/browser.wasm", import.meta.url);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), {});
  const { memory, reserve, answer, address: start } = instance.exports;
  return {
    ask(request) {
      const bytes = encoder.encode(JSON.stringify(request));
      // The memory may grow, and then has a new buffer: first call, then look.
      const place = reserve(bytes.length);
      new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
      const length = answer();
      const answered = JSON.parse(decoder.decode(new Uint8Array(memory.buffer, start(), length)));
      if (answered?.error !== undefined) throw new Error(answered.error);
      return answered;
    },
  };
}
