/* pen.js -- one way to draw, on a canvas or into SVG text.
 *
 *     const pen = CanvasPen.on(canvas, width, height, {theme: 'dark'});  // HiDPI, cleared
 *     const pen = new SvgPen({width, height, theme: 'light', title, description});
 *     plane.draw(pen, {x: 0, y: 0, w: width, h: height}, what);
 *     pen.toString()                                                    // SvgPen: the document
 *
 * Both have: line, polyline, polygon, segments, circle, square, rect, mark, marks, scatter, arrow,
 * text, raster, clip, group. Coordinates are CSS pixels. A style is
 *     {stroke, fill, width = 1, dash = [..], alpha = 1, fillAlpha, round}
 * with colours by name from palette.js ('ink', 'class0', 'boundary', ...) or literal '#rrggbb'.
 * text styles: {fill = 'ink', size = 12, anchor = 'start'|'middle'|'end',
 *     base = 'alphabetic'|'middle'|'top', bold, italic, mono, halo (a rim of the ground's colour)}
 * points are flat arrays [x0, y0, x1, y1, ...]. */
import { palettes, colour, rgb } from './palette.js';

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/* The corners of a mark around (0, 0) whose area is about that of a circle of radius r. */
function corners(shape, r) {
  const ring = (n, radius, turn) =>
    Array.from({ length: n }, (_, i) => {
      const a = turn + (i * 2 * Math.PI) / n,
        q = Array.isArray(radius) ? radius[i % 2] : radius;
      return [q * Math.cos(a), q * Math.sin(a)];
    }).flat();
  const s = r * 0.89,
    t = r * 0.36,
    u = r * 1.12;
  switch (shape) {
    case 'square':
      return [-s, -s, s, -s, s, s, -s, s];
    case 'triangle':
      return ring(3, r * 1.42, -Math.PI / 2).map((v, i) => (i % 2 ? v + r * 0.2 : v));
    case 'down':
      return ring(3, r * 1.42, Math.PI / 2).map((v, i) => (i % 2 ? v - r * 0.2 : v));
    case 'diamond':
      return ring(4, r * 1.27, 0);
    case 'hexagon':
      return ring(6, r * 1.1, 0);
    case 'star':
      return ring(10, [r * 1.45, r * 0.62], -Math.PI / 2);
    case 'plus':
      return [-t, -u, t, -u, t, -t, u, -t, u, t, t, t, t, u, -t, u, -t, t, -u, t, -u, -t, -t, -t];
    default:
      return null; /* a circle */
  }
}

class Pen {
  constructor(theme) {
    this.theme = theme === 'dark' ? 'dark' : 'light';
    this.palette = palettes[this.theme];
  }
  colour(name) {
    return colour(this.palette, name);
  }
  square(x, y, r, style) {
    this.rect(x - r, y - r, 2 * r, 2 * r, style);
  }
  mark(shape, x, y, r, style) {
    const c = corners(shape, r);
    if (!c) this.circle(x, y, r, style);
    else
      this.polygon(
        c.map((v, i) => v + (i % 2 ? y : x)),
        style,
      );
  }
  /* Many marks of one kind. */
  marks(shape, xy, r, style) {
    for (let i = 0; i < xy.length; i += 2) this.mark(shape, xy[i], xy[i + 1], r, style);
  }
  /* All points of a plot, clipped to it: sets = [{shape, xy, r, style}, ...]. */
  scatter(x, y, w, h, sets) {
    this.clip(x, y, w, h, () => {
      for (const s of sets) this.marks(s.shape, s.xy, s.r, s.style);
    });
  }
  /* A shaft and a filled head; nothing if it has no length. */
  arrow(x0, y0, x1, y1, style = {}) {
    const dx = x1 - x0,
      dy = y1 - y0,
      len = Math.hypot(dx, dy);
    if (!(len > 0.5)) return;
    const width = style.width || 1,
      head = Math.min(len, (style.head || 4.5) + 2.2 * width);
    const ux = dx / len,
      uy = dy / len,
      half = head * 0.4;
    const bx = x1 - ux * head,
      by = y1 - uy * head;
    this.line(x0, y0, bx + ux, by + uy, style);
    this.polygon([x1, y1, bx - uy * half, by + ux * half, bx + uy * half, by - ux * half], {
      fill: style.stroke,
      alpha: style.alpha,
    });
  }
}

/* ----- canvas ------------------------------------------------------------------ */

const ANCHOR = { start: 'start', middle: 'center', end: 'end' };

export class CanvasPen extends Pen {
  /* Sizes the canvas for the screen's pixels, clears it to the ground and returns a pen for it. */
  static on(
    canvas,
    width,
    height,
    { theme = 'light', ratio = globalThis.devicePixelRatio || 1, ground = true } = {},
  ) {
    const w = Math.max(1, Math.round(width * ratio)),
      h = Math.max(1, Math.round(height * ratio));
    if (canvas.width !== w) canvas.width = w;
    if (canvas.height !== h) canvas.height = h;
    const ctx = canvas.getContext('2d');
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    const pen = new CanvasPen(ctx, { theme, ratio });
    if (ground) pen.rect(0, 0, width, height, { fill: 'ground' });
    return pen;
  }
  constructor(ctx, { theme = 'light', ratio = 1 } = {}) {
    super(theme);
    this.ctx = ctx;
    this.ratio = ratio;
  }
  paint(style = {}, open = false) {
    const c = this.ctx;
    if (style.fill && !open) {
      c.globalAlpha = (style.alpha ?? 1) * (style.fillAlpha ?? 1);
      c.fillStyle = this.colour(style.fill);
      c.fill();
    }
    if (style.stroke) {
      c.globalAlpha = style.alpha ?? 1;
      c.strokeStyle = this.colour(style.stroke);
      c.lineWidth = style.width ?? 1;
      c.lineJoin = 'round';
      c.lineCap = style.round ? 'round' : 'butt';
      c.setLineDash(style.dash || []);
      c.stroke();
    }
    c.globalAlpha = 1;
  }
  line(x0, y0, x1, y1, style) {
    this.ctx.beginPath();
    this.ctx.moveTo(x0, y0);
    this.ctx.lineTo(x1, y1);
    this.paint(style, true);
  }
  trace(xy) {
    this.ctx.beginPath();
    for (let i = 0; i < xy.length; i += 2) this.ctx[i ? 'lineTo' : 'moveTo'](xy[i], xy[i + 1]);
  }
  polyline(xy, style) {
    this.trace(xy);
    this.paint(style, true);
  }
  polygon(xy, style) {
    this.trace(xy);
    this.ctx.closePath();
    this.paint(style);
  }
  /* Separate segments [x0, y0, x1, y1, ...] in one path. */
  segments(s, style) {
    const c = this.ctx;
    c.beginPath();
    for (let i = 0; i < s.length; i += 4) {
      c.moveTo(s[i], s[i + 1]);
      c.lineTo(s[i + 2], s[i + 3]);
    }
    this.paint(style, true);
  }
  circle(x, y, r, style) {
    this.ctx.beginPath();
    this.ctx.arc(x, y, r, 0, 2 * Math.PI);
    this.paint(style);
  }
  rect(x, y, w, h, style) {
    this.ctx.beginPath();
    this.ctx.rect(x, y, w, h);
    this.paint(style);
  }
  text(x, y, text, style = {}) {
    const c = this.ctx;
    const slant = style.italic ? 'italic ' : '',
      weight = style.bold ? '600 ' : '';
    c.font = `${slant}${weight}${style.size || 12}px ${style.mono ? MONO : SANS}`;
    c.textAlign = ANCHOR[style.anchor || 'start'];
    c.textBaseline = 'alphabetic';
    const yy = y + shift(style);
    c.globalAlpha = style.alpha ?? 1;
    if (style.halo) {
      c.strokeStyle = this.colour('ground');
      c.lineWidth = 4;
      c.lineJoin = 'round';
      c.setLineDash([]);
      c.strokeText(text, x, yy);
    }
    c.fillStyle = this.colour(style.fill || 'ink');
    c.fillText(text, x, yy);
    c.globalAlpha = 1;
  }
  /* Thousands of marks: a copy of the previous layer if nothing has moved. A layer is composed
   * pixel by pixel from small stamps, several times faster than with paths or images. */
  scatter(x, y, w, h, sets) {
    const n = sets.reduce((sum, s) => sum + s.xy.length / 2, 0);
    if (n < MANY || typeof OffscreenCanvas === 'undefined') {
      super.scatter(x, y, w, h, sets);
      return;
    }
    const key = `${this.theme} ${this.ratio} ${x} ${y} ${w} ${h} ${hashOf(sets)}`;
    let kept = LAYERS.get(this.ctx.canvas);
    if (!kept) LAYERS.set(this.ctx.canvas, (kept = []));
    let layer = kept.find((l) => l.key === key);
    if (!layer) {
      layer = kept.length > 2 ? kept.shift() : {}; /* reuses the memory of the oldest one */
      kept.push(layer);
      this.layer(layer, x, y, w, h, sets);
      layer.key = key;
    }
    const { image } = layer;
    this.ctx.drawImage(
      image,
      Math.floor(x),
      Math.floor(y),
      image.width / this.ratio,
      image.height / this.ratio,
    );
  }
  layer(layer, x, y, w, h, sets) {
    const k = this.ratio,
      cols = Math.ceil((w + 1) * k),
      rows = Math.ceil((h + 1) * k);
    if (!layer.image || layer.image.width !== cols || layer.image.height !== rows) {
      layer.image = new OffscreenCanvas(cols, rows);
      layer.pixels = new ImageData(cols, rows);
      layer.words = new Uint32Array(layer.pixels.data.buffer);
    } else layer.words.fill(0);
    const phases = k >= 2 ? 2 : 4; /* marks are placed to a quarter of a pixel */
    for (const { shape, xy, r, style } of sets) {
      const stamps = [];
      for (let i = 0; i < xy.length; i += 2) {
        const px = (xy[i] - Math.floor(x)) * k,
          py = (xy[i + 1] - Math.floor(y)) * k;
        const ix = Math.floor(px),
          iy = Math.floor(py);
        const phase = Math.floor((px - ix) * phases) * phases + Math.floor((py - iy) * phases);
        const s = stamps[phase] || (stamps[phase] = this.stamp(shape, r, style, phase, phases));
        stampOn(layer, s, ix, iy);
      }
    }
    layer.image.getContext('2d').putImageData(layer.pixels, 0, 0);
  }
  /* The non-empty pixels of one mark: {dx, dy, word}, at a fraction of a pixel. */
  stamp(shape, r, style, phase, phases) {
    const key = [
      this.theme,
      this.ratio,
      shape,
      r,
      style.fill,
      style.stroke,
      style.width,
      style.alpha,
      style.fillAlpha,
      phase,
    ].join();
    let s = STAMPS.get(key);
    if (s) return s;
    const half = Math.ceil((r * 1.5 + (style.width ?? 1)) * this.ratio) + 1,
      side = 2 * half + 1;
    const ctx = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
    ctx.setTransform(
      this.ratio,
      0,
      0,
      this.ratio,
      half + (Math.floor(phase / phases) + 0.5) / phases,
      half + ((phase % phases) + 0.5) / phases,
    );
    new CanvasPen(ctx, this).mark(shape, 0, 0, r, style);
    const words = new Uint32Array(ctx.getImageData(0, 0, side, side).data.buffer),
      at = [];
    for (let i = 0; i < words.length; i++) if (words[i] >>> 24) at.push(i);
    s = {
      dx: Int32Array.from(at, (i) => (i % side) - half),
      dy: Int32Array.from(at, (i) => Math.floor(i / side) - half),
      word: Uint32Array.from(at, (i) => words[i]),
    };
    if (STAMPS.size > 400) STAMPS.clear();
    STAMPS.set(key, s);
    return s;
  }
  /* A picture of cols x rows cells, row 0 at the top. cell[i] chooses from paints, a list of
   * [colour name, alpha]; smooth: edges between cells are softened. The picture is kept with
   * `cell`, which must not be changed afterwards. */
  raster(x, y, w, h, { cols, rows, cell, paints, smooth = true }) {
    let kept = RASTERS.get(cell);
    if (!kept || kept.theme !== this.theme)
      RASTERS.set(
        cell,
        (kept = { theme: this.theme, image: this.bitmap(cols, rows, cell, paints) }),
      );
    this.ctx.imageSmoothingEnabled = smooth;
    this.ctx.drawImage(kept.image, x, y, w, h);
    this.ctx.imageSmoothingEnabled = true;
  }
  bitmap(cols, rows, cell, paints) {
    const image = new OffscreenCanvas(cols, rows),
      ctx = image.getContext('2d');
    const data = ctx.createImageData(cols, rows),
      out = new Uint32Array(data.data.buffer);
    const words = paints.map(([name, alpha]) => {
      const [r, g, b] = rgb(this.colour(name));
      return ((Math.round(alpha * 255) << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
    for (let i = 0; i < cell.length; i++) out[i] = words[cell[i]];
    ctx.putImageData(data, 0, 0);
    return image;
  }
  clip(x, y, w, h, draw) {
    const c = this.ctx;
    c.save();
    c.beginPath();
    c.rect(x, y, w, h);
    c.clip();
    draw();
    c.restore();
  }
  group(name, draw) {
    draw();
  }
}
const MANY = 150;
const STAMPS = new Map(),
  LAYERS = new WeakMap(),
  RASTERS = new WeakMap();

/* One mark over what is there: colours are not premultiplied (Porter and Duff 1984, "over"). */
function stampOn({ pixels: { width, height, data }, words: out }, { dx, dy, word }, x, y) {
  for (let i = 0; i < word.length; i++) {
    const px = x + dx[i],
      py = y + dy[i];
    if (px < 0 || py < 0 || px >= width || py >= height) continue;
    const at = py * width + px,
      c = word[i],
      a = c >>> 24;
    if (a === 255 || out[at] === 0) {
      out[at] = c;
      continue;
    }
    const k = 4 * at,
      under = data[k + 3] * (1 - a / 255),
      sum = a + under;
    data[k] = ((c & 255) * a + data[k] * under) / sum;
    data[k + 1] = (((c >> 8) & 255) * a + data[k + 1] * under) / sum;
    data[k + 2] = (((c >> 16) & 255) * a + data[k + 2] * under) / sum;
    data[k + 3] = sum;
  }
}

/* A hash of places and styles: different layers hardly ever have the same (2 x 32 bits). */
function hashOf(sets) {
  let a = 2166136261,
    b = 5381;
  for (const { shape, xy, r, style } of sets) {
    for (const c of [
      shape,
      r,
      style.fill,
      style.stroke,
      style.width,
      style.alpha,
      xy.length,
    ].join())
      a = Math.imul(a ^ c.charCodeAt(0), 16777619);
    for (let i = 0; i < xy.length; i++) {
      const v = (xy[i] * 16) | 0;
      a = Math.imul(a ^ v, 16777619);
      b = (Math.imul(b, 33) + v) | 0;
    }
  }
  return `${a} ${b}`;
}

/* Both pens place the baseline themselves: renderers disagree about dominant-baseline. */
function shift(style) {
  const size = style.size || 12;
  return style.base === 'middle' ? size * 0.35 : style.base === 'top' ? size * 0.82 : 0;
}

/* ----- SVG --------------------------------------------------------------------- */

const ENTITY = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/* Text for XML or HTML: the five characters, and nothing that XML 1.0 forbids. */
export const escapeText = (text) =>
  String(text)
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (c) => ENTITY[c]);

const num = (v) => (Number.isFinite(v) ? String(Math.round(v * 100) / 100 || 0) : '0');

const place = (x, y, w, h) =>
  `x="${num(x)}" y="${num(y)}" width="${num(Math.max(0, w))}" height="${num(Math.max(0, h))}"`;

export class SvgPen extends Pen {
  constructor({
    width,
    height,
    theme = 'light',
    title = '',
    description = '',
    ground = true,
  } = {}) {
    super(theme);
    Object.assign(this, { width, height, title, description });
    this.parts = [];
    this.clips = [];
    if (ground) this.rect(0, 0, width, height, { fill: 'ground' });
  }
  attributes(style = {}, open = false) {
    const alpha = style.alpha ?? 1,
      fillAlpha = alpha * (style.fillAlpha ?? 1);
    let a = ` fill="${escapeText(open ? 'none' : this.colour(style.fill))}"`;
    if (!open && style.fill && fillAlpha < 1) a += ` fill-opacity="${num(fillAlpha)}"`;
    if (style.stroke) {
      a += ` stroke="${escapeText(this.colour(style.stroke))}"`;
      a += ` stroke-width="${num(style.width ?? 1)}"`;
      if (alpha < 1) a += ` stroke-opacity="${num(alpha)}"`;
      if (style.dash && style.dash.length)
        a += ` stroke-dasharray="${style.dash.map(num).join(' ')}"`;
      if (style.round) a += ' stroke-linecap="round"';
      a += ' stroke-linejoin="round"';
    }
    return a;
  }
  line(x0, y0, x1, y1, style) {
    const ends = `x1="${num(x0)}" y1="${num(y0)}" x2="${num(x1)}" y2="${num(y1)}"`;
    this.parts.push(`<line ${ends}${this.attributes(style, true)}/>`);
  }
  polyline(xy, style) {
    this.parts.push(`<polyline points="${points(xy)}"${this.attributes(style, true)}/>`);
  }
  polygon(xy, style) {
    this.parts.push(`<polygon points="${points(xy)}"${this.attributes(style)}/>`);
  }
  segments(s, style) {
    let d = '';
    for (let i = 0; i < s.length; i += 4)
      d += `M${num(s[i])} ${num(s[i + 1])}L${num(s[i + 2])} ${num(s[i + 3])}`;
    if (d) this.parts.push(`<path d="${d}"${this.attributes(style, true)}/>`);
  }
  circle(x, y, r, style) {
    this.parts.push(
      `<circle cx="${num(x)}" cy="${num(y)}" r="${num(r)}"${this.attributes(style)}/>`,
    );
  }
  rect(x, y, w, h, style) {
    this.parts.push(`<rect ${place(x, y, w, h)}${this.attributes(style)}/>`);
  }
  text(x, y, text, style = {}) {
    let a = ` x="${num(x)}" y="${num(y + shift(style))}" font-size="${num(style.size || 12)}"`;
    if (style.anchor && style.anchor !== 'start') a += ` text-anchor="${style.anchor}"`;
    if (style.bold) a += ' font-weight="600"';
    if (style.italic) a += ' font-style="italic"';
    if (style.mono) a += ` font-family="${escapeText(MONO)}" xml:space="preserve"`;
    if (style.halo)
      a +=
        ` paint-order="stroke" stroke="${this.colour('ground')}" stroke-width="4"` +
        ' stroke-linejoin="round"';
    a += ` fill="${escapeText(this.colour(style.fill || 'ink'))}"`;
    if ((style.alpha ?? 1) < 1) a += ` fill-opacity="${num(style.alpha)}"`;
    this.parts.push(`<text${a}>${escapeText(text)}</text>`);
  }
  /* One path per paint: the runs of equal cells in each row. */
  raster(x, y, w, h, { cols, rows, cell, paints }) {
    const d = paints.map(() => []),
      cw = w / cols,
      ch = h / rows;
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < cols;) {
        const c = cell[j * cols + i],
          from = i;
        while (i < cols && cell[j * cols + i] === c) i++;
        const [left, right] = [num(x + from * cw), num(x + i * cw)];
        d[c].push(`M${left} ${num(y + j * ch)}H${right}V${num(y + (j + 1) * ch)}H${left}Z`);
      }
    d.forEach((runs, c) => {
      if (!runs.length || !(paints[c][1] > 0)) return;
      const fill = `fill="${this.colour(paints[c][0])}" fill-opacity="${num(paints[c][1])}"`;
      this.parts.push(`<path d="${runs.join('')}" ${fill} shape-rendering="crispEdges"/>`);
    });
  }
  clip(x, y, w, h, draw) {
    const id = `clip${this.clips.length}-${[x, y, w, h].map((v) => Math.round(v)).join('-')}`;
    this.clips.push(`<clipPath id="${id}"><rect ${place(x, y, w, h)}/></clipPath>`);
    this.parts.push(`<g clip-path="url(#${id})">`);
    draw();
    this.parts.push('</g>');
  }
  group(name, draw) {
    this.parts.push(`<g class="${escapeText(name)}">`);
    draw();
    this.parts.push('</g>');
  }
  toString() {
    const w = num(this.width),
      h = num(this.height);
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" ` +
      `viewBox="0 0 ${w} ${h}" role="img" ` +
      `font-family="${escapeText(SANS)}">\n` +
      (this.title ? `<title>${escapeText(this.title)}</title>\n` : '') +
      (this.description ? `<desc>${escapeText(this.description)}</desc>\n` : '') +
      (this.clips.length ? `<defs>${this.clips.join('')}</defs>\n` : '') +
      this.parts.join('\n') +
      '\n</svg>\n'
    );
  }
}

const points = (xy) => {
  let s = '';
  for (let i = 0; i < xy.length; i += 2) s += `${i ? ' ' : ''}${num(xy[i])},${num(xy[i + 1])}`;
  return s;
};
