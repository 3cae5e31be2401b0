/* nowpanel.js -- what just happened to the learner in focus: a sentence, arithmetic, numbers. */
import { $, fill, put, short, plural } from './dom.js';
import { g6, vectorText } from './views/scale.js';
import { arithmeticText, linearOf, offsetOf } from './scenes.js';

export const learnerTitle = (learner) => {
  const kernel = learner.options.kernel;
  if (kernel && kernel !== 'none') {
    return learner.algorithm === 'perceptron' ? `kernel perceptron (${kernel})`
      : `${learner.algorithm} (${kernel})`;
  }
  return learner.algorithm;
};

/* The same in short, for the ends of curves. */
export const shortTitle = ({ algorithm, options: { kernel } }) =>
  (kernel && kernel !== 'none' ? `${kernel} kernel` : algorithm);

/* "perceptron, order file, seed 0", as the reports of the command line begin. */
export function runLine(app) {
  const learner = app.state.learners[app.state.focus];
  const known = new Set(app.table(learner.algorithm).params.map((p) => p.name));
  const said = ['order', 'seed'].filter((name) => known.has(name));
  return [learnerTitle(learner), ...said.map((name) => `${name} ${app.state[name]}`)].join(', ');
}

/* One sentence about the last example. */
export function sentence(app, run) {
  if (!run) return app.errors[app.state.focus] || '';
  const { last } = run;
  if (!last || run.examples === 0) {
    return run.examples ? `${plural(run.examples, 'step')} done.`
      : `${runLine(app)}: show the first example.`;
  }
  if (!(last.row >= 0)) {
    return `Pass ${last.epoch}: a batch of rows was shown, and every weight moved a little `
      + 'against the slope of the loss.';
  }
  const label = app.set.labels[last.label] ?? last.label;
  const what = last.mistake ? 'a mistake' : last.updated ? 'right, but updated' : 'right';
  return `Pass ${last.epoch}, row ${last.row + 1} (class ${label}): ${what}.`;
}

function exact(element, text, value) {
  put(element, text);
  const v = value === null || value === undefined ? '' : JSON.stringify(value);
  if (element.dataset.value !== v) element.dataset.value = v;
}

/* The weights to show: those after the last example, otherwise those of the model. */
function weightsOf(run) {
  if (!run) return null;
  if (run.last && run.last.w && !Array.isArray(run.last.w[0])) return { w: Array.from(run.last.w),
    b: run.last.b };
  const found = linearOf(run.model);
  return found && found.w.length === 1 ? { w: Array.from(found.w[0]), b: found.b[0] } : null;
}

function numbers(run) {
  const weights = weightsOf(run);
  const counter = run && run.last && run.last.counter;
  exact($('w'), weights ? vectorText(weights.w) : counter !== null && counter !== undefined
    ? `${counter} (updates of this row)` : '–', weights ? weights.w : null);
  put($('w').previousElementSibling, !weights && Number.isFinite(counter) ? 'α' : 'w');
  const b = weights ? weights.b : offsetOf(run);
  exact($('b'), b === null || b === undefined ? '–' : g6(b), b);
  const score = run && run.last ? run.last.score : null;
  exact($('score'), score === null || score === undefined ? '–' : g6(score), score);
  for (const id of ['epoch', 'examples', 'mistakes', 'updates']) {
    const v = run ? run[id] ?? 0 : 0;
    exact($(id), Number(v).toLocaleString('en'), v);
  }
}

function show(app) {
  const { run } = app;
  const text = sentence(app, run);
  const last = run && run.examples ? run.last : null;
  put($('now'), text);
  const kind = !last || (last.updated && !last.mistake) ? '' : last.mistake ? 'mistake' : 'right';
  $('now').className = `now ${kind}`;
  put($('arithmetic'), run ? arithmeticText(app, run) : '');
  numbers(run);
  if (last && !app.player.playing && !app.player.seeking && !run.ended
    && app.state.mode === 'watch') {
    const known = Number.isFinite(last.score) && last.row >= 0;
    const score = known ? ` Score ${short(last.score)};` : '';
    app.say(`${text}${score} ${plural(run.updates, 'update')} so far.`);
  }
}

export function nowPanel(app) {
  const list = () => {
    fill($('focus'), app.state.learners.map((l, i) => [i, `${i + 1}. ${learnerTitle(l)}`]),
      app.state.focus);
    $('focus').value = app.state.focus;
    $('focus').hidden = app.state.learners.length < 2;
  };
  $('focus').addEventListener('change', () => app.focus(Number($('focus').value)));
  app.on('learners', list);
  app.on('focus', list);
  /* While it plays fast, nobody can read every number. */
  let shown = 0;
  app.on('step', () => {
    const now = performance.now();
    if (!app.set || (app.player.playing && now - shown < 70)) return;
    shown = now;
    show(app);
  });
  app.on('data learners focus play', () => { if (app.set) show(app); });
}
