/* curvespanel.js -- progress: mistakes and training error by pass of all learners, and for the one
 * in focus |w|^2 between its two limits, up to the bound. */
import { $, put } from './dom.js';
import * as curves from './views/curves.js';
import { isKernel } from './scenes.js';
import { boundText } from './provepanel.js';
import { shortTitle } from './nowpanel.js';

const SHOWN = 800;

/* Novikoff's bound is about this rule, this start and a constant rate. */
export function bounded(app, learner) {
  const { options } = learner;
  const is = (name, value) => (options[name] ?? value) === value;
  return ['perceptron', 'averaged', 'voted', 'pocket'].includes(learner.algorithm)
    && app.set.labels.length === 2
    && is('rule', 'perceptron') && is('schedule', 'constant') && is('init', 'zero')
      && is('class-weight', '') && is('decay', '0')
    && !isKernel(learner) && !options.map && is('scale', 'none');
}

function series(app, field) {
  return app.runs.map((run, i) => ({ name: app.runs.length > 1 ? shortTitle(app.state.learners[i])
    : '',
    values: run ? run.history.map((p) => p[field]) : [] }));
}

/* Which small pictures to show now. */
function parts(app, bound) {
  const learner = app.state.learners[app.state.focus], { run } = app;
  const all = [];
  const loss = learner.algorithm === 'mlp' && run;
  if (loss) all.push({ kind: 'loss', series: [{ values: run.history.map((p) => p.loss) }] });
  else all.push({ kind: 'mistakes', series: series(app, 'mistakes') });
  all.push({ kind: 'error', series: series(app, 'error') });
  if (run && bounded(app, learner)) all.push(boundPart(run, learner, bound));
  return all;
}

function boundPart(run, learner, bound) {
  const { k, norm2, w } = run.curve;
  const every = Math.max(1, Math.ceil(k.length / SHOWN));
  const keep = (list) => (every === 1 ? list : list.filter((_, i) => i % every === 0
    || i === list.length - 1));
  return { kind: 'bound', k: keep(k), norm2: keep(norm2), w: keep(w), u: bound ? bound.u : null,
    R: bound ? bound.R : null, gamma: bound ? bound.gamma : null,
      rate: Number(learner.options.rate ?? 1) };
}

function draw(app, bounds, pen, box) {
  const all = parts(app, bounds.now);
  const rows = box.w < 560 ? all.length : 1, cols = Math.ceil(all.length / rows), gap = 14;
  const w = (box.w - gap * (cols - 1)) / cols, h = (box.h - gap * (rows - 1)) / rows;
  all.forEach((what, i) => {
    const place = { x: (i % cols) * (w + gap), y: Math.floor(i / cols) * (h + gap), w, h };
    pen.clip(place.x, place.y, w, h, () => curves.draw(pen, place, what));
  });
  return words(app);
}

function words(app) {
  const { run } = app;
  const last = run && run.history[run.history.length - 1];
  if (!last) return 'Curves of mistakes and training error by pass: none yet.';
  return `Curves: pass ${last.epoch} made ${last.mistakes} mistakes; training error `
    + `${(100 * last.error).toFixed(1)} %; ${run.updates} updates in all.`;
}

/* As high as the pictures need when stacked. */
function size(app, bounds) {
  const n = app.set && $('curves').clientWidth < 560 ? parts(app, bounds.now).length : 1;
  $('curves').style.height = n > 1 ? `${n * 12}rem` : '';
}

export function curvesPanel(app, bounds) {
  const picture = app.gallery.add($('curves'), (pen, box) =>
    (app.set ? draw(app, bounds, pen, box) : ''), (e) => app.fail(e));
  app.progress = picture;
  /* While playing, a few times a second is enough. */
  let last = 0;
  const dirty = () => {
    const now = performance.now();
    if (app.player.playing && now - last < 200) return;
    last = now;
    app.gallery.dirty(picture);
  };
  app.on('step', dirty);
  app.on('data learners focus bound play', () => {
    if (!app.set) return;
    size(app, bounds);
    app.gallery.dirty(picture);
  });
  let said = 0;
  app.on('step data learners focus bound play', () => {
    if (!app.set || (app.player.playing && performance.now() - said < 200)) return;
    said = performance.now();
    const learner = app.state.learners[app.state.focus];
    put($('bound'), bounded(app, learner) ? boundText(bounds.now, app.run)
      : 'Novikoff\'s bound is about the perceptron, two classes and no kernel.');
  });
}
