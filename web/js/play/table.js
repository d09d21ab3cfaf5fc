// One game of Tetris in the page: its frames, and the machine that may hold its buttons.

import { Thinker } from "./thinker.js";

/** In frames: the most that the desk plays at once. */
const A_MINUTE = 3600;

let games = 0;

export class Table {
  #desk;
  #thinker = new Thinker();
  #thinking = false;
  #game = ++games;
  #machine = null;
  #onTrouble;

  /** `onTrouble(error)` is called when a plug-in fails; the person plays on. */
  constructor(desk, onTrouble = () => {}) {
    this.#desk = desk;
    this.#onTrouble = onTrouble;
    this.view = null;
    this.thought = null;
    this.paceMs = 200;
  }

  /** Begins a game, or plays one again from its keys, or plays the pieces of another one; throws what is wrong with the
   *  choices. */
  start(choices, { keys = null, pieces = null } = {}) {
    this.view = this.#desk.ask({ ask: "tetris-new", game: this.#game, choices, keys, pieces });
    this.choices = choices;
    this.helped = false;
    this.thought = null;
    if (this.#machine) this.letPlay(this.#machine);
    return this.view;
  }

  /** Goes on with a game that was interrupted: its keys are played at once, then the buttons are the person's. */
  goOn(choices, keys) {
    this.start(choices, { keys });
    while (!this.view.ended) this.view = this.#desk.ask({ ask: "tetris-step", game: this.#game, held: 0, frames: A_MINUTE });
    this.letPlay(null);
  }

  /** Brings further pieces of the game whose pieces these are. */
  deal(pieces) {
    if (this.view) this.#desk.ask({ ask: "tetris-deal", game: this.#game, pieces });
  }

  /** Who holds the buttons: a player's name, a plug-in, or null for the person. */
  get machine() {
    return this.#machine;
  }

  /** Lets a machine play from the next frame on; null gives the game back at once. */
  letPlay(machine) {
    this.#machine = machine;
    this.thought = null;
    if (machine) this.helped = true;
    else this.#thinker.stop();
    this.#thinking = false;
    if (this.view) this.#desk.ask({ ask: "tetris-pilot", game: this.#game, pace_ms: machine ? this.paceMs : null });
  }

  setPace(paceMs) {
    this.paceMs = paceMs;
    if (this.view && this.#machine) this.#desk.ask({ ask: "tetris-pilot", game: this.#game, pace_ms: paceMs });
  }

  /** Plays frames; the buttons of a machine or of recorded keys go before `held`. */
  step(held, frames = 1) {
    const pieces = this.view.pieces;
    this.view = this.#desk.ask({ ask: "tetris-step", game: this.#game, held, frames });
    if (this.view.pieces !== pieces) this.thought = null;
    if (this.view.needs_plan && !this.#thinking) this.#think();
    return this.view;
  }

  /** The keys so far, which prove the score. */
  keys() {
    return this.#desk.ask({ ask: "tetris-keys", game: this.#game }).keys;
  }

  end() {
    this.#thinker.stop();
    this.#desk.ask({ ask: "tetris-end", game: this.#game });
    this.view = null;
  }

  async #think() {
    const scene = this.#desk.ask({ ask: "tetris-scene", game: this.#game, pace_ms: this.paceMs });
    const machine = this.#machine;
    if (!scene || !machine) return;
    const piece = this.view.pieces;
    this.#thinking = true;
    try {
      const thought = typeof machine === "string" ? await this.#thinker.ask({ ask: "tetris-think", scene, player: machine }) : await machine.think(scene, (request) => this.#thinker.ask(request));
      if (this.#machine !== machine || !this.view || !thought?.candidates.length) return;
      const { followed } = this.#desk.ask({ ask: "tetris-follow", game: this.#game, piece, plan: thought.candidates[0] });
      if (followed) this.thought = thought;
    } catch (error) {
      if (this.#machine !== machine) return;
      this.letPlay(null);
      this.#onTrouble(error);
    } finally {
      if (this.#machine === machine) this.#thinking = false;
    }
  }
}
