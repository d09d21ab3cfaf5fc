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

/** One game of the robot, the one that it plays when this is opened. */
export class RobotRival {
  #leave = null;
  #timer = 0;
  #run = null;
  #newest = null;
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
    this.#ask();
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
    try {
      const which = this.#run === null ? "" : `run=${this.#run}&`;
      const answer = await fetch(`/api/shows/tetris/pieces?${which}from=${this.pieces.length}`);
      if (answer.ok) this.#take(await answer.json());
    } catch {
      // The next answer has the pieces of this one too.
    }
  }

  #take({ run, level, heart, from, pieces, scores, over }) {
    // Answers may overtake each other.
    if (from !== this.pieces.length) return;
    // A game that ended before the race could begin is nobody's rival; the robot's next one is.
    if (over && !this.isReady) {
      this.#run = null;
      this.#scores = [];
      this.pieces = "";
      return;
    }
    this.#run = run;
    this.isOver = over;
    if (!this.isReady) Object.assign(this, { level, heart });
    this.pieces += pieces;
    this.#scores.push(...scores);
    if (pieces) this.#onPieces(pieces);
  }

  #hear(event) {
    if (event.type === "RUN") this.#newest = event.run;
    const playing = event.topic === "observation" ? event.note.view?.playing : null;
    // A new game of the robot is not this race.
    if (!playing || this.#run !== this.#newest || this.isOver) return;
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
