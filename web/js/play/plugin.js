// Players from outside: a WebAssembly evaluator in a worker of its own, limited in memory and time (P3, G22).
//
// The module is the same as for the server's folder: exports memory, board() → i32, evaluate() → f32 and perhaps
// evaluate_move(i32, i32) → f32 (crates/plugins/src/wasm.rs).

import { Trouble } from "../trouble.js";
import { GivenUp, Thinker } from "./thinker.js";

/** How long a plug-in may think about one piece; a busy computer is given time to start it. The person can take over meanwhile. */
const PATIENCE_MS = 4000;
const MOST_BYTES = 4 << 20;

export class Plugin {
  #thinker = new Thinker("./plugin-worker.js");
  #fetchBytes;
  #loaded = null;

  /** `fetchBytes()` is asked for the module when it is first needed. */
  constructor(name, fetchBytes) {
    this.name = name;
    this.#fetchBytes = fetchBytes;
  }

  /** Loads the module; throws why it cannot be used. */
  load() {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async #load() {
    const bytes = await this.#fetchBytes();
    if (bytes.byteLength > MOST_BYTES) throw new Trouble("plugin.large", { most: MOST_BYTES / 2 ** 20 });
    await this.#ask({ load: bytes });
  }

  /** Thinks about a scene as our own players do; `ask` asks the desk which places there are. */
  async think(scene, ask) {
    const places = await ask({ ask: "tetris-places", scene });
    if (!places.length) return null;
    if (places[0].columns.length !== 10) throw new Trouble("plugin.ten_columns");
    await this.load();
    const values = await this.#ask({ places: places.map(({ columns, lines, landing_height_doubled: height }) => ({ columns, lines, height })) });
    const candidates = places.map(({ plan }, index) => ({ ...plan, value: values[index] })).sort((a, b) => b.value - a.value);
    return { candidates: candidates.slice(0, 8), features: [], places: places.length };
  }

  async #ask(request) {
    try {
      return await this.#thinker.ask(request, { patience: PATIENCE_MS });
    } catch (error) {
      this.#thinker.stop();
      this.#loaded = null;
      throw error instanceof GivenUp ? new Trouble("plugin.slow", { seconds: PATIENCE_MS / 1000 }) : error;
    }
  }
}
