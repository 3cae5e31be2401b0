/* curves.js -- what happened over time: by pass, and against the bound.
 *
 *     const f = draw(pen, box, what)
 *     hit(box, what, sx) -> {k, index} | null   // the pass or update under the pointer
 *
 * what = {kind: 'mistakes' | 'error' | 'loss' | 'accuracy',
 *         series: [{name, values: [one a pass]}, ...],   // side by side: one a learner
 *         passes: n,            // optional: room for so many passes
 *         title}                // optional: replaces the name above the axis
 * what = {kind: 'bound',
 *         k: [1, 2, ...], norm2: [|w|^2 after update k], // run.curve
 *         wu: [w.u after update k] or w: [[..]] and u: [..] (unit, same length),
 *         R, gamma, rate: 1,    // R = max |x| (with the 1 of the offset), gamma' = the margin of u
 *         log: true | false}    // default: logarithmic where the bound is far away
 * R and gamma null (not separable): only |w|^2 is drawn, and k R^2 where R is known.
 * Novikoff 1962: k^2 gamma'^2 <= (w.u)^2 <= |w|^2 <= k R^2, so k <= R^2 / gamma'^2. */
import { frame, drawAxes, ticks, logTicks, short, textWidth } from './scale.js';

const TITLE = {
  mistakes: 'mistakes in each pass',
  error: 'training error',
  loss: 'loss',
  accuracy: 'accuracy',
};

export function draw(pen, box, what) {
  return what.kind === 'bound' ? bound(pen, box, what) : byPass(pen, box, what);
}

/* ----- by pass ---------------------------------------------------------------------- */

function passFrame(box, what) {
  let top = 0,
    longest = 1,
    low = 0;
  for (const s of what.series) {
    longest = Math.max(longest, s.values.length);
    for (const v of s.values)
      if (Number.isFinite(v)) {
        top = Math.max(top, v);
        low = Math.min(low, v);
      }
  }
  const passes = Math.max(what.passes || 0, longest, 2);
  const whole = what.kind === 'mistakes';
  const view = { x0: 1, x1: passes, y0: low, y1: (top || (whole ? 4 : 1)) * 1.05 };
  const names = what.series.length > 1 || what.series[0]?.name;
  const size = Math.max(0, ...what.series.map((s) => textWidth(s.name || '', 12)));
  const right = names ? Math.min(size + 18, box.w * 0.3) : 12;
  return { whole, f: frame(box, view, { wholeY: whole, right }) };
}

function byPass(pen, box, what) {
  const { whole, f } = passFrame(box, what);
  pen.group('curves', () => {
    drawAxes(pen, f, {
      xName: 'pass',
      yName: what.title || TITLE[what.kind] || what.kind,
      wholeX: true,
      wholeY: whole,
      grid: true,
    });
    const ends = [];
    what.series.forEach((s, i) => {
      const xy = [];
      s.values.forEach((v, k) => {
        if (Number.isFinite(v)) xy.push(f.x.to(k + 1), f.y.to(v));
      });
      if (!xy.length) return;
      const stroke = `series${i}`;
      if (xy.length > 2) pen.polyline(xy, { stroke, width: 2, dash: DASH[i % DASH.length] });
      if (xy.length <= 80) pen.marks('circle', xy, 2.6, { fill: stroke });
      pen.circle(xy[xy.length - 2], xy[xy.length - 1], 3.6, { fill: stroke });
      ends.push({
        y: xy[xy.length - 1],
        x: xy[xy.length - 2],
        text: s.name || '',
        fill: stroke,
        value: s.values[s.values.length - 1],
      });
    });
    endLabels(pen, f, ends);
  });
  return f;
}

const DASH = [undefined, [7, 3], [2, 3], [9, 3, 2, 3]]; /* lines differ without colour, too */

/* Names at the ends of the lines, pushed apart where they would touch. */
function endLabels(pen, f, ends) {
  const gap = f.size * 1.2,
    list = ends.filter((e) => e.text).sort((a, b) => a.y - b.y);
  list.forEach((e, i) => {
    e.ly = i ? Math.max(e.y, list[i - 1].ly + gap) : Math.max(e.y, f.plot.y + gap / 2);
  });
  const over = list.length ? list[list.length - 1].ly - (f.plot.y + f.plot.h - gap * 0.7) : 0;
  if (over > 0)
    list.forEach((e) => {
      e.ly -= over;
    });
  for (const e of list)
    pen.text(e.x + 8, e.ly, e.text, { fill: e.fill, size: f.size, base: 'middle', halo: true });
}

/* ----- against the bound -------------------------------------------------------------- */

const dot = (a, b) => a.reduce((s, v, i) => s + v * (b[i] ?? 0), 0);

function boundParts(what) {
  const n = what.k.length,
    rate2 = (what.rate ?? 1) ** 2;
  const wu = what.wu || (what.w && what.u ? what.w.map((w) => dot(w, what.u)) : null);
  const meet = what.R > 0 && what.gamma > 0 ? (what.R / what.gamma) ** 2 : null;
  const last = n ? what.k[n - 1] : 1;
  const log = what.log ?? (meet !== null && meet > 12 * Math.max(last, 4));
  const x1 = meet !== null ? Math.max(meet, last) * (log ? 1.6 : 1.06) : Math.max(last, 4) * 1.06;
  const upper = (k) => k * what.R ** 2 * rate2,
    lower = (k) => k * k * what.gamma ** 2 * rate2;
  return { n, wu, meet, last, log, x1, upper, lower };
}

function boundFrame(box, what, p) {
  let top = 0,
    low = Infinity;
  const see = (v) => {
    if (v > 0 && Number.isFinite(v)) {
      top = Math.max(top, v);
      low = Math.min(low, v);
    }
  };
  what.norm2.forEach(see);
  if (p.wu) p.wu.forEach((v) => see(v * v));
  if (what.R > 0) {
    see(p.upper(1));
    see(p.upper(p.x1));
  }
  if (p.meet !== null) {
    see(p.lower(p.x1));
    if (p.log) see(p.lower(1));
  }
  const view = p.log
    ? { x0: 1, x1: p.x1, y0: (low < Infinity ? low : 1) / 1.6, y1: (top || 1) * 1.6 }
    : { x0: 0, x1: p.x1, y0: 0, y1: (top || 1) * 1.04 };
  const size = 13;
  const yTicks = p.log
    ? logTicks(view.y0, view.y1, box.h / (size * 4))
    : ticks(view.y0, view.y1, box.h / (size * 4.5));
  const xTicks = p.log
    ? logTicks(1, p.x1, box.w / (size * 5))
    : ticks(0, p.x1, box.w / (size * 6), true);
  return { f: frame(box, view, { logX: p.log, logY: p.log, yTicks, right: 14 }), xTicks, yTicks };
}

function bound(pen, box, what) {
  const p = boundParts(what),
    { f, xTicks, yTicks } = boundFrame(box, what, p),
    { plot } = f;
  pen.group('bound', () => {
    drawAxes(pen, f, {
      xName: 'updates k',
      yName: p.wu ? '|w|² and (w·u)²' : '|w|²',
      xTicks,
      yTicks,
    });
    pen.clip(plot.x, plot.y - 4, plot.w, plot.h + 4, () => {
      if (what.R > 0) curve(pen, f, p, p.upper, { stroke: 'class1', width: 1.6, dash: [6, 4] });
      if (p.meet !== null) {
        wedge(pen, f, p);
        curve(pen, f, p, p.lower, { stroke: 'class0', width: 1.6, dash: [2, 3] });
      }
      walk(pen, f, what.k, what.norm2, { stroke: 'class1', width: 2.2 });
      if (p.wu)
        walk(
          pen,
          f,
          what.k,
          p.wu.map((v) => v * v),
          { stroke: 'class0', width: 2.2 },
        );
    });
    boundLabels(pen, f, what, p);
  });
  return f;
}

const samples = (p) =>
  Array.from({ length: 61 }, (_, i) => (p.log ? p.x1 ** (i / 60) : (p.x1 * i) / 60));

function curve(pen, f, p, value, style) {
  pen.polyline(
    samples(p).flatMap((k) => f.toScreen(k, value(k))),
    style,
  );
}

/* The room left for w: between the two curves, up to where they meet. */
function wedge(pen, f, p) {
  const ks = samples({ ...p, x1: p.meet });
  const up = ks.flatMap((k) => f.toScreen(k, p.upper(k)));
  const down = [...ks].reverse().flatMap((k) => f.toScreen(k, p.lower(k)));
  pen.polygon([...up, ...down], { fill: 'muted', fillAlpha: 0.1 });
}

function walk(pen, f, k, v, style) {
  const xy = [];
  for (let i = 0; i < k.length; i++) if (!f.x.log || v[i] > 0) xy.push(f.x.to(k[i]), f.y.to(v[i]));
  if (xy.length > 2) pen.polyline(xy, style);
  if (xy.length) pen.circle(xy[xy.length - 2], xy[xy.length - 1], 3.6, { fill: style.stroke });
}

function boundLabels(pen, f, what, p) {
  const { plot, size } = f;
  const put = (k, v, text, fill, dx, dy, anchor) => {
    const [x, y] = f.toScreen(k, v);
    pen.text(
      Math.max(plot.x + 4, Math.min(plot.x + plot.w, x + dx)),
      Math.max(plot.y + size, Math.min(plot.y + plot.h - 4, y + dy)),
      text,
      { fill, size, anchor, halo: true },
    );
  };
  const mid = (t) => (p.log ? p.x1 ** t : p.x1 * t);
  /* the names of the limits keep clear of the numbers at the end of the walk */
  const end = p.log ? Math.log(p.last) / Math.log(p.x1) : p.last / p.x1;
  const t = [0.72, 0.5, 0.3].sort((a, b) => Math.abs(b - end - 0.1) - Math.abs(a - end - 0.1))[0];
  if (what.R > 0) put(mid(t), p.upper(mid(t)), 'k R²', 'class1', -6, -6, 'end');
  if (p.meet !== null) {
    const s = p.log ? t : 0.74; /* before that, the parabola is close to the axis */
    put(mid(s), p.lower(mid(s)), 'k² γ′²', 'class0', 10, 12, 'start');
    const [x, y] = f.toScreen(p.meet, p.upper(p.meet));
    pen.line(x, y, x, plot.y + plot.h, { stroke: 'ink', width: 1, dash: [2, 3] });
    pen.circle(x, y, 4.5, { fill: 'ground', stroke: 'ink', width: 1.8 });
    const words = `k ≤ R²/γ′² = ${short(p.meet, 4)}`;
    /* below, left of the dotted line; above if the walk ends too low for that */
    const ends = p.n
      ? f.y.to(Math.min(what.norm2[p.n - 1], p.wu ? p.wu[p.n - 1] ** 2 : Infinity))
      : 0;
    const low = ends > plot.y + plot.h - 4.2 * size;
    pen.text(
      x - (low ? 10 : 6),
      low ? Math.max(plot.y + size, y + size * 0.3) : plot.y + plot.h - size * 0.7,
      words,
      { fill: 'ink', size, anchor: 'end', halo: true, bold: true },
    );
  }
  if (p.n) {
    const left = end > 0.66,
      dx = left ? -8 : 8,
      anchor = left ? 'end' : 'start';
    put(
      p.last,
      what.norm2[p.n - 1],
      `|w|² = ${short(what.norm2[p.n - 1], 4)}`,
      'class1',
      dx,
      -6,
      anchor,
    );
    if (p.wu)
      put(
        p.last,
        p.wu[p.n - 1] ** 2,
        `(w·u)² = ${short(p.wu[p.n - 1] ** 2, 4)}`,
        'class0',
        left ? 0 : 8,
        16,
        anchor,
      );
  }
}

export function hit(box, what, sx) {
  if (what.kind === 'bound') {
    const p = boundParts(what),
      { f } = boundFrame(box, what, p),
      k = Math.round(f.x.from(sx));
    const index = what.k.indexOf(k);
    return index < 0 ? null : { k, index };
  }
  const { f } = passFrame(box, what),
    k = Math.round(f.x.from(sx));
  const longest = Math.max(...what.series.map((s) => s.values.length));
  return k >= 1 && k <= longest ? { k, index: k - 1 } : null;
}
