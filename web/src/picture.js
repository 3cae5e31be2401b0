/* picture.js -- canvases that are drawn only when something on them has changed.
 *
 * A picture is a canvas and a function draw(pen, box) that returns the picture in words. All
 * pictures that are dirty are drawn together in the next frame; those out of sight wait until
 * they are seen. The same function draws into SVG for export. */
import { CanvasPen, SvgPen } from './pen.js';

const MANY = 800;      /* a list of marks with more numbers is kept as a layer */
const LAYERS = 12;     /* layers kept per picture */

/* A pen that keeps lists of many marks as images, so that points that do not move cost one copy
 * per frame, however many there are. */
class LayerPen extends CanvasPen {
  constructor(ctx, options, layers) {
    super(ctx, options);
    this.layers = layers;
  }

  marks(shape, xy, r, style) {
    if (xy.length < MANY || typeof OffscreenCanvas === 'undefined') { super.marks(shape, xy, r,
      style); return; }
    const { width, height } = this.ctx.canvas;
    const key = [this.theme, width, height, this.ratio, shape, r, JSON.stringify(style), xy.length,
      sum(xy)].join();
    let image = this.layers.get(key);
    if (!image) {
      image = new OffscreenCanvas(width, height);
      const ctx = image.getContext('2d');
      ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      new CanvasPen(ctx, this).marks(shape, xy, r, style);
      if (this.layers.size >= LAYERS) this.layers.clear();
      this.layers.set(key, image);
    }
    this.ctx.drawImage(image, 0, 0, width / this.ratio, height / this.ratio);
  }
}

/* A checksum that tells lists of places apart (FNV-1a over hundredths of a pixel). */
function sum(xy) {
  let h = 2166136261;
  for (let i = 0; i < xy.length; i++) h = Math.imul(h ^ Math.round(xy[i] * 100), 16777619);
  return h;
}

/* Like CanvasPen.on: the canvas in the screen's pixels, cleared to the ground. */
function penOn(p, width, height, theme) {
  const ratio = globalThis.devicePixelRatio || 1, { canvas } = p;
  const w = Math.max(1, Math.round(width * ratio)), h = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const ctx = canvas.getContext('2d', { alpha: false });
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  p.layers ||= new Map();
  const pen = new LayerPen(ctx, { theme, ratio }, p.layers);
  pen.rect(0, 0, width, height, { fill: 'ground' });
  return pen;
}

export class Gallery {
  constructor() {
    this.pictures = new Set();
    this.theme = 'light';
    this.asked = false;
    this.ms = 0;                  /* drawing time per frame */
    this.drawn = 0;               /* pictures drawn so far, for the curious and for tests */
    this.sizes = new ResizeObserver((all) => {
      for (const e of all) this.dirty(e.target.picture);
    });
    this.sight = new IntersectionObserver((all) => {
      for (const e of all) {
        e.target.picture.seen = e.isIntersecting;
        if (e.isIntersecting && e.target.picture.isDirty) this.ask();
      }
    }, { rootMargin: '600px' });
  }

  /* A picture on a canvas. draw(pen, box) returns its text alternative. failed(error) is called
   * once if drawing throws. */
  add(canvas, draw, failed = () => {}) {
    const picture = { canvas, draw, failed, isDirty: true, seen: true };
    canvas.picture = picture;
    this.pictures.add(picture);
    this.sizes.observe(canvas);
    this.sight.observe(canvas);
    this.ask();
    return picture;
  }

  remove(picture) {
    if (!picture) return;
    this.sizes.unobserve(picture.canvas);
    this.sight.unobserve(picture.canvas);
    this.pictures.delete(picture);
  }

  dirty(picture) {
    if (!picture) return;
    picture.isDirty = true;
    this.ask();
  }

  dirtyAll() { for (const p of this.pictures) this.dirty(p); }

  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.drawDirty(); });
  }

  drawDirty() {
    const from = performance.now();
    this.drawEach();
    this.ms = 0.8 * this.ms + 0.2 * (performance.now() - from);
  }

  drawEach() {
    for (const p of this.pictures) {
      if (!p.isDirty || !p.seen || !p.canvas.isConnected) continue;
      const w = p.canvas.clientWidth, h = p.canvas.clientHeight;
      if (w > 0 && h > 0) this.drawOne(p, w, h);
    }
  }

  drawOne(p, w, h) {
    p.isDirty = false;
    this.drawn++;
    try {
      const pen = penOn(p, w, h, this.theme);
      const words = p.draw(pen, { x: 0, y: 0, w, h });
      if (words && words !== p.words) {
        p.words = words;
        p.canvas.setAttribute('aria-label', words);
      }
    } catch (e) {
      if (!p.broken) p.failed(e);
      p.broken = true;
    }
  }

  /* The picture as it is now, even if out of sight. */
  fresh(p) {
    const w = p.canvas.clientWidth, h = p.canvas.clientHeight;
    if (p.isDirty && w > 0 && h > 0) this.drawOne(p, w, h);
    return p.canvas;
  }

  /* The picture as an SVG document. */
  svg(p, title) {
    const width = p.canvas.clientWidth || 480, height = p.canvas.clientHeight || 480;
    const pen = new SvgPen({ width, height, theme: this.theme, title, description: p.words || '' });
    p.draw(pen, { x: 0, y: 0, w: width, h: height });
    return pen.toString();
  }
}
