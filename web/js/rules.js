// The one rule that a replay needs: where four in a row are. Running games get this from the server.

const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/** All cells of lines of four or more through the last of `cells`, or none. */
export function winningCells(cells) {
  const last = cells.at(-1);
  if (!last) return [];
  const discs = new Map(cells.map(({ column, row, disc }) => [`${column}-${row}`, disc]));
  const run = ([right, up], sign) => {
    const found = [];
    for (let step = 1; ; step += 1) {
      const cell = { column: last.column + sign * right * step, row: last.row + sign * up * step };
      if (discs.get(`${cell.column}-${cell.row}`) !== last.disc) return found;
      found.push(cell);
    }
  };
  const lines = DIRECTIONS.map((direction) => [...run(direction, 1), ...run(direction, -1)]).filter((line) => line.length >= 3);
  return lines.length ? [{ column: last.column, row: last.row }, ...lines.flat()] : [];
}
