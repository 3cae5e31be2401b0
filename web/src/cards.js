/* cards.js -- the learners side by side: which one, its options, the plane, what stands beside
 * it, and its numbers. */
import { $, el, fill, put, plural } from './dom.js';
import { optionForm } from './form.js';
import { Editor } from './editor.js';
import { drawPlane, drawFigure, drawImported, figuresOf, isKernel, sceneKey,
  wrongOf } from './scenes.js';
import { MAX_LEARNERS } from './state.js';

/* The kernel perceptron is the perceptron with a kernel: it has its own entry in the list. */
const KERNEL = 'kernel';
const NEXT = ['averaged', 'pocket', 'svm', KERNEL, 'mlp', 'perceptron'];

export const choiceOf = (learner) =>
  (learner.algorithm === 'perceptron' && isKernel(learner) ? KERNEL : learner.algorithm);

/* A learner starts with the defaults, or with its form if those are meant for larger data. */
export function learnerOf(core, choice) {
  if (choice === KERNEL) return { algorithm: 'perceptron', options: { kernel: 'rbf' } };
  const form = core.learner(choice)?.form;
  return { algorithm: choice,
    options: Object.fromEntries((form || '').split(' ').filter(Boolean).map((s) => s.split('='))) };
}

/* [name, title] of each learner that `fits` and can be run here, as the library lists them: linear
 * programs need a solver that the module does not have, and "prove it" answers them. */
export function learnerChoices(core, fits = () => true) {
  return core.tables.learners.filter((t) => t.form !== '-' && fits(t)).flatMap((t) =>
    [[t.name, t.title], ...(t.name === 'perceptron' ? [[KERNEL, 'kernel perceptron']] : [])]);
}

class Card {
  constructor(app, i) {
    Object.assign(this, { app, i, memo: {}, figureMemo: {} });
    this.build();
  }

  get learner() { return this.app.state.learners[this.i]; }
  get run() { return this.app.runs[this.i]; }

  build() {
    const { i } = this;
    this.select = el('select', { id: `learner-${i}`, 'aria-label': `Learner ${i + 1}` });
    this.options = el('details', { id: `options-${i}`, class: 'optionbox' },
      el('summary', {}, 'Options'));
    this.remove = el('button', { type: 'button', id: `remove-${i}`, class: 'quiet',
      'aria-label': `Remove learner ${i + 1}` }, '✕');
    this.summary = el('p', { class: 'summary' });
    this.canvas = el('canvas', { id: `plane-${i}`, role: 'application',
      'aria-roledescription': 'plane', tabindex: '0', 'aria-describedby': 'plane-hint',
      'aria-label': 'The plane' });
    this.beside = el('figure', {});
    this.figureSelect = el('select', { id: `figure-${i}`, 'aria-label': 'Beside the plane' });
    this.message = el('p', { class: 'message', hidden: true, id: `message-${i}` });
    this.stats = el('div', { class: 'stats' });
    this.caption = el('figcaption', {}, 'Input space');
    this.node = el('section', { class: 'card', 'data-testid': `card-${i}`,
      'aria-label': `Learner ${i + 1}` },
      el('div', { class: 'cardhead' }, this.select, this.options, this.remove), this.summary,
        this.message,
      el('div', { class: 'pair' }, el('figure', {}, this.canvas, this.caption), this.beside),
        this.stats);
    this.listen();
    this.picture = this.app.gallery.add(this.canvas, (pen, box) => this.draw(pen, box),
      (e) => this.app.fail(e));
    this.editor = new Editor(this.app, this.canvas);
  }

  draw(pen, box) {
    if (!this.app.set) return '';
    const words = drawPlane(this.app, this.i, pen, box, this.memo);
    const now = performance.now();
    if (!this.app.player.playing || now - (this.shown || 0) > 70) {
      this.shown = now;
      this.showStats();           /* now it is known how many are wrong */
    }
    return words;
  }

  listen() {
    this.select.addEventListener('change', () => this.app.setLearner(this.i,
      learnerOf(this.app.core, this.select.value)));
    this.remove.addEventListener('click', () => this.app.removeLearner(this.i));
    this.figureSelect.addEventListener('change', () => {
      this.learner.figure = this.figureSelect.value;
      this.showFigure();
      this.figureSelect.focus();
      this.app.emit('any', 'figure');
    });
    this.node.addEventListener('pointerdown', () => this.app.focus(this.i));
    this.node.addEventListener('focusin', () => this.app.focus(this.i));
  }

  /* After the learner or its options changed. */
  refresh() {
    const { app, learner, i } = this;
    fill(this.select, learnerChoices(app.core), choiceOf(learner));
    this.remove.hidden = app.state.learners.length < 2;
    const summary = app.table(learner.algorithm)?.summary ?? '';
    put(this.summary, isKernel(learner) ? `${summary}; with a kernel` : summary);
    this.form();
    this.showFigure();
    this.node.classList.toggle('focused', app.state.focus === i);
    this.step();
  }

  form() {
    const { app, learner, i } = this;
    const focused = document.activeElement && this.options.contains(document.activeElement)
      ? document.activeElement.id : null;
    const more = this.options.querySelector('.more')?.open;
    const form = optionForm(app.table(learner.algorithm), learner, `option-${i}`,
      () => app.remakeRun(i));
    this.options.replaceChildren(this.options.firstChild, form);
    if (more && form.querySelector('.more')) form.querySelector('.more').open = true;
    if (focused && $(focused)) $(focused).focus();
  }

  showFigure() {
    const choices = figuresOf(this.learner);
    const known = choices.some(([v]) => v === this.learner.figure);
    const figure = known ? this.learner.figure : choices[0][0];
    fill(this.figureSelect, choices, figure);
    if (this.figure === figure) return;
    this.figure = figure;
    this.app.gallery.remove(this.figurePicture);
    this.figurePicture = null;
    this.beside.hidden = figure === 'none';
    if (figure === 'none') {
      this.caption.append(this.figureSelect);
      this.beside.replaceChildren();
      return;
    }
    const turns = figure === 'lift';
    const canvas = el('canvas', { id: `${figure.split('-')[0]}-${this.i}`, 'aria-label': figure,
      ...(turns ? { role: 'application', 'aria-roledescription': 'view in space', tabindex: '0',
        class: 'turns' } : { role: 'img' }) });
    if (turns) this.turnable(canvas);
    this.beside.replaceChildren(canvas, el('figcaption', {}, this.figureSelect));
    this.figureMemo = {};
    this.figurePicture = this.app.gallery.add(canvas,
      (pen, box) => drawFigure(this.app, this.i, this.figure, pen, box, this.figureMemo),
        (e) => this.app.fail(e));
  }

  /* Arrow keys and dragging turn a picture in space; Home turns it back. */
  turnable(canvas) {
    const step = 0.12, ways = { ArrowLeft: [step, 0], ArrowRight: [-step, 0],
      ArrowUp: [0, step], ArrowDown: [0, -step] };
    const turn = (a, e) => {
      const { view } = this.figureMemo;
      if (!view) return;
      view.a += a;
      view.e = Math.max(-1.4, Math.min(1.4, view.e + e));
      this.app.gallery.dirty(this.figurePicture);
    };
    canvas.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Home') this.figureMemo.view = null;
      if (event.key !== 'Home' && !ways[event.key]) return;
      turn(...(ways[event.key] || [0, 0]));
      this.app.gallery.dirty(this.figurePicture);
      event.preventDefault();
      event.stopPropagation();
    });
    let last = null;
    canvas.addEventListener('pointerdown', (event) => {
      last = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!last) return;
      turn((last[0] - event.clientX) * 0.01, (event.clientY - last[1]) * 0.01);
      last = [event.clientX, event.clientY];
    });
    for (const name of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(name, () => { last = null; });
    }
  }

  dirty() {
    this.app.gallery.dirty(this.picture);
    this.app.gallery.dirty(this.figurePicture);
  }

  /* After examples were shown. */
  step() {
    const error = this.app.errors[this.i];
    this.message.hidden = !error;
    put(this.message, error || '');
    if (!this.app.player.playing) this.showStats();
    this.dirty();
  }

  showStats() {
    const { run } = this;
    if (!this.cells) this.makeStats();
    const c = this.cells;
    put(c.passes, String(run ? run.epoch ?? 0 : 0));
    put(c.mistakes, String(run ? run.mistakes ?? 0 : 0));
    put(c.updates, String(run ? run.updates ?? 0 : 0));
    const wrong = this.wrong();
    const onLine = this.memo.onLine ? `, ${this.memo.onLine} more on the line` : '';
    put(c.error, run && run.examples && wrong !== null
      ? `${wrong} of ${this.app.set.y.length}${onLine}` : '–');
    c.error.dataset.value = run && run.examples && wrong !== null
      ? wrong / Math.max(1, this.app.set.y.length) : '';
    put(c.ended, run && run.ended ? run.stopText || run.ended : '');
    c.ended.className = run && ['converged', 'solved'].includes(run.ended) ? 'ended' : 'limit';
    this.node.dataset.ended = run && run.ended ? run.ended : '';
  }

  /* How many points are wrong now; while playing, only if the picture has found out. */
  wrong() {
    const { app, i, run, memo } = this, key = sceneKey(app, i);
    if (memo.wrongKey === key) return memo.wrong.length;
    const busy = app.player.playing || app.player.seeking;
    if (busy || !run || !run.examples || !run.model) return null;
    return wrongOf(app, run.model, memo, key).length;
  }

  makeStats() {
    const cell = (name) => el('b', { id: `${name}-${this.i}` });
    this.cells = { passes: cell('passes'), mistakes: cell('mistakes'), updates: cell('updates'),
      error: cell('error'),
      ended: el('span', { id: `ended-${this.i}` }) };
    const pair = (name, b) => el('span', {}, `${name} `, b);
    this.stats.replaceChildren(pair('pass', this.cells.passes),
      pair('mistakes', this.cells.mistakes),
      pair('updates', this.cells.updates), pair('wrong now', this.cells.error), this.cells.ended);
  }

  drop() {
    this.app.gallery.remove(this.picture);
    this.app.gallery.remove(this.figurePicture);
    this.node.remove();
  }
}

/* The card of an imported model: its regions on the same points. */
class ImportedCard {
  constructor(app) {
    Object.assign(this, { app, memo: {} });
    this.title = el('h2', {});
    this.text = el('p', { class: 'summary' });
    this.canvas = el('canvas', { id: 'plane-imported', role: 'img',
      'aria-label': 'The model from a file' });
    this.node = el('section', { class: 'card', id: 'card-imported', hidden: true,
      'aria-label': 'Model from a file' },
      this.title, this.text, el('figure', {}, this.canvas,
        el('figcaption', {}, 'Its answers on these points')));
    this.picture = app.gallery.add(this.canvas, (pen, box) =>
      drawImported(app, pen, box, this.memo), (e) => app.fail(e));
    app.on('model data', () => this.refresh());
  }

  refresh() {
    const { imported } = this.app, fits = Boolean(imported && imported.fits);
    this.node.hidden = !fits;
    this.memo = {};
    if (!fits) return;
    put(this.title, imported.name);
    put(this.text, `${imported.model.info.algorithm}, from a file`);
    this.app.gallery.dirty(this.picture);
  }
}

/* What the command line would save: nothing for a network that was never good. */
function savedModel(run) {
  if (run && run.ended === 'diverged' && run.report.epochs < 1) {
    throw new Error('The loss became no number in the first pass: there is no good model to save. '
      + 'A smaller rate may help.');
  }
  return run && run.model;
}

export class Cards {
  constructor(app) {
    this.app = app;
    this.cards = [];
    app.exported.watch = { pictures: () => this.pictures(), model: () => savedModel(app.run) };
    app.on('learners', () => this.learners());
    app.on('data', () => this.each((c) => c.step()));
    app.on('step', () => this.each((c) => c.step()));
    app.on('play', () => this.each((c) => c.step()));
    app.on('pointer proof model', () => this.each((c) => app.gallery.dirty(c.picture)));
    app.on('focus', () => this.each((c) => c.node.classList.toggle('focused',
      c.i === app.state.focus)));
    $('add-learner').addEventListener('click', () => this.add());
    this.imported = new ImportedCard(app);
    $('cards').append(this.imported.node);
  }

  /* What can be saved: [[id, name, picture]] of the learner in focus, and what belongs to all. */
  pictures() {
    const card = this.cards[this.app.state.focus], all = [['plane', 'plane', card.picture]];
    if (card.figurePicture) {
      /* A learner that was just replaced may not have its own figure yet. */
      const name = figuresOf(card.learner).find(([id]) => id === card.figure)?.[1] ?? card.figure;
      all.push([card.figure.split('-')[0], name.replace(/^[WN]/, (c) => c.toLowerCase()),
        card.figurePicture]);
    }
    all.push(['progress', 'curves', this.app.progress]);
    if (!this.imported.node.hidden) {
      all.push(['imported', 'model from a file', this.imported.picture]);
    }
    return all;
  }

  each(f) { if (this.app.set) this.cards.forEach(f); }

  add() {
    const has = this.app.state.learners.map(choiceOf);
    const choice = NEXT.find((n) => !has.includes(n)) || 'perceptron';
    this.app.addLearner(learnerOf(this.app.core, choice));
    this.app.say(`${plural(this.app.state.learners.length, 'learner')} side by side.`);
    $(`learner-${this.app.state.learners.length - 1}`).focus();
  }

  learners() {
    const n = this.app.state.learners.length;
    while (this.cards.length > n) this.cards.pop().drop();
    while (this.cards.length < n) {
      const card = new Card(this.app, this.cards.length);
      this.cards.push(card);
      $('cards').insertBefore(card.node, this.imported.node);
    }
    $('cards').dataset.count = n;
    $('add-learner').disabled = n >= MAX_LEARNERS;
    if (this.app.set) for (const card of this.cards) card.refresh();
  }
}
