// A race on the same pieces: against a machine, a friend at the same computer, the robot, or a game that was played before.

import { Table } from "./table.js";

/** Who can be raced; `recorded` needs a game that was played before, `robot` one that plays. */
export const KINDS = ["", "machine", "friend", "robot", "recorded"];

export class Race {
  #table;
  #kind = "";
  #name = () => "";
  #robot = null;

  constructor(desk, onTrouble) {
    this.#table = new Table(desk, onTrouble);
  }

  /** Begins it on the choices of the person's game. `name()` is what the other field is called; `machine`, `robot` and
   *  `keys` are for the kinds that need them. */
  start(kind, choices, { name, machine, robot, keys, paceMs }) {
    this.#kind = kind;
    this.#name = name;
    this.#robot = robot;
    if (!kind || kind === "robot") return;
    this.#table.paceMs = paceMs;
    this.#table.letPlay(null);
    this.#table.start(choices, { keys: kind === "recorded" ? keys : null });
    if (kind === "machine") this.#table.letPlay(machine);
  }

  /** "" while there is none. */
  get kind() {
    return this.#kind;
  }

  get name() {
    return this.#name();
  }

  get view() {
    return this.#kind === "robot" ? this.#robot.view : this.#table.view;
  }

  get score() {
    return this.view?.score ?? 0;
  }

  /** The points that decide against a game of so many pieces: the robot plays all the time, and is compared at the same
   *  piece. */
  scoreAgainst(pieces) {
    return this.#kind === "robot" ? this.#robot.scoreAt(pieces) : this.score;
  }

  /** Whether the other game has come to its end; a recorded one may have been stopped before it was lost. */
  get isOver() {
    if (this.#kind === "robot") return this.#robot.isOver;
    return !this.#kind || Boolean(this.#table.view?.ended);
  }

  /** Plays a frame; `held` are the friend's buttons. */
  step(held) {
    if (!this.isOver && this.#kind !== "robot") this.#table.step(this.#kind === "friend" ? held : 0);
  }

  setPace(paceMs) {
    this.#table.setPace(paceMs);
  }

  /** Another machine goes on with the same game. */
  setMachine(machine) {
    if (this.#kind === "machine") this.#table.letPlay(machine);
  }
}
