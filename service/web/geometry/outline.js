// Outlines on the picture: hulls, paths for SVG, and whether a polygon faces the viewer.

/** The convex hull of points `[x, y]`, in order. */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered) => {
    const chain = [];
    for (const point of ordered) {
      while (chain.length > 1 && cross(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** A closed path for the `d` of an SVG path. */
export function pathOf(points) {
  return points.length === 0 ? '' : `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
}

/** Twice the signed area of a polygon in px: positive if it runs clockwise as seen, as a screen does from the front. */
export function area(points) {
  return points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length];
    return sum + x * nextY - nextX * y;
  }, 0);
}

/** Whether a point is inside a convex polygon, which `hull` gives. */
export function contains(polygon, point) {
  return polygon.length > 2 && polygon.every((corner, at) => cross(corner, polygon[(at + 1) % polygon.length], point) >= 0);
}

const cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
