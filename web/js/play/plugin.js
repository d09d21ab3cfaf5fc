// Players from outside: a WebAssembly evaluator in a worker of its own, limited in memory and time (P3, G22).
//
// The module is the same as for the server's folder: exports memory, board() → i32, evaluate() → f32 and perhaps
// evaluate_move(i32, i32) → f32 (crates/plugins/src/wasm.rs).

import { GivenUp, Thinker } from "./thinker.js";

/** How long a plug-in may think about one piece. */
const PATIENCE_MS = 1500;
const MOST_BYTES = 4 << 20;

export class Plugin {
  #thinker = new Thinker("./plugin-worker.js");

  /** Loads a module; throws why it cannot be used. */
  static async load(name, bytes) {
    if (bytes.byteLength > MOST_BYTES) throw new Error(`the file has ${bytes.byteLength} bytes; at most ${MOST_BYTES}`);
    const plugin = new Plugin(name, bytes);
    await plugin.#ask({ load: bytes });
    return plugin;
  }

  constructor(name, bytes) {
    this.name = name;
    this.bytes = bytes;
  }

  /** The values of places (`tetris-places`): one number each. */
  async values(places) {
    if (places[0]?.columns.length !== 10) throw new Error("the plug-in knows fields of ten columns only");
    return this.#ask({ places: places.map(({ columns, lines, landing_height_doubled: height }) => ({ columns, lines, height })) });
  }

  stop() {
    this.#thinker.stop();
  }

  async #ask(request) {
    try {
      return await this.#thinker.ask(request, { patience: PATIENCE_MS });
    } catch (error) {
      this.#thinker.stop();
      throw error instanceof GivenUp ? new Error(`it thought for more than ${PATIENCE_MS} ms`) : error;
    }
  }
}
