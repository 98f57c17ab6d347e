// The projective map between two quadrilaterals, and its form as a CSS transform.

/** The 3x3 matrix, row by row, that takes four points `[x, y]` to four others; null if there is none. */
export function homography(from, to) {
  const rows = [];
  for (let i = 0; i < 4; i += 1) {
    const [x, y] = from[i];
    const [u, v] = to[i];
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  }
  const solved = solve(rows);
  return solved && [...solved, 1];
}

/** A CSS transform (about the top left corner) for a 3x3 matrix. */
export function matrix3d([a, b, c, d, e, f, g, h, i]) {
  return `matrix3d(${[a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i].join()})`;
}

// Gauss' elimination with pivots, of eight equations with the right side as the ninth column.
function solve(rows) {
  const n = rows.length;
  for (let column = 0; column < n; column += 1) {
    let best = column;
    for (let row = column + 1; row < n; row += 1) {
      if (Math.abs(rows[row][column]) > Math.abs(rows[best][column])) best = row;
    }
    if (Math.abs(rows[best][column]) < 1e-9) return null;
    [rows[column], rows[best]] = [rows[best], rows[column]];
    for (let row = 0; row < n; row += 1) {
      if (row === column) continue;
      const factor = rows[row][column] / rows[column][column];
      for (let i = column; i <= n; i += 1) rows[row][i] -= factor * rows[column][i];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}
