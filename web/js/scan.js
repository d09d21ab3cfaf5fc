// A scan of the LEGO robot as a board: one pixel a cell, those that were not looked at keep what the last look found.

const CELL = 40;
const [COLUMNS, ROWS] = [7, 6];
/** What a cell is known to be. */
const COLOURS = { red: "--red", yellow: "--yellow", empty: "--sunken", strange: "--line-strong" };
/** The pixel of a cell that a look was not at. */
const NOT_LOOKED_AT = [255, 0, 255];

/** Draws scans onto a canvas; `forget()` begins a new board, `recall(cells)` shows what is known of each cell. */
export function scanCanvas(canvas) {
  const context = canvas.getContext("2d");
  const pixels = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  let known = new Map();

  function draw(picture) {
    const [columns, rows] = [picture.width, Math.min(ROWS, picture.height)];
    [pixels.canvas.width, pixels.canvas.height] = [picture.width, picture.height];
    pixels.drawImage(picture, 0, 0);
    const { data } = pixels.getImageData(0, 0, columns, rows);
    drawBoard(columns, rows, (cell) => {
      const colour = [...data.slice(4 * cell, 4 * cell + 3)];
      const looked = colour.some((part, index) => part !== NOT_LOOKED_AT[index]);
      if (looked) known.set(cell, `rgb(${colour.join(" ")})`);
      return looked;
    });
  }

  /** `look(cell)` takes a cell in and tells whether it was looked at just now. */
  function drawBoard(columns, rows, look) {
    if (canvas.width !== columns * CELL) [canvas.width, canvas.height] = [columns * CELL, rows * CELL];
    const style = getComputedStyle(document.documentElement);
    context.fillStyle = style.getPropertyValue("--board");
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (let cell = 0; cell < columns * rows; cell += 1) {
      const looked = look(cell);
      const [x, y] = [(cell % columns) + 0.5, Math.floor(cell / columns) + 0.5];
      context.beginPath();
      context.arc(x * CELL, y * CELL, 0.4 * CELL, 0, 2 * Math.PI);
      context.fillStyle = known.get(cell) ?? style.getPropertyValue("--board-dark");
      context.fill();
      if (!looked) continue;
      context.lineWidth = 4;
      context.strokeStyle = style.getPropertyValue("--focus");
      context.stroke();
    }
  }

  function recall(cells) {
    const style = getComputedStyle(document.documentElement);
    known = new Map(cells.map(({ column, row, sight }) => [(ROWS - 1 - row) * COLUMNS + column, style.getPropertyValue(COLOURS[sight] ?? COLOURS.strange)]));
    drawBoard(COLUMNS, ROWS, () => false);
  }

  return { draw, recall, forget: () => (known = new Map()) };
}
