// The Tetris robot as a rival: its pieces for the person's game, and its own field as it plays (docs/events.md).

import { watchShow } from "../show-stream.js";

const ASK_EVERY_MS = 700;
/** Pieces without which a game cannot begin. */
const FIRST = 3;
const [WIDTH, HEIGHT] = [10, 18];
const EMPTY = "0".repeat(WIDTH * HEIGHT);
/** A filled cell of a piece that nobody knows. */
const FILLED = "8";

/** Whether there is a robot here: a site without a server has none. */
export async function isRobotHere() {
  if ("site" in document.documentElement.dataset) return false;
  try {
    const { shows } = await (await fetch("/api/shows")).json();
    return shows.some(({ name }) => name === "tetris");
  } catch {
    return false;
  }
}

/** One game of the robot: the one that it plays when this is opened, or the next one if that is over before its pieces are
 *  known. */
export class RobotRival {
  #leave = null;
  #timer = 0;
  // The run whose pieces these are, its random seed, and whether the robot still plays it.
  #run = null;
  #seed = null;
  #isOn = false;
  #onPieces;
  #scores = [];

  /** `onPieces(letters)` gets those that the robot was dealt since the last call. */
  constructor(onPieces) {
    this.#onPieces = onPieces;
    Object.assign(this, { pieces: "", level: 9, heart: false, isOver: false, view: emptyView() });
  }

  /** Watches the robot; it begins to play if it rests. */
  open() {
    this.#leave = watchShow("tetris", document.createElement("canvas"), { fps: 1, notes: true, onEvent: (event) => this.#hear(event) });
    this.#timer = setInterval(() => this.#ask(), ASK_EVERY_MS);
  }

  /** Watches no longer; what is known stays. */
  close() {
    this.#leave?.();
    clearInterval(this.#timer);
  }

  get isReady() {
    return this.pieces.length >= FIRST;
  }

  get score() {
    return this.view.score;
  }

  /** The robot's points when it got its piece of this number, from 1. */
  scoreAt(piece) {
    return this.#scores[Math.min(piece, this.#scores.length) - 1] ?? 0;
  }

  async #ask() {
    if (this.#run === null || this.isOver) return;
    try {
      const answer = await fetch(`/api/shows/tetris/pieces?run=${this.#run}&from=${this.pieces.length}`);
      if (answer.ok) this.#take(await answer.json());
    } catch {
      // The next answer has the pieces of this one too.
    }
  }

  #take({ run, level, heart, from, pieces, scores, over }) {
    // Answers may overtake each other, and the news of the next game.
    if (run !== this.#run || from !== this.pieces.length) return;
    // A game that ended before the race could begin is nobody's rival; the robot's next one is.
    if (over && !this.isReady) return;
    this.isOver = over;
    if (!this.isReady) Object.assign(this, { level, heart });
    this.pieces += pieces;
    this.#scores.push(...scores);
    if (pieces) this.#onPieces(pieces);
  }

  /** The robot begins a game, or this page hears of it again. */
  #follow({ run, seed }) {
    this.#isOn = run === this.#run && seed === this.#seed;
    if (this.#isOn) return;
    if (this.isReady) {
      // A server that was started again counts anew, and knows nothing of this race.
      if (run <= this.#run) this.isOver = true;
      return;
    }
    Object.assign(this, { pieces: "", isOver: false });
    [this.#run, this.#seed, this.#isOn, this.#scores] = [run, seed, true, []];
    this.#ask();
  }

  #hear(event) {
    if (event.type === "RUN") return this.#follow(event);
    const playing = event.topic === "observation" ? event.note.view?.playing : null;
    // A new game of the robot is not this race.
    if (!playing || !this.#isOn || this.isOver) return;
    const { score, lines, level } = this.view;
    this.view = { ...this.view, cells: cellsOf(playing.cells), score: playing.score ?? score, lines: playing.lines ?? lines, level: playing.level ?? level };
  }
}

const emptyView = () => ({ width: WIDTH, height: HEIGHT, cells: EMPTY, falling: [], shadow: [], vanishing: [], clearing: null, score: 0, lines: 0, level: 0 });

/** Columns of bits as the digits of a field, row by row from the bottom. */
function cellsOf(columns) {
  if (!Array.isArray(columns) || columns.length !== WIDTH) return EMPTY;
  return Array.from({ length: WIDTH * HEIGHT }, (_, index) => ((columns[index % WIDTH] >> Math.floor(index / WIDTH)) & 1 ? FILLED : "0")).join("");
}
