/* regions.js -- which part of the plane belongs to which class: half-planes and polygons of linear
 * models, cells and level lines of all others. Part of plane.js, whose head says what `what` is. */
import { cutHalf, viewPolygon, levelLine } from './geometry.js';

const FILL = 0.13; /* how strongly a class's region is coloured */

function screenPolygon(f, poly) {
  return poly.map((v, i) => (i % 2 ? f.y.to(v) : f.x.to(v)));
}

function fillHalf(pen, f, w, b, label) {
  const poly = cutHalf(viewPolygon(f.view), w[0], w[1], b);
  if (poly.length >= 6)
    pen.polygon(screenPolygon(f, poly), { fill: `class${label}`, fillAlpha: FILL });
}

export function regions(pen, f, what) {
  if (what.raster) {
    rasterRegions(pen, f, what);
    return;
  }
  if (what.multi) {
    multiRegions(pen, f, what.multi);
    return;
  }
  if (!what.linear) return;
  const { w, b } = what.linear,
    positive = what.positive ?? 1;
  if (!(w[0] || w[1])) return; /* no direction yet: no half-planes */
  fillHalf(pen, f, w, b, positive);
  fillHalf(pen, f, [-w[0], -w[1]], -b, otherLabel(what));
}

const otherLabel = (what) => ((what.positive ?? 1) === 0 ? 1 : 0);

/* Class c owns the points where its score is above all others: half-planes, cut one by one. */
function multiRegions(pen, f, { w, b }) {
  const v = f.view,
    dx = (v.x1 - v.x0) * 0.02,
    dy = (v.y1 - v.y0) * 0.02;
  const wide = viewPolygon({ x0: v.x0 - dx, x1: v.x1 + dx, y0: v.y0 - dy, y1: v.y1 + dy });
  w.forEach((wc, c) => {
    let poly = wide; /* its outer edge is clipped away, so that only borders between classes show */
    w.forEach((wj, j) => {
      if (j !== c && poly.length) poly = cutHalf(poly, wc[0] - wj[0], wc[1] - wj[1], b[c] - b[j]);
    });
    if (poly.length >= 6)
      pen.polygon(screenPolygon(f, poly), {
        fill: `class${c}`,
        fillAlpha: FILL,
        stroke: 'boundary',
        width: 1.4,
      });
  });
}

/* Cells and level lines are kept with the raster they came from: while the pointer moves, the same
 * raster is drawn many times. */
const PREPARED = new WeakMap();

function rasterRegions(pen, f, what) {
  const { cols, rows, view } = what.raster;
  const x = f.x.to(view.x0),
    y = f.y.to(view.y1),
    w = f.x.to(view.x1) - x,
    h = f.y.to(view.y0) - y;
  const place = (s) => s.map((v, i) => (i % 2 ? y + (v / rows) * h : x + (v / cols) * w));
  let p = PREPARED.get(what.raster);
  if (!p || p.positive !== (what.positive ?? 1)) PREPARED.set(what.raster, (p = prepare(what)));
  pen.raster(x, y, w, h, p.cells);
  if (p.margins) pen.segments(place(p.margins), { stroke: 'margin', width: 1.1 });
  pen.segments(place(p.edges), { stroke: 'boundary', width: 1.8, round: true });
}

function prepare(what) {
  const { cols, rows, scores, outputs = 1, classes, margin } = what.raster,
    positive = what.positive ?? 1;
  if (scores && outputs === 1) {
    const level = (v) => wholeLevel(scores, cols, rows, v);
    return {
      positive,
      cells: shaded(what, cols, rows, scores),
      edges: level(0),
      margins: margin > 0 ? [...level(-margin), ...level(margin)] : null,
    };
  }
  const cell = classes || best(scores, outputs);
  const used = cell.reduce((m, c) => Math.max(m, c), 0) + 1;
  const paints = Array.from({ length: used }, (_, c) => [`class${c}`, FILL + 0.03]);
  return {
    positive,
    cells: { cols, rows, cell, paints },
    edges: scores ? scoreEdges(scores, outputs, cols, rows) : cellEdges(cell, cols, rows),
  };
}

/* Colour by sign, stronger for larger scores: five steps, relative to the larger scores. */
function shaded(what, cols, rows, scores) {
  const STEPS = 5,
    every = Math.max(1, Math.floor(scores.length / 500)); /* a sample is enough */
  const sizes = scores
    .filter((v, i) => i % every === 0 && Number.isFinite(v))
    .map(Math.abs)
    .sort();
  const top = sizes[Math.floor(sizes.length * 0.9)] || 1;
  const cell = new Uint8Array(scores.length),
    positive = what.positive ?? 1,
    other = otherLabel(what);
  for (let i = 0; i < scores.length; i++) {
    const step = Math.min(STEPS - 1, Math.floor((Math.abs(scores[i]) / top) * STEPS)) || 0;
    cell[i] = scores[i] > 0 ? step : STEPS + step;
  }
  const shade = (label) =>
    Array.from({ length: STEPS }, (_, i) => [`class${label}`, 0.09 + 0.035 * i]);
  return { cols, rows, cell, paints: [...shade(positive), ...shade(other)] };
}

function best(scores, outputs) {
  const cell = new Int32Array(scores.length / outputs);
  for (let i = 0; i < cell.length; i++)
    for (let c = 1; c < outputs; c++)
      if (scores[i * outputs + c] > scores[i * outputs + cell[i]]) cell[i] = c;
  return cell;
}

/* Level lines of (score of c) - (largest other score): the borders of each class's region. */
function scoreEdges(scores, outputs, cols, rows) {
  const lead = new Float64Array(cols * rows),
    out = [];
  for (let c = 0; c < outputs; c++) {
    for (let i = 0; i < lead.length; i++) {
      let other = -Infinity;
      for (let j = 0; j < outputs; j++)
        if (j !== c) other = Math.max(other, scores[i * outputs + j]);
      lead[i] = scores[i * outputs + c] - other;
    }
    for (const v of wholeLevel(lead, cols, rows, 0)) out.push(v);
  }
  return out;
}

function cellEdges(cell, cols, rows) {
  const out = [];
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < cols; i++) {
      const c = cell[j * cols + i];
      if (i + 1 < cols && cell[j * cols + i + 1] !== c) out.push(i + 1, j, i + 1, j + 1);
      if (j + 1 < rows && cell[(j + 1) * cols + i] !== c) out.push(i, j + 1, i + 1, j + 1);
    }
  return out;
}

/* A level line that reaches the edges of the picture: values lie in the centres of cells, so the
 * grid is extrapolated linearly by one cell all around. */
function wholeLevel(value, cols, rows, level) {
  const wide = cols + 2,
    v = new Float64Array(wide * (rows + 2));
  for (let j = 0; j < rows; j++) {
    const at = (j + 1) * wide;
    v.set(value.subarray(j * cols, (j + 1) * cols), at + 1);
    v[at] = 2 * v[at + 1] - v[at + 2];
    v[at + cols + 1] = 2 * v[at + cols] - v[at + cols - 1];
  }
  for (let i = 0; i < wide; i++) {
    v[i] = 2 * v[wide + i] - v[2 * wide + i];
    v[(rows + 1) * wide + i] = 2 * v[rows * wide + i] - v[(rows - 1) * wide + i];
  }
  return levelLine(v, wide, rows + 2, level).map((c) => c - 1);
}
