// Asks a worker; a worker that is not needed any more is ended, whatever it is thinking about.

import { Trouble } from "../trouble.js";

/** What a question gets that was given up. */
export class GivenUp extends Error {}

export class Thinker {
  #worker = null;
  #waiting = new Map();
  #number = 0;
  #source;

  /** `source` is the worker's file beside this one. */
  constructor(source = "./desk-worker.js") {
    this.#source = source;
  }

  /** The worker's answer. With `patience` (milliseconds) the worker is ended when it takes longer. */
  ask(request, { patience = 0, transfer = [] } = {}) {
    this.#worker ??= this.#hire();
    const number = ++this.#number;
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const timer = patience && setTimeout(() => this.stop("took too long"), patience);
      this.#waiting.set(number, { resolve, reject, timer });
      worker.postMessage({ number, request }, transfer);
    });
  }

  /** Whether something is being thought about. */
  get busy() {
    return this.#waiting.size > 0;
  }

  /** Ends the worker; what it was asked is given up. The next question gets a new one. */
  stop(why = "given up") {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject, timer } of waiting) {
      clearTimeout(timer);
      reject(new GivenUp(why));
    }
  }

  #hire() {
    const worker = new Worker(new URL(this.#source, import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: { number, answer, error, values } }) => {
      const waiting = this.#waiting.get(number);
      if (!waiting) return;
      this.#waiting.delete(number);
      clearTimeout(waiting.timer);
      if (error === undefined) waiting.resolve(answer);
      else waiting.reject(values ? new Trouble(error, values) : new Error(error));
    });
    // A trap in the module, or a file that is not there: whoever waits must not wait for ever.
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.stop(event.message || "the worker failed");
    });
    return worker;
  }
}
