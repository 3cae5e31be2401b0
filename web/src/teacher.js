// teacher.js -- the game: you are the teacher, you choose the next example, and try to make the
// learner err as often as you can. The learner is the core's (core.teacher); here is only who was
// shown when, and what can still be won.
//
// Novikoff (1962): on separable rows the perceptron errs at most R^2 / gamma'^2 times, in whatever
// order the rows come, so not even the most spiteful teacher gets past it. On other rows there
// is no end. The game is over when no row is a mistake any more.
//
//     const game = new Teacher(core, set, { algorithm, options }, { taught: [rows] })
//     game.show(row)    shows row (from 0): { row, label, score, mistake, updated, answer,
//                       mistakes, shown, over, best, record }; record: this is the most so far.
//                       A row that is no mistake costs nothing but is counted as shown.
//     game.undo()       takes the last example back; false if there is none
//     game.redo()       shows it again; null if there is none
//     game.reset()      forgets all; the best result stays
//     game.replay(rows) from the start, these rows
//     game.wrongNow()   the rows that would be mistakes now, rising
//     game.hint()       { row, text, left: rows that are mistakes } or null: of these the one that
//                       teaches the least, see below
//     game.taught       rows shown so far      game.mistakes, game.shown, game.updates
//     game.best         most mistakes so far, for this set and learner, while the page is open
//     game.bound        bound() of prove.js, or null
//     game.limit        the most mistakes possible, Infinity, or null: not known for this learner
//     game.over         no row is a mistake     game.summary(): one sentence
//     game.weights()    of the core             game.model   the core's model now, or null
//     game.path         [[w1, w2, b]] after each example; empty if not linear, of two classes
//     game.log          [{ row, score, mistake, updated, answer }] of all shown
//     game.free()
import { bound } from './prove.js';

const records = new Map(); // set and learner -> most mistakes

// The learners whose updates are the perceptron's, w += rate y x on a mistake and from 0.
function isPerceptron(learner) {
  const o = learner.options || {};
  const is = (name, value) => o[name] === undefined || o[name] === '' || String(o[name]) === value;
  const rule = learner.algorithm === 'perceptron'
    || (['averaged', 'voted', 'pocket'].includes(learner.algorithm) && is('rule', 'perceptron'));
  return rule && is('init', 'zero') && is('schedule', 'constant') && is('class-weight', '')
    && is('decay', '0') && is('kernel', 'none');
}

// +1 for rows of the positive label (options.positive, else the later of two labels), -1 others.
function signs(set, positive) {
  const plus = positive ? set.labels.indexOf(positive) : set.labels.length - 1;
  return Array.from(set.y, (c) => (c === plus ? 1 : -1));
}

export class Teacher {
  constructor(core, set, learner, { taught = [] } = {}) {
    this.core = core;
    this.set = set;
    this.learner = { algorithm: learner.algorithm, options: { ...(learner.options || {}) } };
    const kernel = this.learner.options.kernel || 'none';
    this.linear = kernel === 'none' && learner.algorithm !== 'mlp' && set.labels.length === 2
      && this.learner.options.multiclass !== 'native';
    this.two = set.labels.length <= 2 || Boolean(this.learner.options.positive);
    this.key = JSON.stringify([set.text, this.learner]);
    this.undone = [];
    const offset = String(this.learner.options.offset ?? 'true') !== 'false';
    this.offset = offset;
    const positive = this.learner.options.positive || null;
    this.known = isPerceptron(this.learner) && this.two;
    this.bound = this.known ? bound(core, set, { offset, positive }) : null;
    this.limit = !this.known ? null : this.bound ? this.bound.most : Infinity;
    this.y = signs(set, positive);
    this.t = null;
    this.start();
    this.replay(taught.filter((r) => Number.isInteger(r) && r >= 0 && r < set.y.length));
  }

  start() {
    if (this.t) this.t.free();
    this.t = this.core.teacher(this.learner.algorithm, this.options());
    // Examples of weight 0 teach only which labels there are: so the signs of two classes and the
    // number of vectors are those of training from the first example on.
    for (const label of this.set.labels) this.t.show([0, 0], label, 0);
    this.taught = [];
    this.log = [];
    this.path = [];
    this.mistakes = 0;
    this.updates = 0;
  }

  // A network must know how many inputs to expect.
  options() {
    const { algorithm, options } = this.learner;
    return algorithm === 'mlp' ? { inputs: '2', ...options } : options;
  }

  get shown() { return this.taught.length; }
  get best() { return records.get(this.key) || 0; }
  get over() { return this.wrongNow().length === 0; }
  get model() { return this.t.model; }
  weights() { return this.t.weights(); }

  point(row) { return [this.set.x[2 * row], this.set.x[2 * row + 1]]; }

  learn(row) {
    const label = this.set.labels[this.set.y[row]];
    const r = this.t.show(this.point(row), label);
    this.taught.push(row);
    this.mistakes += r.mistake ? 1 : 0;
    this.updates += r.updated ? 1 : 0;
    this.log.push({ row, score: r.score, mistake: Boolean(r.mistake), updated: r.updated,
                    answer: r.answer });
    if (this.linear) {
      const { w, b } = this.t.weights();
      this.path.push([...w[0], b[0]]);
    }
    return r;
  }

  show(row) {
    if (!Number.isInteger(row) || row < 0 || row >= this.set.y.length)
      throw new Error(`there is no row ${row + 1}`);
    this.undone = [];
    return this.outcome(row, this.learn(row));
  }

  outcome(row, r) {
    const record = this.mistakes > this.best;
    if (record) records.set(this.key, this.mistakes);
    return { row, label: this.set.labels[this.set.y[row]], score: r.score,
             mistake: Boolean(r.mistake), updated: r.updated, answer: r.answer,
             mistakes: this.mistakes, shown: this.shown, over: this.over, best: this.best, record };
  }

  replay(rows) {
    this.start();
    for (const row of rows) this.learn(row);
    if (this.mistakes > this.best) records.set(this.key, this.mistakes);
  }

  // A learner cannot unlearn: a new one is shown all examples but the last.
  undo() {
    if (this.taught.length === 0) return false;
    const rows = this.taught.slice(), undone = [...this.undone, rows.pop()];
    this.replay(rows);
    this.undone = undone;
    return true;
  }

  redo() {
    if (this.undone.length === 0) return null;
    const undone = this.undone.slice(), row = undone.pop();
    const out = this.outcome(row, this.learn(row));
    this.undone = undone;
    return out;
  }

  reset() {
    this.undone = [];
    this.start();
  }

  // y s <= 0; with several classes: its own score is not above all others.
  wrongNow() {
    const n = this.set.y.length, all = Array.from({ length: n }, (_, i) => i);
    const { model } = this.t;
    if (!model || n === 0) return all; // nothing was learned: all scores are 0
    const s = model.scores(this.set.x, 2), outputs = s.length / n;
    const number = this.set.labels.map((l) => model.labels.indexOf(l));
    const alone = this.set.labels.length === 1; // a single label is taken for the negative one
    return all.filter((i) => {
      if (outputs === 1) return !((alone ? -1 : this.y[i]) * s[i] > 0);
      const own = number[this.set.y[i]];
      for (let c = 0; c < outputs; c++)
        if (c !== own && !(s[i * outputs + own] > s[i * outputs + c])) return true;
      return false;
    });
  }

  // In the proof each mistake on row i advances w.u by a_i.u >= gamma', and the faster that grows,
  // the sooner the learner is done: so the mistake with the least a_i.u teaches the least, the one
  // nearest to the best line.
  hint() {
    const left = this.wrongNow();
    if (left.length === 0) return null;
    const u = this.bound && this.bound.u;
    const gain = (i) => {
      const [x1, x2] = this.point(i);
      return this.y[i] * (u[0] * x1 + u[1] * x2 + (u.length > 2 ? u[2] : 0));
    };
    const row = u ? left.reduce((a, b) => (gain(b) < gain(a) ? b : a)) : left[0];
    const count = left.length === 1 ? '1 row is a mistake' : `${left.length} rows are mistakes`;
    const why = !this.known ? 'it is one of them'
      : u ? 'it is the one nearest to the best line, so it teaches the least'
        : 'any of them will do, there is no end to it';
    return { row, left, text: `${count} now. Try row ${row + 1}: ${why}.` };
  }

  summary() {
    const times = (k) => (k === 1 ? '1 mistake' : `${k} mistakes`);
    const limit = this.limit === null ? 'No bound is known for this learner.'
      : this.limit === Infinity ? 'No line separates these rows: the mistakes never end.'
        : `Novikoff's bound: at most ${times(this.limit)}.`;
    const end = this.over ? ' No row is a mistake any more: you cannot force another.' : '';
    return `${times(this.mistakes)} in ${this.shown} example${this.shown === 1 ? '' : 's'}; `
      + `best so far ${this.best}. ${limit}${end}`;
  }

  free() {
    if (this.t) this.t.free();
    this.t = null;
  }
}
