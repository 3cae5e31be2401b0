/* scenes.js -- from what the page knows to what a view draws: the `what` of plane, weights,
 * counters, network and curves for a run, and each picture in words. Numbers come from the core. */
import * as plane from './views/plane.js';
import * as weights from './views/weights.js';
import * as counters from './views/counters.js';
import * as lift from './views/lift.js';
import * as network from './views/network.js';
import * as arithmetic from './views/arithmetic.js';
import { g6, vectorText } from './views/scale.js';
import { plural } from './dom.js';

/* How long a raster may take, in ms, in a frame while playing and in a still one. */
const PLAY_MS = 5, STILL_MS = 60;
/* While playing, the raster of an expensive model has at least this many cells, and takes at most
 * this long; time above PLAY_MS is saved by making it less often, but at least this often. */
const LEAST_CELLS = 900, MOST_MS = 14, SELDOM_MS = 400;
/* Parts of a path that are drawn in a still picture, and while playing. */
const PATH_SHOWN = 1200, PATH_PLAYED = 240;
/* While playing, the ms between two looks at the counters of many points. */
const COUNTERS_MS = 300;
/* With more points than this, the answers for all of them are drawn only in a still picture. */
const MANY = 500;

export const kernelOf = (learner) => learner.options.kernel || 'none';
export const isKernel = (learner) => kernelOf(learner) !== 'none';

/* The number of the label that is +1. */
export function positiveOf(app, learner) {
  const k = app.set.labels.indexOf(learner.options.positive);
  return k >= 0 ? k : 1;
}

/* The model's weights as {w: [[..]..], b: [..]}, or null where it has none (kernel, votes, mlp). */
export function linearOf(model) {
  if (!model || model.info.machine !== 'linear' || model.info.features !== 2) return null;
  if (model.info.algorithm === 'voted') return null;
  return model.weights();
}

/* Regions of a model as cells. How fine they are depends on the cost of a cell: measured on the
 * model, remembered in `memo`, and bounded by the time available. */
export function rasterOf(memo, model, what, box, { key, playing, learners = 1, again = false }) {
  if (playing && memo.raster && memo.size === `${box.w}x${box.h}`
    && performance.now() < memo.next) return memo.raster;
  /* A still picture is computed once, whatever its cells are now said to cost. */
  const still = playing || again ? null : `${key}|${JSON.stringify(what.view)}|${box.w}x${box.h}`;
  if (still && memo.still === still) return memo.raster;
  const time = (playing ? PLAY_MS : STILL_MS) / learners;
  const area = box.w * box.h;
  let most = memo.cellMs ? time / memo.cellMs : 1500;
  if (playing && most < LEAST_CELLS) {
    most = Math.min(LEAST_CELLS, MOST_MS / learners / memo.cellMs);
  }
  const cell = Math.max(playing ? 6 : 3, Math.min(40, Math.sqrt(area / Math.max(60, most))));
  memo.still = playing ? null : still || memo.still;
  const full = `${key}|${cell.toFixed(0)}|${JSON.stringify(what.view)}|${box.w}x${box.h}`;
  if (memo.key === full) return memo.raster;
  const from = performance.now();
  const grid = plane.gridFor(box, what, cell);
  const scores = model.scores(grid.x);
  const outputs = scores.length / (grid.cols * grid.rows);
  memo.raster = { cols: grid.cols, rows: grid.rows, view: grid.view, outputs, scores };
  if (outputs > 1) memo.raster.classes = model.classes(grid.x);
  const ms = performance.now() - from, took = ms / (grid.cols * grid.rows);
  memo.cellMs = playing && memo.cellMs ? 0.7 * memo.cellMs + 0.3 * took : took;
  /* The first cells are the most expensive: if there is time, try again with finer ones. */
  if (!playing && !again && cell > 4 && ms < time / 3) {
    return rasterOf(memo, model, what, box, { key, playing, learners, again: true });
  }
  memo.next = ms > time ? from + Math.min(SELDOM_MS, 17 * ms / time) : 0;
  memo.size = `${box.w}x${box.h}`;
  memo.coarse = cell > 4;
  memo.key = full;
  return memo.raster;
}

/* Rows that the model gets wrong, remembered until it changes. memo.onLine: how many others have
 * score 0: answered right, but mistakes all the same, and part of the training error. */
export function wrongOf(app, model, memo, key) {
  if (memo.wrongKey === key) return memo.wrong;
  const classes = model.classes(app.set.x);
  const scores = model.info.machine === 'linear' && model.info.outputs === 1
    ? model.scores(app.set.x) : [];
  const wrong = [];
  memo.onLine = 0;
  for (let i = 0; i < classes.length; i++) {
    if (classes[i] !== app.set.y[i]) wrong.push(i);
    else if (scores[i] === 0) memo.onLine++;
  }
  memo.wrongKey = key;
  memo.wrong = wrong;
  return wrong;
}

function lineScene(what, found, last) {
  if (found.w.length > 1) {
    what.multi = { w: found.w, b: found.b };
    return;
  }
  what.linear = { w: Array.from(found.w[0]), b: found.b[0] };
  const now = last && last.w && !Array.isArray(last.w[0]) ? last : null;
  if (!now) return;
  const same = now.w.every((v, j) => v === what.linear.w[j]) && now.b === what.linear.b;
  if (!same) what.lines.push({ w: now.w, b: now.b, name: 'w of the moment', style: 'before' });
  else if (now.updated && now.before) what.before = now.before;
}

/* Where the same learner ended up with other orders of the rows. */
function ghostScene(app, i, what) {
  for (const g of app.ghosts[i] || []) what.lines.push({ w: g.w, b: g.b, style: 'axis' });
}

function proofScene(app, what) {
  const { proof } = app;
  if (!proof) return;
  what.hulls = app.set.labels.length === 2 && proof.offset;
  if (proof.verdict === 'separable' && proof.w && proof.parts.length === 1) {
    const scale = [...proof.w, proof.b].reduce((m, v) => { const a = v < 0n ? -v : v; return a > m
      ? a : m; }, 1n);
    const real = (v) => ratio(v, scale);
    what.lines.push({ w: proof.w.map(real), b: real(proof.b), name: 'proved', style: 'witness' });
  } else if (proof.witness && proof.witness.length && app.set.labels.length === 2) {
    const top = proof.witness.reduce((m, p) => (p.weight > m ? p.weight : m), 1n);
    what.witness = proof.witness.map((p) => ({ row: p.row, weight: ratio(p.weight, top) }));
    what.witnessOffset = proof.offset;
  }
}

/* v / top as a double, for whole numbers of any length with |v| <= top. */
const ratio = (v, top) => Number(v * (1n << 60n) / top) / 2 ** 60;

function importedScene(app, what) {
  if (!app.imported || !app.imported.fits) return;
  const found = linearOf(app.imported.model);
  if (found && found.w.length === 1) {
    what.lines.push({ w: Array.from(found.w[0]), b: found.b[0], name: app.imported.name,
      style: 'imported' });
  }
}

/* Identifies what the plane of learner i shows: equal keys, equal models. */
export const sceneKey = (app, i) => `${app.runs[i]?.serial}|${app.runs[i]?.examples}`;

/* The plane of learner i: {what, words}. memo keeps what is expensive between frames. */
export function planeScene(app, i, box, memo) {
  const run = app.runs[i], learner = app.state.learners[i];
  const what = baseScene(app, learner);
  const model = run && run.model;
  if (!model) return { what, words: planeWords(app, i, null) };
  const key = sceneKey(app, i);
  const { playing } = app.player;
  const found = linearOf(model);
  if (found) {
    ghostScene(app, i, what);
    lineScene(what, found, run.last);
  }
  if (!found) what.raster = rasterOf(memo, model, what, box,
    { key, playing, learners: app.runs.length });
  if (run.last && run.last.row >= 0 && !run.ended) what.current = run.last;
  if (isKernel(learner)) what.supports = supportsNow(app, model, memo, run.serial);
  if (!playing || (found && app.set.y.length <= MANY)) what.wrong = wrongOf(app, model, memo, key);
  return { what, words: planeWords(app, i, what) };
}

export function baseScene(app, learner) {
  const what = { set: app.set, view: app.view, positive: positiveOf(app, learner), lines: [],
    selected: app.selected, hover: app.hover, cursor: app.cursor };
  proofScene(app, what);
  importedScene(app, what);
  return what;
}

/* With many points, sizes are updated a few times a second while playing: each change redraws them
 * all. */
function supportsNow(app, model, memo, serial) {
  const now = performance.now(), many = app.set.y.length > MANY;
  if (app.player.playing && many && memo.supportsOf === serial
    && now - memo.supportsAt < COUNTERS_MS) return memo.supports;
  Object.assign(memo, { supports: supportsOf(app, model), supportsOf: serial, supportsAt: now });
  return memo.supports;
}

export function supportsOf(app, model) {
  let all = [];
  try { all = model.supports() || []; } catch { /* this model has none */ }
  return all.filter((s) => s.row >= 0 && s.row < app.set.y.length);
}

function planeWords(app, i, what) {
  const n = app.set.y.length,
    classes = plural(app.set.labels.length, 'class', 'classes');
  const head = `Plane with ${plural(n, 'point')} of ${classes}.`;
  if (!what) return `${head} Nothing was learned yet.`;
  const line = what.linear
    ? ` The line has w = ${vectorText(what.linear.w)}, b = ${g6(what.linear.b)}.`
    : what.raster ? ' The regions of the classes are curved.' : '';
  const wrong = what.wrong
    ? ` ${plural(what.wrong.length, 'point is', 'points are')} on the wrong side.` : '';
  const now = what.current
    ? ` Row ${what.current.row + 1} was shown${what.current.mistake ? ': a mistake' : ''}.` : '';
  return `${head}${line}${wrong}${now}`;
}

export function drawPlane(app, i, pen, box, memo) {
  const { what, words } = planeScene(app, i, box, memo);
  plane.draw(pen, box, what);
  return words;
}

/* The answers of an imported model of two features for the points of the page. */
export function drawImported(app, pen, box, memo) {
  const { imported } = app;
  if (!imported || !imported.fits || !app.set) return '';
  const { model } = imported;
  const what = { set: app.set, view: app.view, positive: 1 };
  const found = linearOf(model);
  const known = model.labels.every((l) => app.set.labels.includes(l));
  const number = (c) => app.set.labels.indexOf(model.classLabels[c]);
  if (known && model.labels.length === 2) what.positive = app.set.labels.indexOf(model.info.positive
    || model.labels[1]);
  if (found && found.w.length === 1) what.linear = { w: found.w[0], b: found.b[0] };
  else what.raster = rasterOf(memo, model, what, box, { key: imported.name, playing: false });
  if (what.raster && what.raster.classes
    && known) what.raster.classes = what.raster.classes.map((c) => (c < 0 ? 0 : number(c)));
  if (known && app.set.y.length) {
    what.wrong = Array.from(model.classes(app.set.x)).flatMap((c, i) =>
      (number(c) === app.set.y[i] ? [] : [i]));
  }
  plane.draw(pen, box, what);
  const wrong = what.wrong ? `: ${what.wrong.length} wrong` : '';
  return `The model ${imported.name} on ${plural(app.set.y.length, 'point')}${wrong}.`;
}

/* ----- weight space ------------------------------------------------------------------- */

const PAIRS = { weights: [0, 1], 'weights-1b': [0, 2], 'weights-2b': [1, 2] };

/* A long path: its first and last parts in full, thinned in between. */
function thin(path, most) {
  if (path.length <= most) return path;
  const every = Math.ceil(path.length / most);
  return path.filter((_, k) => k % every === 0 || k > path.length - most / 12);
}

const whole = (v) => [...v.w, v.b];

const signs = { set: null, positive: -1, list: null };

/* +1 and -1 by row, kept until the data change. */
function signsOf(app, positive) {
  if (signs.set !== app.set || signs.positive !== positive) {
    Object.assign(signs, { set: app.set, positive, list: Int8Array.from(app.set.y,
      (y) => (y === positive ? 1 : -1)) });
  }
  return signs.list;
}

export function weightsScene(app, i, figure) {
  const run = app.runs[i], learner = app.state.learners[i];
  const positive = positiveOf(app, learner);
  const offset = (learner.options.offset ?? 'true') !== 'false';
  const sign = signsOf(app, positive);
  const most = app.player.playing ? PATH_PLAYED : PATH_SHOWN;
  const what = { path: run && run.curve ? thin(run.curve.w, most) : [],
    pair: PAIRS[figure] || PAIRS.weights,
    rows: app.player.playing && sign.length > MANY ? null : { x: app.set.x, sign, offset } };
  const last = run && run.last;
  if (last && last.w && !Array.isArray(last.w[0])) {
    what.now = whole(last);
    if (last.before) what.before = whole(last.before);
    const x = [app.set.x[2 * last.row], app.set.x[2 * last.row + 1], ...(offset ? [1] : [])];
    if (last.row >= 0) what.example = { row: last.row, x, y: last.y, mistake: last.mistake,
      updated: last.updated };
  } else {
    const found = linearOf(run && run.model);
    if (found && found.w.length === 1) what.now = [...found.w[0], found.b[0]];
  }
  return what;
}

function drawWeights(app, i, figure, pen, box) {
  const run = app.runs[i];
  if (app.set.labels.length > 2) return drawVectors(app, run, pen, box);
  const what = weightsScene(app, i, figure);
  weights.draw(pen, box, what);
  const now = what.now ? `w and b are ${vectorText(what.now)}` : 'w is at 0';
  return `Weight space: ${now}, after ${plural(run ? run.updates : 0, 'update')}.`;
}

/* More than two classes: one weight vector each, as numbers. */
function drawVectors(app, run, pen, box) {
  const found = linearOf(run && run.model);
  if (!found) return note(pen, box, 'More than two classes have a weight vector each.');
  const size = Math.max(11, Math.min(14, box.w / 28)), step = 2.4 * size;
  const from = box.h / 2 - step * (found.w.length - 1) / 2;
  const lines = found.w.map((w, c) =>
    `w = ${vectorText(w.map((v) => Number(v.toPrecision(4))))}, b = ${g6(found.b[c], 4)}`);
  lines.forEach((line, c) => {
    const y = from + c * step, x = Math.max(8, box.w / 2 - 12 * size);
    pen.text(x, y, app.set.labels[c], { fill: `class${c}`, size, bold: true });
    pen.text(x, y + 1.2 * size, line, { size, mono: true });
  });
  const all = lines.map((line, c) => `${app.set.labels[c]}: ${line}`).join('; ');
  return `A weight vector for each class: ${all}.`;
}

/* ----- counters, network ----------------------------------------------------------------- */

function drawCounters(app, i, pen, box) {
  const run = app.runs[i];
  const supports = run && run.model ? supportsOf(app, run.model) : [];
  const list = supports.map((s) => ({ ...s, label: app.set.y[s.row] }));
  counters.draw(pen, box, { counters: list, current: run && run.last ? run.last.row : -1,
    rows: app.set.y.length });
  const top = list.reduce((m, s) => (!m || Math.abs(s.counter) > Math.abs(m.counter) ? s : m),
    null);
  const most = top ? `, row ${top.row + 1} most often, ${top.counter} times` : '';
  return `Counters: ${list.length} of ${app.set.y.length} rows were corrected${most}.`;
}

/* The machine in the space of its kernel: the support rows' images, each with its coefficient. */
function lifted(app, run, images) {
  const supports = run && run.model ? supportsOf(app, run.model) : [];
  if (!supports.length || !supports.every((s) => Number.isFinite(s.coefficient))) return null;
  const w = Array.from({ length: images.columns }, () => 0);
  for (const s of supports) {
    for (let j = 0; j < w.length; j++) w[j] += s.coefficient * images.at[s.row * w.length + j];
  }
  return { w, b: run.model.weights().b[0] };
}

/* The map of a polynomial kernel; null where it has none. */
function mapOf(app, learner) {
  const value = (name) => Number(learner.options[name]
    || app.table(learner.algorithm)?.params.find((p) => p.name === name)?.initial || 0);
  const gamma = learner.options.gamma, c = value('coef0'), degree = value('degree');
  if ((gamma && Number(gamma) !== 1) || !(c >= 0) || !(degree >= 2 && degree <= 8)) return null;
  return `lift:${degree}:${c}`;
}

function drawLift(app, i, pen, box, memo) {
  const run = app.runs[i], map = mapOf(app, app.state.learners[i]);
  if (app.set.labels.length > 2) return note(pen, box, 'The lift is drawn of two classes.');
  if (!map) {
    return note(pen, box, 'The lift is drawn of polynomials with gamma 1 and a constant from 0 on.');
  }
  if (memo.set !== app.set || memo.map !== map) {
    Object.assign(memo, { set: app.set, map, images: app.core.images(map,
      Float64Array.from(app.set.x)) });
  }
  const machine = lifted(app, run, memo.images);
  const what = lift.scene(memo.images, machine, app.set.y);
  what.view = memo.view ||= { ...lift.FIRST };
  what.current = run && run.last ? run.last.row : -1;
  lift.draw(pen, box, what);
  const { axes } = what.space;
  return `${plural(app.set.y.length, 'point')} lifted by ${map}, in the axes ${
    axes.map((a) => a.name).join(', ')}${what.space.plane ? ', with the separating plane' : ''
  }. Arrow keys and dragging turn it.`;
}

function drawNetwork(app, i, pen, box, memo) {
  const run = app.runs[i];
  let layers = null;
  try { layers = run && run.model ? run.model.layers() : null; } catch { /* not a network */ }
  if (!layers || !layers.length) return note(pen, box,
    'The network is drawn after its first step.');
  const { options } = app.state.learners[i], plain = (options.scale ?? 'none') === 'none'
    && !options.map;
  network.draw(pen, box, { kind: 'mlp', layers, inputs: app.set.names, outputs: app.set.labels,
    thumbs: memo.thumbs, view: plain ? app.view : null,
      positive: positiveOf(app, app.state.learners[i]) });
  const units = [layers[0].inputs, ...layers.map((l) => l.outputs)].join(', ');
  return `Network: ${units} units from inputs to outputs.`;
}

function note(pen, box, text) {
  const words = text.split(' '), lines = [''];
  for (const word of words) {
    if ((lines[lines.length - 1] + word).length > box.w / 8) lines.push('');
    lines[lines.length - 1] += `${word} `;
  }
  lines.forEach((line, k) => pen.text(box.w / 2, box.h / 2 + 20 * (k - (lines.length - 1) / 2),
    line.trim(),
    { fill: 'muted', size: 14, anchor: 'middle', base: 'middle' }));
  return text;
}

/* What can stand beside the plane of a learner, best first. */
export function figuresOf(learner) {
  if (learner.algorithm === 'mlp') return [['network', 'Network'], ['none', 'Nothing']];
  if (kernelOf(learner) === 'poly' && learner.algorithm !== 'voted') return [['lift',
    'Lift: the space of the kernel'], ['counters', 'α counters'], ['none', 'Nothing']];
  if (isKernel(learner)) return [['counters', 'α counters'], ['none', 'Nothing']];
  return [['weights', 'Weight space: w₁, w₂'], ['weights-1b', 'Weight space: w₁, b'],
    ['weights-2b', 'Weight space: w₂, b'], ['none', 'Nothing']];
}

export function drawFigure(app, i, figure, pen, box, memo) {
  if (figure === 'counters') return drawCounters(app, i, pen, box);
  if (figure === 'lift') return drawLift(app, i, pen, box, memo);
  if (figure === 'network') return drawNetwork(app, i, pen, box, memo);
  return drawWeights(app, i, figure, pen, box);
}

/* The offset after the last example: that of a line comes with the example; with a kernel it is
 * taken from the model, if what is returned is what was just updated. */
export function offsetOf(run) {
  if (!run || !run.last) return null;
  if (Number.isFinite(run.last.b)) return run.last.b;
  const { model } = run;
  if (run.family !== 'rule' || !model || !model.info.offset || model.info.outputs !== 1) return null;
  return Number.isFinite(run.last.counter) ? model.weights().b[0] : null;
}

/* ----- arithmetic ---------------------------------------------------------------------------- */

export function arithmeticText(app, run) {
  const { last } = run, learner = app.state.learners[app.state.focus];
  if (learner.algorithm === 'mlp') return lossText(run);
  if (!last || run.examples === 0 || !(last.row >= 0)) return '';
  const b = offsetOf(run), more = isKernel(learner) && b !== null ? { b } : {};
  const what = { last: { ...last, ...more },
    x: [app.set.x[2 * last.row], app.set.x[2 * last.row + 1]],
    labels: app.set.labels,
    rule: learner.options.rule || learner.algorithm, kernel: isKernel(learner),
      classes: app.set.labels.length };
  return arithmetic.lines(what).map((l) => l.text.replace(/^pass \d+, row \d+: /, '')).join('\n');
}

/* For a network: how the loss developed. */
function lossText(run) {
  const history = run.history.slice(-3);
  if (!history.length) return '';
  return history.map((p) => `pass ${p.epoch}: loss ${g6(p.loss)}, error ${g6(p.error)}`).join('\n');
}
