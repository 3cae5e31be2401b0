/* editor.js -- points set, moved and removed on a plane, by pointer, finger or keyboard.
 *
 * Pointer: click an empty place to add a point, drag one to move it, right click (or press long
 * with a finger) to remove it.
 * Keys on the focused plane: arrows move the cursor (with shift in small steps), Enter adds a
 * point there or picks up the one under it, and sets it down again; N and B go to the next and
 * the last point; C gives it the next label; Delete removes it; Escape lets go.
 * With `choose` (teacher mode) points are not edited: a click or Enter chooses one. */
import { frameOf, hit } from './views/plane.js';
import { $, oncePerFrame, short } from './dom.js';

const MOVED = 4; /* px that turn a click into a drag */
const HOLD_MS = 650; /* a finger that rests this long on a point removes it */

export class Editor {
  /* choose(row): instead of editing. */
  constructor(app, canvas, { choose = null } = {}) {
    Object.assign(this, { app, canvas, choose });
    this.drag = null;
    this.carried = -1;
    this.apply = oncePerFrame((points) => app.edit(points, { undo: false }));
    canvas.classList.add('plane');
    const on = (type, f, options) => canvas.addEventListener(type, f.bind(this), options);
    on('pointerdown', this.down);
    on('pointermove', this.move);
    on('pointerup', this.up);
    on('pointercancel', this.cancel);
    on('pointerleave', () => this.hover(-1));
    on('contextmenu', this.menu);
    on('keydown', this.key);
    on('focus', this.focus);
    on('blur', this.blur);
    on('touchstart', this.touch, { passive: false });
  }

  /* The part of the plane's scene that says where things are. */
  scene() { return { set: this.app.set, view: this.app.view }; }
  get box() { return { x: 0, y: 0, w: this.canvas.clientWidth, h: this.canvas.clientHeight }; }
  row(e, reach = 12) { return hit(this.box, this.scene(), e.offsetX, e.offsetY, reach); }
  redraw() { this.app.emit('pointer'); }

  /* A place in the data's units, rounded so that the eye sees no difference. */
  place(sx, sy) {
    const f = frameOf(this.box, this.scene());
    const { plot } = f, within = (v, low, size) => Math.max(low, Math.min(low + size, v));
    const [x, y] = f.toData(within(sx, plot.x, plot.w), within(sy, plot.y, plot.h));
    return [this.round(x, f), this.round(y, f)];
  }
  round(v, f = frameOf(this.box, this.scene())) {
    const range = f.view.x1 - f.view.x0;
    const digits = Math.max(0, Math.min(range > 0.05 ? 3 : 9, 3 - Math.floor(Math.log10(range))));
    return Number(v.toFixed(digits)) + 0;
  }
  inside(sx, sy) {
    const { plot } = frameOf(this.box, this.scene());
    return sx >= plot.x && sx <= plot.x + plot.w && sy >= plot.y && sy <= plot.y + plot.h;
  }

  hover(row) {
    this.canvas.classList.toggle('over', row >= 0);
    if (this.app.hover === row) return;
    this.app.hover = row;
    this.redraw();
  }

  /* ----- pointer ----- */

  /* A finger on a point drags it; elsewhere it scrolls the page. */
  touch(e) {
    if (e.touches.length > 1) { this.cancel(); return; } /* two fingers zoom */
    const t = e.touches[0], r = this.canvas.getBoundingClientRect();
    if (hit(this.box, this.scene(), t.clientX - r.left, t.clientY - r.top,
      22) >= 0) e.preventDefault();
  }

  hold(drag) {
    setTimeout(() => {
      if (this.drag !== drag || drag.moved) return;
      this.cancel();
      this.remove(drag.row);
    }, HOLD_MS);
  }

  cancel() {
    this.drag = null;
    this.canvas.classList.remove('dragging');
  }

  down(e) {
    if (e.button !== 0 || !e.isPrimary) return;
    const row = this.row(e, e.pointerType === 'touch' ? 22 : 12);
    this.drag = { row, x: e.offsetX, y: e.offsetY, moved: false };
    if (e.pointerType === 'touch' && row >= 0 && !this.choose) this.hold(this.drag);
    this.app.cursor = null;
    if (row >= 0 && !this.choose) {
      this.canvas.setPointerCapture(e.pointerId);
      this.drag.points = this.app.points();
    }
  }

  move(e) {
    const { drag } = this;
    if (!drag) { if (e.pointerType !== 'touch') this.hover(this.row(e)); return; }
    if (!drag.moved && Math.hypot(e.offsetX - drag.x, e.offsetY - drag.y) < MOVED) return;
    if (!drag.points) { drag.moved = true; return; }
    if (!drag.moved) {
      drag.moved = true;
      this.app.past.push(this.app.state.data);
      this.canvas.classList.add('dragging');
    }
    const [x, y] = this.place(e.offsetX, e.offsetY);
    drag.points[drag.row] = [x, y, drag.points[drag.row][2]];
    this.app.selected = drag.row;
    this.apply(drag.points.slice());
  }

  up(e) {
    const { drag } = this;
    this.drag = null;
    this.canvas.classList.remove('dragging');
    if (!drag) return;
    if (drag.moved) { if (drag.points) this.said(drag.points, drag.row, 'moved to'); return; }
    if (this.choose) { if (drag.row >= 0) this.choose(drag.row); return; }
    if (drag.row >= 0) { this.app.selected = drag.row; this.redraw(); return; }
    if (this.inside(e.offsetX, e.offsetY)) this.add(...this.place(e.offsetX, e.offsetY),
      e.shiftKey);
  }

  menu(e) {
    const row = this.choose ? -1 : this.row(e);
    if (row < 0) return;
    e.preventDefault();
    this.remove(row);
  }

  said(points, row, what) {
    const [x, y] = points[row];
    this.app.say(`Point ${row + 1} ${what} (${short(x)}, ${short(y)}).`);
  }

  /* ----- changes ----- */

  add(x, y, other = false) {
    const labels = this.app.labels(), points = this.app.points();
    const chosen = Math.max(0, labels.indexOf($('brush').value));
    points.push([x, y, labels[(chosen + (other ? 1 : 0)) % labels.length]]);
    if (!this.app.edit(points)) return;
    this.app.selected = points.length - 1;
    this.said(points, points.length - 1, `of class ${points[points.length - 1][2]} added at`);
    this.redraw();
  }

  remove(row) {
    const points = this.app.points();
    if (row < 0 || row >= points.length) return;
    points.splice(row, 1);
    this.carried = -1;
    this.app.selected = this.app.hover = -1;
    if (this.app.edit(points)) this.app.say(`Point ${row + 1} removed; ${points.length} are left.`);
  }

  relabel(row) {
    const points = this.app.points(), labels = this.app.labels();
    points[row][2] = labels[(labels.indexOf(points[row][2]) + 1) % labels.length];
    if (this.app.edit(points)) this.app.say(`Point ${row + 1} is now of class ${points[row][2]}.`);
  }

  /* ----- keyboard ----- */

  focus() {
    if (this.drag || !this.canvas.matches(':focus-visible')) return;
    const { view } = frameOf(this.box, this.scene());
    this.app.cursor ||= { x: this.round((view.x0 + view.x1) / 2),
      y: this.round((view.y0 + view.y1) / 2) };
    this.redraw();
  }

  blur() {
    this.carried = -1;
    this.app.cursor = null;
    this.app.selected = this.app.hover = -1;
    this.redraw();
  }

  under() {
    const f = frameOf(this.box, this.scene()), { cursor } = this.app;
    return cursor ? hit(this.box, this.scene(), f.x.to(cursor.x), f.y.to(cursor.y), 9) : -1;
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const other = { Enter: this.enter, Delete: this.del, Backspace: this.del, n: this.next,
      b: this.last,
      c: this.change, Escape: this.escape };
    const f = arrows[e.key] ? () => this.go(...arrows[e.key], e.shiftKey) : other[e.key];
    if (!f) return;
    e.preventDefault();
    if (!this.app.cursor) { this.app.cursor = null; this.start(); }
    f.call(this);
    this.redraw();
  }

  start() {
    const { view } = frameOf(this.box, this.scene());
    this.app.cursor = { x: this.round((view.x0 + view.x1) / 2),
      y: this.round((view.y0 + view.y1) / 2) };
  }

  go(dx, dy, small) {
    const { view } = frameOf(this.box, this.scene());
    const step = (view.x1 - view.x0) / (small ? 200 : 40), { cursor } = this.app;
    cursor.x = this.round(Math.max(view.x0, Math.min(view.x1, cursor.x + dx * step)));
    cursor.y = this.round(Math.max(view.y0, Math.min(view.y1, cursor.y + dy * step)));
    if (this.carried >= 0) { this.carry(); return; }
    this.app.selected = this.under();
    const on = this.app.selected >= 0 ? `, on point ${this.app.selected + 1}` : '';
    this.app.say(`Cursor (${short(cursor.x)}, ${short(cursor.y)})${on}.`);
  }

  carry() {
    const points = this.app.points(), { cursor } = this.app;
    points[this.carried] = [cursor.x, cursor.y, points[this.carried][2]];
    this.app.edit(points, { undo: false });
    this.app.selected = this.carried;
    this.said(points, this.carried, 'carried to');
  }

  enter() {
    const row = this.under(), { cursor } = this.app;
    if (this.choose) {
      if (row >= 0) this.choose(row);
      else this.app.say('No point here: N goes to the next one.');
      return;
    }
    if (this.carried >= 0) {
      this.app.say(`Point ${this.carried + 1} set down.`);
      this.carried = -1;
      return;
    }
    if (row < 0) { this.add(cursor.x, cursor.y); return; }
    this.carried = row;
    this.app.past.push(this.app.state.data);
    this.app.say(`Point ${row + 1} picked up: arrow keys move it, Enter sets it down.`);
  }

  jump(by) {
    const n = this.app.set.y.length;
    if (!n) return;
    const row = ((this.app.selected >= 0 ? this.app.selected + by : by > 0 ? 0 : n - 1) + n) % n;
    this.carried = -1;
    this.app.selected = row;
    this.app.cursor = { x: this.app.set.x[2 * row], y: this.app.set.x[2 * row + 1] };
    const label = this.app.set.labels[this.app.set.y[row]];
    const { x, y } = this.app.cursor;
    this.app.say(`Point ${row + 1} of ${n}, class ${label}, at (${short(x)}, ${short(y)}).`);
  }

  next() { this.jump(1); }
  last() { this.jump(-1); }
  del() { if (!this.choose) this.remove(this.app.selected >= 0 ? this.app.selected
    : this.under()); }
  change() {
    const row = this.app.selected >= 0 ? this.app.selected : this.under();
    if (row >= 0 && !this.choose) this.relabel(row);
  }
  escape() { this.carried = -1; this.app.selected = -1; }
}
