/* teachpanel.js -- teacher mode: you choose the next example and try to force mistakes; the bound
 * says how many no teacher can exceed. The rules are in teacher.js, the pupil in the core. */
import { $, el, fill, put, short } from './dom.js';
import { Teacher } from './teacher.js';
import { Editor } from './editor.js';
import { learnerChoices, learnerOf, choiceOf } from './cards.js';
import { baseScene, linearOf, rasterOf, isKernel } from './scenes.js';
import { lines } from './views/arithmetic.js';
import { vectorText } from './views/scale.js';
import * as plane from './views/plane.js';
import * as weights from './views/weights.js';
import * as counters from './views/counters.js';

/* Pupils take one example at a time, and answer with the weights they have then. */
const canBeTaught = (table) => table.family === 'rule';

/* A pupil has not seen the data when it starts: gamma cannot be computed from them. */
function pupilOf(core, choice) {
  const pupil = learnerOf(core, choice);
  if (isKernel(pupil)) pupil.options.gamma = '1';
  return pupil;
}

class Game {
  constructor(app) {
    this.app = app;
    this.teacher = null;
    this.memo = {};
    this.planePicture = app.gallery.add($('teach-plane'), (pen, box) => this.drawPlane(pen, box),
      (e) => app.fail(e));
    this.weightPicture = app.gallery.add($('teach-weights'),
      (pen, box) => this.drawWeights(pen, box), (e) => app.fail(e));
    this.editor = new Editor(app, $('teach-plane'), { choose: (row) => this.show(row) });
    app.exported.teacher = { pictures: () => [['plane', 'plane', this.planePicture],
      ['weights', $('teach-beside').textContent.toLowerCase(), this.weightPicture]],
      model: () => (this.teacher && this.teacher.shown ? this.teacher.model : null) };
    this.listen();
  }

  listen() {
    const { app } = this;
    $('teach-undo').addEventListener('click', () => this.undo());
    $('teach-reset').addEventListener('click', () => this.reset());
    $('teach-hint').addEventListener('click', () => this.hint());
    $('teach-learner').addEventListener('change', () => {
      app.state.pupil = pupilOf(app.core, $('teach-learner').value);
      app.state.taught = [];
      this.start();
      app.emit('any', 'pupil');
    });
    app.on('mode', () => { if (app.state.mode === 'teacher') this.start(); else this.stop(); });
    app.on('data', () => {
      if (app.state.mode === 'teacher' && this.teacher) { app.state.taught = []; this.start(); }
    });
    app.on('pointer proof', () => app.gallery.dirty(this.planePicture));
  }

  stop() {
    if (this.teacher) this.teacher.free();
    this.teacher = null;
  }

  start() {
    const { app } = this;
    this.stop();
    this.last = null;
    fill($('teach-learner'), learnerChoices(app.core, canBeTaught), choiceOf(app.state.pupil));
    try {
      this.teacher = new Teacher(app.core, app.set, app.state.pupil, { taught: app.state.taught });
    } catch (e) {
      app.fail(e);
    }
    this.refresh();
    put($('teach-text'), this.teacher ? this.teacher.summary() : '');
  }

  /* The path of the weights so far, for weight space. */
  get path() { return this.teacher && this.linear() ? this.teacher.path : []; }

  linear() {
    const { pupil } = this.app.state;
    return canBeTaught(this.app.table(pupil.algorithm)) && !isKernel(pupil) && this.app.set.labels.length === 2;
  }

  /* With a kernel: how often each point of the plane was corrected. The core counts examples in
   * the order in which they were shown. */
  supports() {
    const { teacher: t, app } = this, counts = new Map();
    if (!t || !t.shown || !isKernel(app.state.pupil)) return [];
    for (const s of t.model.supports()) {
      const row = t.taught[s.row];
      if (row !== undefined) counts.set(row, (counts.get(row) || 0) + s.counter);
    }
    return Array.from(counts, ([row, counter]) => ({ row, counter, label: app.set.y[row] }));
  }

  now() { return this.path[this.path.length - 1] || [0, 0, 0]; }

  show(row) {
    const { app, teacher } = this;
    if (!teacher) return;
    const before = this.now();
    try {
      this.last = { ...teacher.show(row), before };
    } catch (e) {
      app.fail(e);
      return;
    }
    app.state.taught = teacher.taught.slice();
    this.refresh();
    const what = this.last.mistake ? 'a mistake' : 'no mistake: it was right';
    const text = `Row ${row + 1}: ${what}. ${teacher.summary()}`;
    put($('teach-text'), text);
    app.say(text);
    app.emit('any', 'taught');
  }

  undo() {
    if (!this.teacher || !this.teacher.undo()) { this.app.say('Nothing to take back.'); return; }
    this.after('Taken back.');
  }

  reset() {
    if (!this.teacher) return;
    this.teacher.reset();
    this.after('From the start.');
  }

  after(text) {
    this.last = null;
    this.app.state.taught = this.teacher.taught.slice();
    this.refresh();
    put($('teach-text'), `${text} ${this.teacher.summary()}`);
    this.app.say(text);
    this.app.emit('any', 'taught');
  }

  hint() {
    const h = this.teacher && this.teacher.hint();
    if (h) this.app.selected = h.row;
    put($('teach-text'), h ? h.text : 'No point would be a mistake now.');
    this.app.say($('teach-text').textContent);
    this.app.gallery.dirty(this.planePicture);
  }

  refresh() {
    const t = this.teacher;
    put($('teach-mistakes'), String(t ? t.mistakes : 0));
    put($('teach-shown'), String(t ? t.shown : 0));
    const { limit } = t || { limit: null };
    put($('teach-bound'), limit === null ? '–' : limit === Infinity ? '∞'
      : limit.toLocaleString('en'));
    $('teach-meter').max = Number.isFinite(limit) && limit ? limit : 1;
    $('teach-meter').value = Number.isFinite(limit) && limit ? t.mistakes : 0;
    $('teach-undo').disabled = $('teach-reset').disabled = !t || t.shown === 0;
    this.table();
    put($('teach-arithmetic'), this.arithmetic());
    put($('teach-beside'), isKernel(this.app.state.pupil) ? 'α counters' : 'Weight space');
    this.app.gallery.dirty(this.planePicture);
    this.app.gallery.dirty(this.weightPicture);
  }

  example() {
    const { last } = this;
    if (!last || !this.linear()) return null;
    const now = this.now(), { before } = last;
    return { epoch: 1, row: last.row, label: last.label, y: this.teacher.y[last.row],
      score: last.score,
      mistake: last.mistake, updated: last.updated, w: now.slice(0, 2), b: now[2],
      before: { w: before.slice(0, 2), b: before[2] } };
  }

  kernelExample() {
    const { last } = this;
    if (!last || !isKernel(this.app.state.pupil) || this.app.set.labels.length !== 2) return null;
    const own = this.supports().find((s) => s.row === last.row);
    return { ...last, epoch: 1, y: this.teacher.y[last.row], counter: own ? own.counter : 0,
      b: this.teacher.model.weights().b[0] };
  }

  arithmetic() {
    const last = this.example() || this.kernelExample();
    if (!last) return '';
    return lines({ last, kernel: isKernel(this.app.state.pupil), x: this.teacher.point(last.row),
      labels: this.app.set.labels,
      rule: this.app.state.pupil.algorithm })
      .map((l) => l.text.replace(/^pass \d+, row \d+: /, '')).join('\n');
  }

  table() {
    const log = this.teacher ? this.teacher.log : [];
    const { set } = this.app;
    const rows = log.slice(-200).map((e, k) => el('tr', {}, ...[
      Math.max(0, log.length - 200) + k + 1, e.row + 1,
        `(${short(set.x[2 * e.row])}, ${short(set.x[2 * e.row + 1])})`,
      set.labels[set.y[e.row]], short(e.score), e.mistake ? 'mistake'
        : ''].map((c) => el('td', {}, String(c)))));
    $('taught').tBodies[0].replaceChildren(...rows.reverse());
  }

  drawPlane(pen, box) {
    const { app, teacher: t } = this;
    if (!app.set) return '';
    const what = baseScene(app, app.state.pupil);
    if (t && t.shown) this.learned(what, box);
    plane.draw(pen, box, what);
    return `Plane with ${app.set.y.length} points. ${t ? t.summary() : ''}`;
  }

  learned(what, box) {
    const { app, teacher: t } = this, { model } = t;
    const found = linearOf(model), last = this.example();
    if (found && found.w.length === 1) what.linear = { w: Array.from(found.w[0]), b: found.b[0] };
    else if (found) what.multi = found;
    else what.raster = rasterOf(this.memo, model, what, box,
      { key: `teach${t.taught.join()}`, playing: false });
    if (last && last.updated) what.before = last.before;
    if (this.last) what.current = this.last;
    what.wrong = t.wrongNow();
    if (isKernel(app.state.pupil)) what.supports = this.supports();
  }

  drawWeights(pen, box) {
    if (!this.app.set) return '';
    if (!this.linear() && !isKernel(this.app.state.pupil)) {
      pen.text(box.w / 2, box.h / 2, 'More than two classes: no weight space.',
        { fill: 'muted', size: 14, anchor: 'middle' });
      return 'More than two classes: no weight space.';
    }
    if (!this.linear()) {
      const list = this.supports();
      counters.draw(pen, box, { counters: list, rows: this.app.set.y.length,
        current: this.last ? this.last.row : -1 });
      return `Counters: ${list.length} points were corrected.`;
    }
    const last = this.example(), { set } = this.app;
    const what = { path: this.path, now: this.now(),
      rows: { x: set.x, sign: Int8Array.from(this.teacher ? this.teacher.y : []),
      offset: this.teacher?.offset } };
    if (last) {
      what.before = [...last.before.w, last.before.b];
      what.example = { row: last.row, y: last.y, mistake: last.mistake, updated: last.updated,
        x: [...this.teacher.point(last.row), ...(this.teacher.offset ? [1] : [])] };
    }
    weights.draw(pen, box, what);
    const updates = this.teacher ? this.teacher.updates : 0;
    return `Weight space: w, b = ${vectorText(this.now())}; ${updates} updates.`;
  }
}

export const teachPanel = (app) => new Game(app);
