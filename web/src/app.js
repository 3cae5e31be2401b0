/* app.js -- what the page knows, in one place: the state, the data set made from it, the runs of
 * the learners, and who wants to hear about changes. Panels change the state through the methods
 * here and redraw themselves when they are told:
 *
 *   'data'      there is another data set          'learners'  learners or their options changed
 *   'step'      examples were shown or taken back  'play'      playing began or stopped
 *   'mode'      another mode                       'focus'     another learner is looked at
 *   'proof'     a proof came or went               'model'     a model was brought along or let go
 *   'loaded'    a whole state came, as from a link
 *   'any'       after each of these: the link follows */
import { Player } from './player.js';
import { Gallery } from './picture.js';
import { effectiveOptions } from './form.js';
import { makeSet } from './data.js';
import { defaultState, MAX_LEARNERS, MAX_POINTS } from './state.js';
import { viewOf } from './views/scale.js';

const MAX_UNDO = 100;

/* Neurons in the hidden layers of a network, 0 for other learners. */
function neurons({ algorithm, options }) {
  if (algorithm !== 'mlp') return 0;
  return (options.layers || '100').split(',').reduce((sum, n) => sum + Number(n), 0);
}

export class App {
  constructor(core) {
    this.core = core;
    this.state = defaultState();
    this.gallery = new Gallery();
    this.player = new Player((what) => this.played(what), (e) => this.fail(e));
    this.player.drawing = () => this.gallery.ms;
    this.listeners = {};
    core.onTrap = (e) => this.recover(e);
    this.set = null;          /* the points on the page */
    this.data = null;         /* the same in the core */
    this.view = null;         /* the visible part of the plane, the same in every card */
    this.errors = [];         /* by learner: why it cannot run, or null */
    this.proof = null;
    this.imported = null;     /* {name, model} */
    this.past = [];           /* data states before the latest changes */
    this.serial = 0;          /* of data sets and runs: what was drawn for which */
    this.selected = this.hover = -1;
    this.cursor = null;       /* of the keyboard, in the data's units */
    this.ghosts = [];         /* by learner: the lines it found with other orders */
    this.exported = {};       /* by mode: pictures() and model() for saving */
    this.say = () => {};
    this.showError = () => {};
  }

  get runs() { return this.player.runs; }
  get run() { return this.runs[this.state.focus] || null; }

  on(events, f) {
    for (const e of events.split(' ')) (this.listeners[e] ||= []).push(f);
  }

  emit(event, detail) {
    for (const f of this.listeners[event] || []) f(detail);
    if (event !== 'any') for (const f of this.listeners.any || []) f(event);
  }

  fail(error) {
    const place = error.line
      ? ` (line ${error.line}${error.column ? `, column ${error.column}` : ''})` : '';
    this.showError(`${error.message || error}${place}`);
  }

  /* The core has failed: make a new one, and restart all learners. Not twice in a row: then the
   * state itself is what makes it fail. */
  async recover(error) {
    this.player.stop();
    const now = performance.now(), again = now - (this.failedAt ?? -Infinity) < 10000;
    this.failedAt = now;
    this.replaceData(null); /* nobody should use the old one */
    this.imported = null;
    try {
      await this.core.revive();
      this.load(again ? defaultState() : { ...this.state, at: 0, taught: [] });
      this.emit('model');
    } catch (e) {
      this.showError(`${e.message}. Please load the page again.`);
      return;
    }
    this.showError(`${error.message}. It was started again, ${again ? 'with other data'
      : 'and the learners with it'}.`);
  }

  played(what) {
    this.state.at = this.player.at;
    this.emit(what === 'step' ? 'step' : 'play');
  }

  table(algorithm) { return this.core.learner(algorithm); }

  /* ----- data ------------------------------------------------------------------ */

  /* Another data set; false, with a message, if it cannot be made. options: keepView while a point
   * is dragged, at: examples to show again, undo: false not to remember the old set. */
  setData(data, { keepView = false, at = 0, undo = true, quiet = false } = {}) {
    let set, read;
    try {
      if (data.points && data.points.length > MAX_POINTS) {
        throw new Error(`${data.points.length} points are more than this page's ${MAX_POINTS}.`);
      }
      set = makeSet(this.core, data);
      read = set.y.length ? this.core.read({ text: set.text }, {}) : null;
    } catch (e) {
      if (!quiet) this.fail(e);
      return false;
    }
    if (undo && this.set) {
      this.past.push(this.state.data);
      if (this.past.length > MAX_UNDO) this.past.shift();
    }
    this.state.data = data;
    this.set = set;
    this.serial++;
    if (!keepView) { this.selected = this.hover = -1; }
    if (!keepView || !this.view) this.view = viewOf(set.x);
    this.replaceData(read);
    this.proof = null;
    this.state.proved = false;
    this.makeRuns(at);
    this.emit('data');
    return true;
  }

  replaceData(read) {
    const old = this.data;
    this.player.take([]);
    this.data = read;
    if (old) old.free();
  }

  /* The points as they are now, for editing. */
  points() {
    const { x, y, labels } = this.set;
    return Array.from(y, (label, i) => [x[2 * i], x[2 * i + 1], labels[label]]);
  }

  /* The set with these points instead; trained again up to the same place. */
  edit(points, { undo = true, keepView = true } = {}) {
    const data = { points, names: this.set.names.slice(), labels: this.labels().slice() };
    return this.setData(data, { keepView, at: this.player.at, undo });
  }

  /* The labels that points can have: at least two, even if all points of one are gone. */
  labels() {
    const kept = this.state.data.labels || [];
    const labels = [...new Set([...this.set.labels, ...kept])];
    for (const l of ['-1', '1']) if (labels.length < 2 && !labels.includes(l)) labels.push(l);
    return labels;
  }

  undo() {
    const data = this.past.pop();
    if (!data) { this.say('Nothing to undo.'); return; }
    this.setData(data, { undo: false, at: this.player.at });
    this.say('Undone.');
  }

  /* ----- learners -------------------------------------------------------------- */

  options(i) {
    const learner = this.state.learners[i], table = this.table(learner.algorithm);
    return table ? effectiveOptions(table, learner, this.state) : learner.options;
  }

  /* The state as command.js wants it: each learner with order and seed among its options. */
  wholeState() {
    return { ...this.state,
      learners: this.state.learners.map((l, i) => ({ ...l, options: this.options(i) })) };
  }

  /* A link can ask for anything; a page should not hang for minutes. */
  sizeGuard({ algorithm, options }) {
    const layers = algorithm === 'mlp' ? (options.layers || '').split(',') : [];
    if (layers.length > 6 || layers.some((n) => Number(n) > 1000)) {
      throw new Error('The page takes networks of up to 6 hidden layers of 1,000 neurons; '
        + 'the command line takes larger ones.');
    }
  }

  makeRun(i) {
    this.errors[i] = null;
    try {
      this.sizeGuard(this.state.learners[i]);
      if (!this.data) throw new Error('There are no points yet: click the plane to add some.');
      const run = this.core.run(this.data, this.state.learners[i].algorithm, this.options(i));
      run.serial = ++this.serial;
      run.family = this.table(run.algorithm).family;
      run.heavy = neurons(this.state.learners[i]) > 200;
      return run;
    } catch (e) {
      this.errors[i] = e.message;
      return null;
    }
  }

  /* New runs of all learners, advanced by `at` examples. */
  makeRuns(at = 0) {
    this.player.stop();
    this.errors = [];
    this.player.take(this.state.learners.map((_, i) => this.makeRun(i)));
    this.player.seek(at);
  }

  /* After the options of learner i changed: restarts only that one, up to where the others are. */
  remakeRun(i) {
    const at = this.player.at;
    const runs = this.runs.slice();
    runs[i] = this.makeRun(i);
    this.player.take(runs);
    this.player.seek(at);
    this.emit('learners');
  }

  setLearner(i, learner) {
    this.state.learners[i] = learner;
    this.remakeRun(i);
  }

  addLearner(learner) {
    if (this.state.learners.length >= MAX_LEARNERS) return;
    this.state.learners.push(learner);
    this.remakeRun(this.state.learners.length - 1);
  }

  removeLearner(i) {
    if (this.state.learners.length < 2) return;
    this.state.learners.splice(i, 1);
    this.errors.splice(i, 1);
    this.player.take(this.runs.filter((_, j) => j !== i));
    this.state.focus = Math.min(this.state.focus, this.state.learners.length - 1);
    this.emit('learners');
    this.emit('step');
  }

  setOrder(order, seed, at = this.player.at) {
    this.state.order = order;
    this.state.seed = seed;
    this.makeRuns(at);
    this.emit('learners');
  }

  focus(i) {
    if (i === this.state.focus || i >= this.state.learners.length) return;
    this.state.focus = i;
    this.emit('focus');
  }

  setMode(mode) {
    this.player.stop();
    this.state.mode = mode;
    this.emit('mode');
  }

  /* Another state altogether, as from a link. */
  load(state) {
    this.player.stop();
    const unknown = state.learners.filter((l) => !this.table(l.algorithm));
    const learners = state.learners.filter((l) => this.table(l.algorithm));
    if (!this.table(state.pupil.algorithm)) state.pupil = defaultState().pupil;
    this.state = { ...state, learners: learners.length ? learners : defaultState().learners };
    this.state.focus = Math.min(this.state.focus, this.state.learners.length - 1);
    this.player.speed = this.state.speed;
    const at = state.at;
    this.emit('learners');
    if (!this.setData(state.data, { at, undo: false })) {
      this.setData(defaultState().data, { undo: false });
    }
    this.state.taught = state.taught.slice();
    this.state.proved = state.proved;
    this.emit('learners');
    this.emit('mode');
    this.emit('loaded');
    if (unknown.length) {
      this.showError(`The link asks for a learner that is not here: ${unknown[0].algorithm}.`);
    }
  }
}
