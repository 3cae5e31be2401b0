/* geometry.js -- polygons cut by lines, level lines of a grid, convex hulls. Pure functions on flat
 * arrays [x0, y0, x1, y1, ...]; nothing here knows about learning. */

/* The part of a convex polygon where a x + b y + c >= 0 (Sutherland and Hodgman 1974). */
export function cutHalf(poly, a, b, c) {
  const out = [],
    n = poly.length;
  for (let i = 0; i < n; i += 2) {
    const px = poly[i],
      py = poly[i + 1],
      qx = poly[(i + 2) % n],
      qy = poly[(i + 3) % n];
    const p = a * px + b * py + c,
      q = a * qx + b * qy + c;
    if (p >= 0) out.push(px, py);
    if ((p > 0 && q < 0) || (p < 0 && q > 0)) {
      const t = p / (p - q);
      out.push(px + t * (qx - px), py + t * (qy - py));
    }
  }
  return out;
}

export const viewPolygon = (v) => [v.x0, v.y0, v.x1, v.y0, v.x1, v.y1, v.x0, v.y1];

/* Where the line a x + b y + c = 0 crosses the view: [x0, y0, x1, y1], or null. */
export function lineIn(v, a, b, c) {
  if (!Number.isFinite(a + b + c) || (a === 0 && b === 0)) return null;
  /* q: the point of the line nearest to the centre; then both ways (Liang and Barsky 1984) */
  const mx = (v.x0 + v.x1) / 2,
    my = (v.y0 + v.y1) / 2;
  const t = (a * mx + b * my + c) / (a * a + b * b),
    qx = mx - t * a,
    qy = my - t * b;
  let lo = -Infinity,
    hi = Infinity;
  for (const [d, q, from, to] of [
    [-b, qx, v.x0, v.x1],
    [a, qy, v.y0, v.y1],
  ]) {
    if (d === 0) {
      if (q < from || q > to) return null;
      continue;
    }
    const s0 = (from - q) / d,
      s1 = (to - q) / d;
    lo = Math.max(lo, Math.min(s0, s1));
    hi = Math.min(hi, Math.max(s0, s1));
  }
  return lo < hi ? [qx - b * lo, qy + a * lo, qx - b * hi, qy + a * hi] : null;
}

/* Convex hull, corners in order (Andrew 1979). pts: [[x, y], ...] */
export function hull(pts) {
  const p = [...pts].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (p.length < 3) return p;
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const h = [];
    for (const q of list) {
      while (h.length > 1 && turn(h[h.length - 2], h[h.length - 1], q) <= 0) h.pop();
      h.push(q);
    }
    h.pop();
    return h;
  };
  const all = [...half(p), ...half([...p].reverse())];
  const one = all.every((q) => q[0] === p[0][0] && q[1] === p[0][1]); /* all in one place */
  return one ? [p[0]] : all;
}

/* Segments of the level line value = level on a grid of cols x rows values, in units of cells, the
 * value of cell (i, j) at (i + 0.5, j + 0.5). Marching squares (Lorensen and Cline 1987 in 3-D);
 * the two saddles are cut by the mean of their corners. */
export function levelLine(value, cols, rows, level = 0) {
  const out = [];
  for (let j = 0; j + 1 < rows; j++)
    for (let i = 0; i + 1 < cols; i++) {
      const at = j * cols + i;
      const p = value[at] - level,
        q = value[at + 1] - level;
      const r = value[at + cols + 1] - level,
        s = value[at + cols] - level;
      const kind = (p > 0) | ((q > 0) << 1) | ((r > 0) << 2) | ((s > 0) << 3);
      if (kind === 0 || kind === 15 || !Number.isFinite(p + q + r + s)) continue;
      cell(out, i + 0.5, j + 0.5, p, q, r, s, kind);
    }
  return out;
}

function cell(out, x, y, p, q, r, s, kind) {
  const top = () => [x + p / (p - q), y],
    right = () => [x + 1, y + q / (q - r)];
  const bottom = () => [x + s / (s - r), y + 1],
    left = () => [x, y + p / (p - s)];
  const add = (a, b) => out.push(...a, ...b);
  switch (kind) {
    case 1:
    case 14:
      add(left(), top());
      break;
    case 2:
    case 13:
      add(top(), right());
      break;
    case 3:
    case 12:
      add(left(), right());
      break;
    case 4:
    case 11:
      add(right(), bottom());
      break;
    case 6:
    case 9:
      add(top(), bottom());
      break;
    case 7:
    case 8:
      add(left(), bottom());
      break;
    default:
      if ((kind === 5) === p + q + r + s > 0) {
        add(left(), bottom());
        add(top(), right());
      } else {
        add(left(), top());
        add(right(), bottom());
      }
  }
}
