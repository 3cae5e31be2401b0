/* plane.js -- input space: the points, the line or regions, and what just happened.
 *
 *     const f = draw(pen, box, what)  // draws; f.toScreen(x, y), f.toData(sx, sy), f.plot, f.view
 *     frameOf(box, what)      // the same f without drawing (for the pointer)
 *     hit(box, what, sx, sy, reach = 14)  // the row under the pointer, or -1
 *     gridFor(box, what, cell = 5) -> {cols, rows, view, x: Float64Array(2 cols rows)}
 *         the middles of the cells, row 0 at the top, to ask model.scores(x) / model.classes(x) for
 *     viewOf(set.x) from scale.js  // the view that holds the points
 *
 * what = {
 *   set: {x: Float64Array(2n), y: Int32Array(n), names: ['x1','x2'] | null, labels: ['-1','1']},
 *   view: {x0,x1,y0,y1},      // optional: what must be seen; default: all points. Keep it fixed
 *                             //   while a point is dragged.
 *   equal: true | false,      // optional: one unit as long on both axes (default: true unless one
 *                             //   range is over 4 times the other)
 *   positive: 1,              // the label number that is +1 (score > 0)
 *   linear: {w: [w1,w2], b, margin: 1 | null},  // two classes: boundary, half-planes, normal
 *                             //   vector; margin m: dotted lines where the score is +-m
 *   before: {w: [w1,w2], b},  // the line before the update, dashed
 *   multi: {w: [[w1,w2], ...], b: [...]},  // more classes, linear: exact polygons
 *   raster: {cols, rows, view, outputs, scores: Float64Array(cells*outputs), classes: Int32Array},
 *                             // kernel, MLP, anything: from gridFor's x. scores with outputs = 1:
 *                             //   shaded by score, level lines at 0 and +-margin (raster.margin);
 *                             //   scores with more outputs: level lines between classes;
 *                             //   classes alone are enough (label numbers)
 *   lines: [{w, b, name, style}],  // more lines: an imported model, the proof's line; style: a
 *                             //   colour name (default 'imported')
 *   current: {row, mistake, updated},  // ringed; a mistake gets a cross-hair ring and the word
 *   supports: [{row, counter, coefficient}],  // rings sized by counter (or |coefficient|)
 *   hulls: true,              // the convex hull of each class
 *   witness: [{row, weight}], // crossing point: weights of the proof that no line separates; rows
 *                             //   of one class make one convex combination, those of the other the
 *                             //   same point (weights are scaled to 1 for each class)
 *   witnessOffset: true,      // false: the proof for lines through the origin (sum y a x = 0)
 *   wrong: [rows],            // optional: rows the model has wrong, hollow
 *   shown: Int32Array(n),     // optional (teacher): how often each was shown: unshown rows pale
 *   selected: row, hover: row,  // optional
 *   cursor: {x, y},           // optional: keyboard cursor, in data units
 *   legend: true,             // default true where there are labels
 *   bare: true,               // no axes (thumbnails)
 * } */
import { frame, drawAxes, viewOf, short, textWidth, cut, minus } from './scale.js';
import { lineIn, hull } from './geometry.js';
import { regions } from './regions.js';
import { SHAPES } from '../palette.js';

export { viewOf };

const shapeOf = (label) => SHAPES[label % SHAPES.length];

function isEqual(what, view) {
  if (what.equal !== undefined) return what.equal;
  const r = (view.x1 - view.x0) / (view.y1 - view.y0);
  return r < 4 && r > 0.25;
}

export function frameOf(box, what) {
  const view = what.view || viewOf(what.set.x);
  return frame(box, view, {
    equal: isEqual(what, view),
    bare: what.bare,
    right: what.bare ? 0 : 10,
  });
}

export function gridFor(box, what, cell = 5) {
  const f = frameOf(box, what),
    { view } = f;
  const cols = Math.max(2, Math.min(240, Math.round(f.plot.w / cell)));
  const rows = Math.max(2, Math.min(240, Math.round(f.plot.h / cell)));
  const x = new Float64Array(2 * cols * rows);
  for (let j = 0, k = 0; j < rows; j++)
    for (let i = 0; i < cols; i++) {
      x[k++] = view.x0 + ((i + 0.5) / cols) * (view.x1 - view.x0);
      x[k++] = view.y1 - ((j + 0.5) / rows) * (view.y1 - view.y0);
    }
  return { cols, rows, view, x };
}

export function hit(box, what, sx, sy, reach = 14) {
  const f = frameOf(box, what),
    { x } = what.set;
  let best = -1,
    least = reach * reach;
  for (let i = 0; i < x.length / 2; i++) {
    const dx = f.x.to(x[2 * i]) - sx,
      dy = f.y.to(x[2 * i + 1]) - sy,
      d = dx * dx + dy * dy;
    if (d <= least) {
      least = d;
      best = i;
    } /* of two in one place, the top one */
  }
  return best;
}

/* Fewer points are drawn larger. */
export function markRadius(f, n) {
  const room = Math.sqrt((f.plot.w * f.plot.h) / Math.max(n, 1));
  return Math.max(2, Math.min(f.plot.w < 360 ? 5 : 6.5, room * 0.16));
}

export function draw(pen, box, what) {
  const f = frameOf(box, what),
    { plot } = f;
  const r = markRadius(f, what.set.y.length);
  pen.group('plane', () => {
    pen.clip(plot.x, plot.y, plot.w, plot.h, () => {
      regions(pen, f, what);
      if (what.hulls) hulls(pen, f, what);
      if (what.before) oneLine(pen, f, what.before, { stroke: 'before', width: 1.6, dash: [6, 5] });
      if (what.linear) lineWithMargins(pen, f, what.linear);
      for (const l of what.lines || []) namedLine(pen, f, l);
      if (what.witness) combinations(pen, f, what);
    });
    if (!what.bare)
      drawAxes(pen, f, {
        xName: nameOf(what, 0),
        yName: nameOf(what, 1),
        yRoom: what.legend === false ? 1 : 1 / 3,
      });
    const discs = what.supports ? supports(f, what, r) : [];
    pen.scatter(plot.x - r, plot.y - r, plot.w + 2 * r, plot.h + 2 * r, [
      ...discs,
      ...points(f, what, r),
      ...discs.map(ringOf),
    ]);
    pen.clip(plot.x, plot.y, plot.w, plot.h, () => {
      if (what.before)
        normal(pen, f, what.before, { stroke: 'before', width: 1.4, dash: [4, 3] }, 'w');
      if (what.linear)
        normal(pen, f, what.linear, { stroke: 'normal', width: 2 }, what.before ? 'w′' : 'w');
      if (what.linear && !what.bare) outside(pen, f, what.linear);
      if (what.witness) witness(pen, f, what, r);
      rings(pen, f, what, r);
    });
    if (!what.bare && what.legend !== false) legend(pen, f, what);
  });
  return f;
}

const nameOf = (what, j) => (what.set.names && what.set.names[j]) || `x${'₁₂'[j]}`;

/* ----- lines ------------------------------------------------------------------------ */

function oneLine(pen, f, { w, b }, style, shift = 0) {
  const l = lineIn(f.view, w[0], w[1], b - shift);
  if (l) pen.line(f.x.to(l[0]), f.y.to(l[1]), f.x.to(l[2]), f.y.to(l[3]), style);
  return l;
}

function lineWithMargins(pen, f, linear) {
  if (linear.margin)
    for (const m of [-linear.margin, linear.margin])
      oneLine(pen, f, linear, { stroke: 'margin', width: 1.2, dash: [2, 4], round: true }, m);
  oneLine(pen, f, linear, { stroke: 'boundary', width: 2.2 });
}

function namedLine(pen, f, l) {
  const colour = l.style || 'imported';
  const at = oneLine(pen, f, l, { stroke: colour, width: 2, dash: [10, 4, 2, 4] });
  if (!at || !l.name) return;
  const [x, y] = at[1] > at[3] ? f.toScreen(at[0], at[1]) : f.toScreen(at[2], at[3]);
  const right = x > f.plot.x + f.plot.w / 2;
  pen.text(
    x + (right ? -8 : 8),
    Math.min(Math.max(y + 14, f.plot.y + 14), f.plot.y + f.plot.h - 6),
    l.name,
    { fill: colour, size: f.size, anchor: right ? 'end' : 'start', halo: true },
  );
}

/* The normal vector, from the point of the line nearest to the centre of the view. Its length on
 * the screen is fixed if |w| would be too short to see or too long for the picture. */
function normal(pen, f, { w, b }, style, name) {
  const n2 = w[0] * w[0] + w[1] * w[1];
  if (!(n2 > 0) || !Number.isFinite(n2)) return;
  const l = lineIn(f.view, w[0], w[1], b);
  if (!l) return;
  const at = f.toScreen((l[0] + l[2]) / 2, (l[1] + l[3]) / 2);
  const tip = f.toScreen((l[0] + l[2]) / 2 + w[0], (l[1] + l[3]) / 2 + w[1]);
  const dx = tip[0] - at[0],
    dy = tip[1] - at[1],
    len = Math.hypot(dx, dy) || 1;
  const fixed = Math.max(26, Math.min(len, 0.22 * Math.min(f.plot.w, f.plot.h)));
  const ex = at[0] + (dx / len) * fixed,
    ey = at[1] + (dy / len) * fixed;
  pen.arrow(at[0], at[1], ex, ey, style);
  pen.text(ex + (dx / len) * 10, ey + (dy / len) * 10, name, {
    fill: style.stroke,
    size: f.size + 1,
    anchor: 'middle',
    base: 'middle',
    italic: true,
    halo: true,
  });
}

/* Says why no line shows: there is none yet, or where it lies. */
function outside(pen, f, { w, b }) {
  const [mx, my] = [(f.view.x0 + f.view.x1) / 2, (f.view.y0 + f.view.y1) / 2];
  if (!Number.isFinite(w[0] + w[1] + b) || lineIn(f.view, w[0], w[1], b)) return;
  const side = w[0] * mx + w[1] * my + b > 0 ? -1 : 1; /* the way from the centre to the line */
  const turn = Math.round(Math.atan2(side * w[1], side * w[0]) / (Math.PI / 4)) & 7;
  const text = w[0] || w[1] ? `the line is outside ${'→↗↑↖←↙↓↘'[turn]}` : 'w = 0: no line yet';
  pen.text(f.plot.x + 8, f.plot.y + f.size * 1.3, text, {
    fill: 'muted',
    size: f.size,
    halo: true,
  });
}

/* ----- points --------------------------------------------------------------------- */

function points(f, what, r) {
  const { x, y } = what.set,
    n = y.length,
    wrong = new Set(what.wrong || []),
    proof = !!what.witness && n > 12;
  const kinds = new Map(); /* class, hollow or pale -> flat screen points */
  for (let i = 0; i < n; i++) {
    const kind =
      y[i] * 4 + (wrong.has(i) ? 2 : 0) + (proof || (what.shown && !what.shown[i]) ? 1 : 0);
    let list = kinds.get(kind);
    if (!list) kinds.set(kind, (list = []));
    list.push(f.x.to(x[2 * i]), f.y.to(x[2 * i + 1]));
  }
  return [...kinds].map(([kind, xy]) => ({
    shape: shapeOf(kind >> 2),
    xy,
    r,
    style: markStyle(kind >> 2, kind & 2, kind & 1, r),
  }));
}

const markStyle = (label, hollow, pale, r) =>
  hollow
    ? {
        fill: 'ground',
        stroke: `class${label}`,
        width: Math.max(1.2, r * 0.35),
        alpha: pale ? 0.5 : 1,
      }
    : { fill: `class${label}`, stroke: 'edge', width: r > 3 ? 1 : 0.5, alpha: pale ? 0.4 : 1 };

const at = (f, what, row) => f.toScreen(what.set.x[2 * row], what.set.x[2 * row + 1]);

/* Its rim, above the points: visible in a crowd, too. */
const ringOf = (disc) => ({ ...disc, style: { stroke: 'ink', width: 1, alpha: 0.6 } });

/* A disc around each support vector, larger for larger counters. Radii are multiples of half a
 * pixel, so that there are few kinds. */
function supports(f, what, r) {
  const size = (s) => Math.abs(s.counter ?? s.coefficient ?? 1);
  const top = what.supports.reduce((m, s) => Math.max(m, size(s)), 1e-300),
    kinds = new Map();
  for (const s of what.supports) {
    if (!(s.row >= 0) || !(size(s) > 0)) continue;
    const radius = Math.round(2 * (r + 2 + Math.max(5, 2.2 * r) * Math.sqrt(size(s) / top))) / 2;
    const fill = `class${what.set.y[s.row]}`,
      key = `${fill} ${radius}`;
    if (!kinds.has(key))
      kinds.set(key, { shape: 'circle', xy: [], r: radius, style: { fill, fillAlpha: 0.2 } });
    kinds.get(key).xy.push(...at(f, what, s.row));
  }
  return [...kinds.values()];
}

function rings(pen, f, what, r) {
  const ring = (row, extra, style) => {
    if (!(row >= 0) || 2 * row + 1 >= what.set.x.length) return null;
    const [x, y] = at(f, what, row);
    pen.circle(x, y, r + extra, style);
    return [x, y];
  };
  if (what.hover >= 0) ring(what.hover, 4, { stroke: 'muted', width: 1.5 });
  if (what.selected >= 0) ring(what.selected, 5, { stroke: 'ink', width: 2, dash: [3, 3] });
  if (what.current) current(pen, f, what, r, ring);
  if (what.cursor) {
    const [x, y] = f.toScreen(what.cursor.x, what.cursor.y);
    pen.segments(
      [x - 11, y, x - 3, y, x + 3, y, x + 11, y, x, y - 11, x, y - 3, x, y + 3, x, y + 11],
      { stroke: 'ink', width: 2 },
    );
  }
}

function current(pen, f, what, r, ring) {
  const { row, mistake } = what.current,
    colour = mistake ? 'mistake' : 'ink';
  const p = ring(row, 4.5, { stroke: 'ground', width: 4 });
  if (!p) return;
  ring(row, 4.5, { stroke: colour, width: 2.2 });
  if (!mistake) return;
  const a = r + 5.5,
    b = r + 11,
    [x, y] = p; /* ticks around the ring: visible without colour, too */
  pen.segments([x - b, y, x - a, y, x + a, y, x + b, y, x, y - b, x, y - a, x, y + a, x, y + b], {
    stroke: colour,
    width: 2.2,
  });
  const below = y - b - f.size - 6 < f.plot.y,
    side = x > f.plot.x + f.plot.w - 60 ? 'end' : x < f.plot.x + 60 ? 'start' : 'middle';
  pen.text(x, below ? y + b + f.size : y - b - 4, 'mistake', {
    fill: colour,
    size: f.size,
    anchor: side,
    bold: true,
    halo: true,
  });
}

/* ----- hulls and the crossing point ------------------------------------------------- */

function byClass(what, rows) {
  const groups = new Map();
  for (const i of rows) {
    if (!groups.has(what.set.y[i])) groups.set(what.set.y[i], []);
    groups.get(what.set.y[i]).push(i);
  }
  return groups;
}

const flat = (pts) => pts.flat();

function hulls(pen, f, what) {
  const all = Array.from(what.set.y.keys());
  for (const [label, rows] of byClass(what, all)) {
    const h = hull(rows.map((i) => at(f, what, i)));
    if (h.length > 1)
      pen.polygon(flat(h), {
        fill: `class${label}`,
        fillAlpha: 0.08,
        stroke: `class${label}`,
        width: 1.2,
        dash: [5, 3],
      });
  }
}

/* The segments or triangles whose points are convex combinations of the witness rows. */
function combinations(pen, f, what) {
  const rows = what.witness.map((p) => p.row);
  const groups = what.witnessOffset === false ? throughOrigin(f, what) : null;
  if (groups) {
    pen.polygon(flat(hull(groups)), {
      fill: 'witness',
      fillAlpha: 0.12,
      stroke: 'witness',
      width: 1.8,
    });
    return;
  }
  for (const [label, list] of byClass(what, rows)) {
    const h = hull(list.map((i) => at(f, what, i)));
    if (h.length > 1)
      pen.polygon(flat(h), {
        fill: `class${label}`,
        fillAlpha: 0.18,
        stroke: `class${label}`,
        width: 2.2,
      });
  }
}

/* For lines through the origin: x of +1 rows and -x of -1 rows have the origin between them. */
function throughOrigin(f, what) {
  return what.witness.map(({ row }) => {
    const s = what.set.y[row] === (what.positive ?? 1) ? 1 : -1;
    return f.toScreen(s * what.set.x[2 * row], s * what.set.x[2 * row + 1]);
  });
}

/* {point: [x, y], shares: [{row, share}]}: the common point of both convex combinations. */
export function crossing(what) {
  const sum = new Map();
  for (const { row, weight } of what.witness)
    sum.set(what.set.y[row], (sum.get(what.set.y[row]) || 0) + weight);
  const point = new Map();
  const shares = what.witness.map(({ row, weight }) => {
    const label = what.set.y[row],
      share = weight / sum.get(label);
    const p = point.get(label) || [0, 0];
    point.set(label, [p[0] + share * what.set.x[2 * row], p[1] + share * what.set.x[2 * row + 1]]);
    return { row, share };
  });
  const all = [...point.values()];
  if (what.witnessOffset === false) return { point: [0, 0], shares };
  return {
    point: all.length
      ? [0, 1].map((j) => all.reduce((s, p) => s + p[j], 0) / all.length)
      : [NaN, NaN],
    shares,
  };
}

function witness(pen, f, what, r) {
  const { point, shares } = crossing(what),
    c = f.toScreen(...point);
  for (const { row, share } of shares) {
    const [x, y] = at(f, what, row);
    pen.mark(shapeOf(what.set.y[row]), x, y, r + 1.5, {
      fill: `class${what.set.y[row]}`,
      stroke: 'ink',
      width: 1.6,
    });
    const d = Math.hypot(x - c[0], y - c[1]) || 1,
      out = r + 8 + f.size * 0.6; /* outwards, away from the meeting point */
    let tx = x + ((x - c[0]) / d) * out,
      ty = y + ((y - c[1]) / d) * out;
    if (d < 2) {
      tx = x + 16;
      ty = y - 16;
    }
    tx = Math.max(f.plot.x + 16, Math.min(f.plot.x + f.plot.w - 16, tx));
    ty = Math.max(f.plot.y + f.size * 0.7, Math.min(f.plot.y + f.plot.h - f.size * 0.7, ty));
    pen.text(tx, ty, short(share, 3), {
      fill: 'ink',
      size: f.size,
      anchor: 'middle',
      base: 'middle',
      halo: true,
    });
  }
  pen.circle(c[0], c[1], r + 3, { fill: 'ground', stroke: 'witness', width: 2.4 });
  pen.segments(
    [c[0] - r, c[1] - r, c[0] + r, c[1] + r, c[0] - r, c[1] + r, c[0] + r, c[1] - r].map((v, i) =>
      i % 2 ? c[1] + (v - c[1]) * 0.6 : c[0] + (v - c[0]) * 0.6,
    ),
    { stroke: 'witness', width: 2 },
  );
}

/* The classes, above the plot at the right: shape, colour and label. */
function legend(pen, f, what) {
  const size = f.size,
    labels = what.set.labels || [];
  let x = f.plot.x + f.plot.w;
  const room = x - f.plot.x - textWidth(cut(nameOf(what, 1), f.plot.w / 3, size), size) - 10;
  const each = Math.max(size, room / labels.length - 30);
  const whole = labels.reduce((s, l) => s + textWidth(l, size) + 30, 0) <= room;
  for (let c = labels.length - 1; c >= 0; c--) {
    const text = minus(whole ? labels[c] : cut(labels[c], each, size)),
      w = textWidth(text, size);
    const y = f.plot.y - size * 1.1;
    pen.text(x, y, text, { fill: 'ink', size, anchor: 'end', base: 'middle' });
    pen.mark(shapeOf(c), x - w - 10, y, 4.5, { fill: `class${c}` });
    x -= w + 30;
  }
}
