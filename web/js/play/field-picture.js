// Draws a field of Tetris on a canvas: cells, the falling piece, its shadow, what a machine weighs.

const NAMES = ["", "l", "j", "i", "o", "z", "s", "t", "unknown"];
const LETTERS = { L: 1, J: 2, I: 3, O: 4, Z: 5, S: 6, T: 7 };

export class FieldPicture {
  #canvas;
  #colours = {};
  #theme = null;

  constructor(canvas) {
    this.#canvas = canvas;
  }

  /** Draws a view; `candidates` are shown as ghosts, the first one as chosen. */
  draw(view, { candidates = [], dimmed = false } = {}) {
    this.#readColours();
    const { width, height } = view;
    const canvas = this.#canvas;
    canvas.style.setProperty("--ratio", String(width / height));
    const box = canvas.getBoundingClientRect();
    const scale = devicePixelRatio || 1;
    const cell = Math.max(4, Math.floor(Math.min((box.width * scale) / width, (box.height * scale) / height)));
    if (canvas.width !== cell * width || canvas.height !== cell * height) Object.assign(canvas, { width: cell * width, height: cell * height });
    const pen = canvas.getContext("2d");
    pen.fillStyle = this.#colours.ground;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = this.#colours.grid;
    for (let x = 1; x < width; x++) pen.fillRect(x * cell, 0, 1, canvas.height);
    const y = (row) => (height - 1 - row) * cell;
    for (let index = 0; index < view.cells.length; index++) {
      const colour = view.cells.charCodeAt(index) - 48;
      const row = Math.floor(index / width);
      if (colour && row < height) this.#block(pen, (index % width) * cell, y(row), cell, NAMES[colour]);
    }
    if (view.clearing !== null) {
      pen.fillStyle = this.#colours.flash;
      const seen = Math.floor(view.clearing * 7) % 2 === 0;
      if (seen) for (const row of view.vanishing) pen.fillRect(0, y(row), canvas.width, cell);
    }
    for (const [x, row] of candidates.length ? [] : view.shadow) this.#outline(pen, x * cell, y(row), cell, this.#colours.shadow, 1);
    candidates.slice().reverse().forEach((candidate) => {
      const chosen = candidate === candidates[0];
      pen.globalAlpha = chosen ? 1 : 0.35;
      for (const [x, row] of candidate.cells) this.#outline(pen, x * cell, y(row), cell, this.#colours.ghost, chosen ? 3 : 2);
      pen.globalAlpha = 1;
    });
    for (const [x, row] of view.falling) if (row < height) this.#block(pen, x * cell, y(row), cell, NAMES[LETTERS[view.piece]]);
    this.#writeValues(pen, candidates, cell, y);
    if (dimmed) {
      pen.fillStyle = this.#colours.veil;
      pen.fillRect(0, 0, canvas.width, canvas.height);
    }
  }

  /** Draws the next piece alone. */
  drawNext(view) {
    this.#readColours();
    const canvas = this.#canvas;
    const pen = canvas.getContext("2d");
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const xs = view.next_cells.map(([x]) => x);
    const rows = view.next_cells.map(([, row]) => row);
    const cell = Math.floor(canvas.width / 4);
    const left = (canvas.width - (Math.max(...xs) - Math.min(...xs) + 1) * cell) / 2;
    const top = (canvas.height - (Math.max(...rows) - Math.min(...rows) + 1) * cell) / 2;
    for (const [x, row] of view.next_cells) this.#block(pen, left + (x - Math.min(...xs)) * cell, top + (Math.max(...rows) - row) * cell, cell, NAMES[LETTERS[view.next]]);
  }

  #writeValues(pen, candidates, cell, y) {
    if (cell < 18) return;
    pen.font = `700 ${Math.round(cell * 0.42)}px Inter, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const taken = [];
    for (const candidate of candidates.slice(0, 4)) {
      const column = candidate.cells.reduce((sum, [x]) => sum + x, 0) / 4;
      const top = Math.max(...candidate.cells.map(([, row]) => row));
      const at = [(column + 0.5) * cell, y(top) - cell * 0.35];
      if (taken.some(([x, height]) => Math.abs(x - at[0]) < cell * 1.7 && Math.abs(height - at[1]) < cell * 0.6)) continue;
      taken.push(at);
      const text = short(candidate.value);
      const wide = pen.measureText(text).width + cell * 0.3;
      pen.fillStyle = candidate === candidates[0] ? this.#colours.ghost : this.#colours.label;
      pen.beginPath();
      pen.roundRect(Math.min(Math.max(at[0] - wide / 2, 1), pen.canvas.width - wide - 1), at[1] - cell * 0.3, wide, cell * 0.6, cell * 0.2);
      pen.fill();
      pen.fillStyle = this.#colours.ground;
      pen.fillText(text, Math.min(Math.max(at[0], wide / 2 + 1), pen.canvas.width - wide / 2 - 1), at[1] + 1);
    }
  }

  #block(pen, x, y, cell, name) {
    const inset = Math.max(1, Math.round(cell / 16));
    pen.fillStyle = this.#colours[`${name}-deep`];
    pen.fillRect(x + inset / 2, y + inset / 2, cell - inset, cell - inset);
    pen.fillStyle = this.#colours[name];
    pen.fillRect(x + inset / 2, y + inset / 2, cell - inset - Math.ceil(cell / 10), cell - inset - Math.ceil(cell / 10));
  }

  #outline(pen, x, y, cell, colour, width) {
    pen.strokeStyle = colour;
    pen.lineWidth = Math.max(1, (width * cell) / 24);
    pen.strokeRect(x + pen.lineWidth, y + pen.lineWidth, cell - 2 * pen.lineWidth, cell - 2 * pen.lineWidth);
  }

  #readColours() {
    const theme = document.documentElement.dataset.theme;
    if (theme === this.#theme) return;
    this.#theme = theme;
    const style = getComputedStyle(document.documentElement);
    const token = (name) => style.getPropertyValue(`--${name}`).trim();
    this.#colours = { ground: token("well"), grid: token("well-line"), shadow: token("line-strong"), ghost: token("action"), label: token("muted"), flash: token("surface"), veil: token("veil") };
    for (const name of NAMES.slice(1)) {
      this.#colours[name] = token(`piece-${name}`);
      this.#colours[`${name}-deep`] = token(`piece-${name}-deep`);
    }
  }
}

/** A value in at most five characters; a place that loses the game is crossed out. */
function short(value) {
  if (value < -100_000) return "✕";
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const figure = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
  return figure.format(value).replace("-", "−");
}
