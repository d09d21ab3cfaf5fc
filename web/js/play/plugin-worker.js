// Runs one plug-in. The page ends this worker when it thinks too long; its memory is limited before it is compiled.

import { Trouble } from "../trouble.js";
import { withLimitedMemory } from "./limit-memory.js";

let exports = null;

addEventListener("message", async ({ data: { number, request } }) => {
  try {
    postMessage({ number, answer: request.load ? await load(request.load) : request.places.map(value) });
  } catch (error) {
    postMessage({ number, error: error.message, values: error.values });
  }
});

async function load(bytes) {
  const module = await WebAssembly.compile(withLimitedMemory(new Uint8Array(bytes)));
  const wanted = WebAssembly.Module.imports(module);
  if (wanted.length) throw new Trouble("plugin.imports", { what: `${wanted[0].module}.${wanted[0].name}` });
  const instance = await WebAssembly.instantiate(module, {});
  for (const name of ["memory", "board", "evaluate"]) {
    if (!(name in instance.exports)) throw new Trouble("plugin.no_export", { name });
  }
  exports = instance.exports;
  return true;
}

function value({ columns, lines, height }) {
  const address = exports.board();
  if (address < 0 || address + 40 > exports.memory.buffer.byteLength) throw new Trouble("plugin.outside", { address });
  const view = new DataView(exports.memory.buffer, address, 40);
  columns.forEach((column, x) => view.setUint32(4 * x, column, true));
  const found = exports.evaluate() + (exports.evaluate_move?.(lines, height) ?? 0);
  if (!Number.isFinite(found)) throw new Trouble("plugin.no_number", { found: String(found) });
  return found;
}
