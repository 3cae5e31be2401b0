/* provepanel.js -- "prove it": an exact answer whether a line separates the classes, checked by
 * the verifier of the core, and the bound on mistakes that follows from it. */
import { $, put, plural } from './dom.js';
import { prove, bound } from './prove.js';
import { saveCertificate } from './exports.js';

const ASK = 'An exact proof with whole numbers: a separating line, or points that cross, '
  + 'with their weights.';

/* Whether the learner in focus has an offset: the question is about lines that it could find. */
export function withOffset(app) {
  const learner = app.state.mode === 'teacher' ? app.state.pupil
    : app.state.learners[app.state.focus];
  return (learner.options.offset ?? 'true') !== 'false';
}

/* The bound for the current data: computed on demand and kept until they change. undefined: not
 * known yet; null: there is none. */
export class Bounds {
  constructor(app) {
    this.app = app;
    this.cache = new Map();
    this.timer = 0;
    app.on('data', () => { this.cache.clear(); this.soon(); });
    app.on('learners focus mode', () => this.soon());
  }
  get now() { return this.cache.get(withOffset(this.app)); }
  /* Not while a point is being dragged: a little later. */
  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.compute(), 120);
  }
  compute() {
    const offset = withOffset(this.app);
    if (this.cache.has(offset)) return;
    let b = null;
    try {
      b = bound(this.app.core, this.app.set, { offset });
    } catch { /* no bound is shown: proving says why */ }
    this.cache.set(offset, b);
    this.app.emit('bound');
  }
}

function check(app, proof) {
  const line = $('verified');
  line.hidden = false;
  line.className = 'hint';
  try {
    const answer = app.core.verify(proof.certificate, app.set.text, {});
    line.classList.toggle('bad', !answer.valid);
    put(line, answer.valid
      ? 'Checked: the verifier in this page, which shares no code with the prover, agrees.'
      : `The verifier does not agree: ${answer.reason}`);
  } catch (e) {
    line.classList.add('bad');
    put(line, `The verifier could not check it: ${e.message}`);
  }
}

function show(app) {
  const { proof } = app;
  put($('prove'), 'Prove it');
  $('prove').disabled = !app.set || app.set.y.length === 0;
  $('certificate-box').hidden = !proof;
  if (!proof) {
    $('verdict').className = 'hint';
    put($('verdict'), ASK);
    $('verified').hidden = true;
    return;
  }
  $('verdict').className = proof.verdict === 'separable' ? 'yes' : 'no';
  put($('verdict'), [proof.sentence, proof.meaning].filter(Boolean).join(' '));
  put($('certificate'), proof.certificate);
}

function proveNow(app) {
  try {
    app.proof = prove(app.set, { offset: withOffset(app) });
  } catch (e) {
    app.fail(e);
    return;
  }
  app.emit('proof');
  check(app, app.proof);
  app.say(`${$('verdict').textContent} ${$('verified').textContent}`);
}

/* Drops a proof that is about a line with an offset when the learner has none, and vice versa. */
function stale(app) {
  if (app.proof && app.proof.offset !== withOffset(app)) {
    app.proof = null;
    app.emit('proof');
  }
}

export function provePanel(app) {
  $('prove').addEventListener('click', () => {
    put($('prove'), 'Proving…');
    $('prove').disabled = true;
    requestAnimationFrame(() => setTimeout(() => { proveNow(app); show(app); }));
  });
  $('export-certificate').addEventListener('click', () => saveCertificate(app.proof.certificate));
  app.on('data proof', () => show(app));
  app.on('proof', () => { app.state.proved = Boolean(app.proof); });
  app.on('loaded', () => {
    if (!app.state.proved || !app.set.y.length) return;
    proveNow(app);
    show(app);
  });
  app.on('learners focus mode', () => stale(app));
}

/* The bound in a sentence, for below the curves. */
export function boundText(b, run) {
  if (b === undefined) return '';
  if (!b) {
    return 'No line separates these points, so there is no bound: '
      + 'the perceptron would go on for ever.';
  }
  const most = b.most ?? Math.floor(b.bound);
  const so = run ? ` So far: ${run.updates.toLocaleString('en')}.` : '';
  return `R = ${b.R.toPrecision(4)}, γ′ = ${b.gamma.toPrecision(4)}: at most (R/γ′)² = `
    + `${plural(most, 'mistake')}, whatever the order (Novikoff 1962).${so}`;
}
