/* scale.js -- numbers as text, ticks, and the map between data and screen.
 *
 * Everything here is pure: no DOM, no state. A box is {x, y, w, h} in CSS pixels, a view is
 * {x0, x1, y0, y1} in units of the data. */

/* "%.6g" as C prints it, and no "-0": the numbers on the page are those of `perceptron trace`.
 * Corrects two differences in toPrecision: exponents (C: below -4, two digits) and exact ties (C
 * rounds them to the even digit, JavaScript up). */
export function g6(v, digits = 6) {
  if (v === 0) return '0';
  if (Number.isNaN(v)) return 'nan';
  if (!Number.isFinite(v)) return v > 0 ? 'inf' : '-inf';
  let [mantissa, exponent] = v.toExponential(digits - 1).split('e');
  const tie = new RegExp(`^-?(\\d\\.\\d{${digits - 1}})50*e`).exec(v.toExponential(60));
  if (tie && Number(tie[1].at(-1)) % 2 === 0) mantissa = (v < 0 ? '-' : '') + tie[1];
  const e = Number(exponent);
  const bare = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (e < -4 || e >= digits)
    return `${bare(mantissa)}e${e < 0 ? '-' : '+'}${String(Math.abs(e)).padStart(2, '0')}`;
  return bare(Number(`${mantissa}e${e}`).toFixed(Math.max(0, digits - 1 - e)));
}

/* "+1", "-1" as trace prints y ("%+g"). */
export const signed = (v) => (v > 0 ? '+' : '') + g6(v);

/* "(1, 0.5, ...)" as trace prints a vector. */
export function vectorText(v, shown = 8) {
  const head = Array.from(v)
    .slice(0, shown)
    .map((u) => g6(u))
    .join(', ');
  return `(${head}${v.length > shown ? ', ...' : ''})`;
}

/* Steps of 1, 2 or 5 times a power of ten; at most about `count` ticks in [lo, hi]. */
export function tickStep(lo, hi, count) {
  const raw = (hi - lo) / Math.max(1, count);
  if (!(raw > 0) || !Number.isFinite(raw)) return 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return power * (lead <= 1.0000001 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

/* [{value, text}] inside [lo, hi]. All texts have the same number of decimals. */
export function ticks(lo, hi, count = 5, whole = false) {
  let step = tickStep(lo, hi, count);
  if (whole && step < 1) step = 1;
  const first = Math.ceil(lo / step - 1e-9);
  const last = Math.floor(hi / step + 1e-9);
  const out = [];
  for (let i = first; i <= last && out.length < 100; i++) {
    const value = Number((i * step).toPrecision(12));
    out.push({ value, text: tickText(value, step) });
  }
  return out;
}

function tickText(value, step) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || step < 1e-6) return minus(g6(value, 3).replace('e+0', 'e').replace('e+', 'e'));
  return minus(value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))));
}

/* Powers of ten in [lo, hi], thinned to at most `count`; 2 and 5 times these where there is
 * room. */
export function logTicks(lo, hi, count = 6) {
  const from = Math.floor(Math.log10(lo)),
    to = Math.ceil(Math.log10(hi));
  const lead = (to - from) * 3 <= count ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil((to - from) / Math.max(1, count)));
  const out = [];
  for (let e = from; e <= to; e++) {
    if (lead.length === 1 && (e - from) % every !== 0) continue;
    for (const m of lead) {
      const value = Number(`${m}e${e}`);
      if (value >= lo * (1 - 1e-9) && value <= hi * (1 + 1e-9))
        out.push({ value, text: powerText(m, e) });
    }
  }
  return out;
}

const SUPERSCRIPT = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};
function powerText(m, e) {
  if (e >= 0 && e <= 4) return String(m * 10 ** e);
  if (e < 0 && e >= -3) return (m * 10 ** e).toFixed(-e);
  const power = '10' + [...String(e)].map((c) => SUPERSCRIPT[c]).join('');
  return m === 1 ? power : `${m}·${power}`;
}

/* A true minus sign, for labels on pictures (the arithmetic keeps trace's hyphen). */
export const minus = (text) => String(text).replace(/^-/, '−');

/* A short number for a label on a picture: at most `digits` significant digits. */
export const short = (v, digits = 3) => minus(g6(v, digits));

/* The map of one axis; `log` for a logarithmic one. */
export function axis(d0, d1, s0, s1, log = false) {
  const f = log ? Math.log10 : (v) => v;
  const a = f(d0),
    k = (s1 - s0) / (f(d1) - a || 1);
  const to = (v) => s0 + (f(v) - a) * k;
  const from = (s) => (log ? 10 ** (a + (s - s0) / k) : a + (s - s0) / k);
  return { to, from, d0, d1, log };
}

/* The smallest view that holds all points (x: pairs), with a margin: a wider one around a few
 * points, because their lines often pass outside. */
export function viewOf(x, pad = x.length <= 24 ? 0.65 : 0.1) {
  let x0 = Infinity,
    x1 = -Infinity,
    y0 = Infinity,
    y1 = -Infinity;
  for (let i = 0; i + 1 < x.length; i += 2) {
    if (!Number.isFinite(x[i]) || !Number.isFinite(x[i + 1])) continue;
    x0 = Math.min(x0, x[i]);
    x1 = Math.max(x1, x[i]);
    y0 = Math.min(y0, x[i + 1]);
    y1 = Math.max(y1, x[i + 1]);
  }
  if (!(x0 <= x1)) return { x0: -1, x1: 1, y0: -1, y1: 1 };
  const w = x1 - x0 || Math.max(Math.abs(x0), 1),
    h = y1 - y0 || Math.max(Math.abs(y0), 1);
  return { x0: x0 - pad * w, x1: x1 + pad * w, y0: y0 - pad * h, y1: y1 + pad * h };
}

/* The view widened so that a unit is equally long on both axes: only then is a normal vector drawn
 * at a right angle to its line. */
export function equalView(view, w, h) {
  const ux = (view.x1 - view.x0) / w,
    uy = (view.y1 - view.y0) / h,
    u = Math.max(ux, uy);
  const cx = (view.x0 + view.x1) / 2,
    cy = (view.y0 + view.y1) / 2;
  return { x0: cx - (u * w) / 2, x1: cx + (u * w) / 2, y0: cy - (u * h) / 2, y1: cy + (u * h) / 2 };
}

/* Type grows slowly with the picture: 11 px at 300, 14 px at 900. */
export const typeSize = (box) =>
  Math.max(10, Math.min(14, Math.round((11 + (Math.min(box.w, box.h * 1.4) - 300) / 200) * 2) / 2));

/* Width of a text in px: good enough to place things, and the same for both pens. */
export function textWidth(text, size) {
  let w = 0;
  for (const c of String(text))
    w += /[ijl.,:;'|!I ]/.test(c)
      ? 0.29
      : /[mwMW]/.test(c)
        ? 0.85
        : /[A-Z]/.test(c)
          ? 0.67
          : /[₀-₉⁰¹²³⁴-⁹⁻′]/.test(c)
            ? 0.36
            : /[frt()[\]/-]/.test(c)
              ? 0.36
              : 0.56;
  return w * size * 1.08; /* DejaVu Sans, the widest of the fonts in use */
}

/* Where a plot lies in its box and how data map to it: {plot, view, size, toScreen, toData, x, y}.
 * opts: {equal, logX, logY, bare (no axes), top, right, left, bottom (margins in px), yTicks} */
export function frame(box, view, opts = {}) {
  const size = opts.size || typeSize(box);
  const bottom = opts.bottom ?? (opts.bare ? 0 : Math.round(size * 2.9));
  const top = opts.top ?? (opts.bare ? 0 : Math.round(size * 1.9));
  /* Ticks as drawAxes will draw them: leave room for the longest. */
  const high = Math.max(10, box.h - top - bottom);
  const guess =
    opts.yTicks || ticks(view.y0, view.y1, Math.max(2, high / (size * 3.6)), opts.wholeY);
  const widest = Math.max(textWidth('0', size), ...guess.map((t) => textWidth(t.text, size)));
  const left = opts.left ?? (opts.bare ? 0 : Math.ceil(widest) + 10);
  const right = opts.right ?? (opts.bare ? 0 : 8);
  const plot = {
    x: box.x + left,
    y: box.y + top,
    w: Math.max(10, box.w - left - right),
    h: Math.max(10, box.h - top - bottom),
  };
  const v = opts.equal ? equalView(view, plot.w, plot.h) : view;
  const x = axis(v.x0, v.x1, plot.x, plot.x + plot.w, opts.logX);
  const y = axis(v.y0, v.y1, plot.y + plot.h, plot.y, opts.logY);
  return {
    plot,
    view: v,
    size,
    x,
    y,
    toScreen: (a, b) => [x.to(a), y.to(b)],
    toData: (a, b) => [x.from(a), y.from(b)],
  };
}

/* Axes with ticks outside, no box; the name of y stands horizontally above its axis, that of x
 * below the right end. opts: {xName, yName, xTicks, yTicks, wholeX, wholeY, grid, yRoom: the part
 * of the width that yName may fill} */
export function drawAxes(pen, f, opts = {}) {
  const { plot, view, size } = f;
  const bottom = plot.y + plot.h;
  const xt =
    opts.xTicks || ticks(view.x0, view.x1, Math.max(2, plot.w / (size * 5.5)), opts.wholeX);
  const yt =
    opts.yTicks || ticks(view.y0, view.y1, Math.max(2, plot.h / (size * 3.6)), opts.wholeY);
  pen.group('axes', () => {
    if (opts.grid)
      for (const t of yt)
        pen.line(plot.x, f.y.to(t.value), plot.x + plot.w, f.y.to(t.value), { stroke: 'grid' });
    pen.line(plot.x, bottom + 0.5, plot.x + plot.w, bottom + 0.5, { stroke: 'axis' });
    pen.line(plot.x - 0.5, plot.y, plot.x - 0.5, bottom, { stroke: 'axis' });
    for (const t of xt) {
      const s = f.x.to(t.value);
      pen.line(s, bottom, s, bottom + 4, { stroke: 'axis' });
      /* Below its tick; the last one not beyond the picture, which has 8 px on the right. */
      const at = Math.min(s, plot.x + plot.w + 6 - textWidth(t.text, size) / 2);
      pen.text(at, bottom + 6, t.text, { fill: 'muted', size, anchor: 'middle', base: 'top' });
    }
    for (const t of yt) {
      const s = f.y.to(t.value);
      pen.line(plot.x - 4, s, plot.x, s, { stroke: 'axis' });
      pen.text(plot.x - 6, s, t.text, { fill: 'muted', size, anchor: 'end', base: 'middle' });
    }
    if (opts.xName)
      pen.text(plot.x + plot.w, bottom + 6 + size * 1.25, cut(opts.xName, plot.w, size), {
        fill: 'ink',
        size,
        anchor: 'end',
        base: 'top',
      });
    if (opts.yName)
      pen.text(
        plot.x - 6,
        plot.y - size * 0.75,
        cut(opts.yName, plot.w * (opts.yRoom || 1), size),
        { fill: 'ink', size },
      );
  });
}

/* A text cut to a width, with an ellipsis. */
export function cut(text, width, size) {
  const all = [...String(text)];
  if (textWidth(text, size) <= width) return String(text);
  while (all.length > 1 && textWidth(all.join('') + '…', size) > width) all.pop();
  return all.join('') + '…';
}
