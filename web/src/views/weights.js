/* weights.js -- weight space: where w is, how it came there, and what the example asks of it.
 *
 *     const f = draw(pen, box, what)        frameOf(box, what)
 *
 * what = {
 *   path: [[w1, w2, b], ...], // after every update (run.curve.w); the start (zeros) is added where
 *                             //   `start` is not given. Without offset: [[w1, w2], ...]
 *   start: [0, 0, 0],         // optional
 *   pair: [0, 1],             // which two of (w1, w2, b) are drawn; default [0, 1]
 *   names: ['w₁', 'w₂', 'b'], // optional
 *   before: [w1, w2, b],      // before the last example (run.last.before.w with .b), optional
 *   now: [w1, w2, b],         // now; default: the last of the path
 *   example: {row, x: [x1, x2, 1], y: 1 | -1, mistake, updated},  // the current example: its line
 *                             //   y (w.x + b) = 0 in the slice through `before` (or now), and an
 *                             //   arrow by which w moved. x has the 1 of the offset, or not
 *   rows: {x: Float64Array(2n), sign: Int8Array(n) of +-1, offset: true},  // optional: feasible
 *                             //   cone: the weights that have every row right, in the same slice
 *   answer: [w1, w2, b],      // optional: a known solution's direction u (of the bound)
 * }
 * A slice: the weight that is not drawn stays at its value. */
import { frame, drawAxes, textWidth } from './scale.js';
import { cutHalf, viewPolygon, lineIn } from './geometry.js';

const NAMES = ['w₁', 'w₂', 'b'];

function parts(what) {
  const pair = what.pair || [0, 1];
  const path = what.path || [];
  const size = (path[0] || what.now || what.start || [0, 0, 0]).length;
  const start = what.start || new Array(size).fill(0);
  const now = what.now || path[path.length - 1] || start;
  const slice = (what.example && what.before) || now;
  return { pair, path, start, now, slice, third: [0, 1, 2].find((j) => !pair.includes(j)) };
}

export function frameOf(box, what) {
  const { pair, path, start, now } = parts(what);
  let x0 = 0,
    x1 = 0,
    y0 = 0,
    y1 = 0;
  const see = (v) => {
    const a = v[pair[0]] ?? 0,
      b = v[pair[1]] ?? 0;
    if (!Number.isFinite(a + b)) return;
    x0 = Math.min(x0, a);
    x1 = Math.max(x1, a);
    y0 = Math.min(y0, b);
    y1 = Math.max(y1, b);
  };
  see(start);
  see(now);
  if (what.before) see(what.before);
  for (const v of path) see(v);
  const room = Math.max(x1 - x0, y1 - y0) * 0.18 || 1;
  const view = { x0: x0 - room, x1: x1 + room, y0: y0 - room, y1: y1 + room };
  return frame(box, view, { equal: true });
}

/* The half-plane of a row in this slice: a w_i + b w_j + c >= 0. */
function constraint(x, y, p) {
  const third = p.slice[p.third] ?? 0;
  return [y * (x[p.pair[0]] ?? 0), y * (x[p.pair[1]] ?? 0), y * (x[p.third] ?? 0) * third];
}

export function draw(pen, box, what) {
  const f = frameOf(box, what),
    p = parts(what),
    { plot } = f;
  const names = what.names || NAMES;
  pen.group('weights', () => {
    pen.clip(plot.x, plot.y, plot.w, plot.h, () => {
      if (what.rows) feasible(pen, f, what.rows, p);
      if (what.example) exampleLine(pen, f, what.example, p);
      cross(pen, f);
      if (what.answer) answer(pen, f, what.answer, p);
      pathOf(pen, f, p);
    });
    drawAxes(pen, f, { xName: names[p.pair[0]], yName: names[p.pair[1]] });
    step(pen, f, what, p);
  });
  return f;
}

/* The axes of weight space cross at w = 0, where most runs start. */
function cross(pen, f) {
  const [x, y] = f.toScreen(0, 0),
    { plot } = f;
  pen.line(plot.x, y, plot.x + plot.w, y, { stroke: 'grid' });
  pen.line(x, plot.y, x, plot.y + plot.h, { stroke: 'grid' });
}

function feasible(pen, f, rows, p) {
  let poly = viewPolygon(f.view);
  for (let i = 0; i < rows.sign.length && poly.length; i++) {
    const x = [rows.x[2 * i], rows.x[2 * i + 1], rows.offset === false ? 0 : 1];
    poly = cutHalf(poly, ...constraint(x, rows.sign[i], p));
  }
  if (poly.length < 6) return;
  const s = poly.map((v, i) => (i % 2 ? f.y.to(v) : f.x.to(v)));
  pen.polygon(s, { fill: 'feasible', fillAlpha: 0.2, stroke: 'feasible', width: 1 });
  const n = s.length / 2,
    now = f.toScreen(p.now[p.pair[0]] ?? 0, p.now[p.pair[1]] ?? 0);
  const cx = s.reduce((t, v, i) => (i % 2 ? t : t + v), 0) / n,
    cy = s.reduce((t, v, i) => (i % 2 ? t + v : t), 0) / n;
  let area = 0;
  for (let i = 0; i < s.length; i += 2)
    area += s[i] * s[(i + 3) % s.length] - s[(i + 2) % s.length] * s[i + 1];
  if (Math.abs(area) / 2 > 40 * f.size * 4) feasibleName(pen, f, s, cx, cy, now);
}

/* Inside the region, as far from w as possible. */
function feasibleName(pen, f, s, cx, cy, now) {
  let best = [cx, cy],
    most = -1;
  for (let i = -2; i < s.length; i += 2) {
    const q = i < 0 ? [cx, cy] : [cx + 0.4 * (s[i] - cx), cy + 0.4 * (s[i + 1] - cy)],
      d = Math.hypot(q[0] - now[0], q[1] - now[1]);
    if (d > most + 12) {
      most = d;
      best = q;
    }
  }
  const half = textWidth('all rows right', f.size) / 2,
    { plot } = f;
  pen.text(
    Math.max(plot.x + half, Math.min(plot.x + plot.w - half, best[0])),
    best[1],
    'all rows right',
    { fill: 'feasible', size: f.size, anchor: 'middle', base: 'middle', halo: true },
  );
}

/* The wrong side is shaded: there y (w.x + b) <= 0. */
function exampleLine(pen, f, example, p) {
  const [a, b, c] = constraint(example.x, example.y, p);
  const bad = cutHalf(viewPolygon(f.view), -a, -b, -c);
  if (bad.length >= 6)
    pen.polygon(
      bad.map((v, i) => (i % 2 ? f.y.to(v) : f.x.to(v))),
      { fill: 'mistake', fillAlpha: 0.08 },
    );
  const l = lineIn(f.view, a, b, c);
  if (l)
    pen.line(f.x.to(l[0]), f.y.to(l[1]), f.x.to(l[2]), f.y.to(l[3]), {
      stroke: example.mistake ? 'mistake' : 'ink',
      width: 1.6,
    });
  if (l && example.row >= 0)
    lineName(
      pen,
      f,
      l,
      `row ${example.row + 1}: w·x${example.x.length > 2 ? ' + b' : ''} = 0`,
      example.mistake ? 'mistake' : 'ink',
    );
}

/* At the lower end of the line, inside the plot. */
function lineName(pen, f, l, text, fill) {
  const { plot, size } = f,
    [x, y] = l[1] < l[3] ? f.toScreen(l[0], l[1]) : f.toScreen(l[2], l[3]);
  const right = x > plot.x + plot.w / 2;
  pen.text(
    right ? Math.min(x, plot.x + plot.w) - 10 : Math.max(x, plot.x) + 10,
    Math.max(plot.y + size * 1.3, Math.min(y - 8, plot.y + plot.h - 8)),
    text,
    { fill, size, anchor: right ? 'end' : 'start', halo: true },
  );
}

function answer(pen, f, u, p) {
  const reach = Math.max(f.view.x1 - f.view.x0, f.view.y1 - f.view.y0);
  const a = u[p.pair[0]],
    b = u[p.pair[1]],
    n = Math.hypot(a, b);
  if (!(n > 0)) return;
  const o = f.toScreen(0, 0),
    e = f.toScreen((a / n) * reach, (b / n) * reach);
  pen.line(o[0], o[1], e[0], e[1], { stroke: 'feasible', width: 1.4, dash: [3, 4] });
}

function pathOf(pen, f, p) {
  const pts = [p.start, ...p.path];
  const xy = pts.flatMap((v) => f.toScreen(v[p.pair[0]] ?? 0, v[p.pair[1]] ?? 0));
  if (xy.length > 2) pen.polyline(xy, { stroke: 'muted', width: 1.3 });
  if (pts.length <= 120) pen.marks('circle', xy.slice(0, -2), 2, { fill: 'muted' });
  pen.circle(xy[0], xy[1], 3.5, { fill: 'ground', stroke: 'muted', width: 1.4 });
}

function step(pen, f, what, p) {
  const place = (v) => f.toScreen(v[p.pair[0]] ?? 0, v[p.pair[1]] ?? 0);
  const n = place(p.now);
  if (what.before) {
    const b = place(what.before);
    pen.circle(b[0], b[1], 4.5, { fill: 'ground', stroke: 'before', width: 1.8 });
    pen.arrow(b[0], b[1], n[0], n[1], {
      stroke: what.example && what.example.mistake ? 'mistake' : 'ink',
      width: 2.2,
    });
  }
  if (!what.before || Math.hypot(...place(what.before).map((v, i) => v - n[i])) < 9)
    pen.circle(n[0], n[1], 4.5, { fill: 'ink', stroke: 'ground', width: 1 });
  pen.text(n[0] + 8, n[1] - 7, what.before && what.example && what.example.updated ? 'w′' : 'w', {
    fill: 'ink',
    size: f.size + 1,
    italic: true,
    halo: true,
  });
}
