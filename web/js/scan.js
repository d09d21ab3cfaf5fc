// A scan of the LEGO robot as a board: one pixel a cell, those that were not looked at keep what the last look found.

const CELL = 40;
const ROWS = 6;
/** The pixel of a cell that a look was not at. */
const NOT_LOOKED_AT = [255, 0, 255];

/** Draws scans onto a canvas; `forget()` begins a new board. */
export function scanCanvas(canvas) {
  const context = canvas.getContext("2d");
  const pixels = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  let known = new Map();

  function draw(picture) {
    const [columns, rows] = [picture.width, Math.min(ROWS, picture.height)];
    [pixels.canvas.width, pixels.canvas.height] = [picture.width, picture.height];
    pixels.drawImage(picture, 0, 0);
    const { data } = pixels.getImageData(0, 0, columns, rows);
    if (canvas.width !== columns * CELL) [canvas.width, canvas.height] = [columns * CELL, rows * CELL];
    const style = getComputedStyle(document.documentElement);
    context.fillStyle = style.getPropertyValue("--board");
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (let cell = 0; cell < columns * rows; cell += 1) {
      const colour = [...data.slice(4 * cell, 4 * cell + 3)];
      const looked = colour.some((part, index) => part !== NOT_LOOKED_AT[index]);
      if (looked) known.set(cell, `rgb(${colour.join(" ")})`);
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

  return { draw, forget: () => (known = new Map()) };
}
