/* transport.js -- the buttons of the player, speed, order of the rows, and the keys for them. */
import { $, el, put, plural } from './dom.js';
import { g6, vectorText } from './views/scale.js';
import { SPEEDS } from './player.js';
import { linearOf } from './scenes.js';

const typing = (e) =>
  e.target.closest('input:not([type="range"]):not([type="checkbox"]), textarea, select');

function speedText(place) {
  const s = SPEEDS[place];
  return s === Infinity ? 'as fast as it goes' : `${s.toLocaleString('en')} a second`;
}

function speedShort(place) {
  const s = SPEEDS[place];
  return s === Infinity ? 'max' : `${s.toLocaleString('en')}/s`;
}

function keys(app) {
  const press = { ArrowRight: 'step', ArrowLeft: 'back', p: 'pass', r: 'reset', s: 'shuffle' };
  document.addEventListener('keydown', (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey
      || app.state.mode !== 'watch') return;
    if (typing(e) || e.target.closest('input[type="range"]')) return;
    const id = e.key === ' ' && !e.target.closest('button, summary, a, [type="checkbox"]') ? 'run'
      : press[e.key];
    if (!id || $(id).disabled) return;
    e.preventDefault();
    $(id).click();
  });
}

/* The results of an order, once all its runs have ended: a row of the table for each learner. */
class Orders {
  constructor(app) {
    this.app = app;
    this.seen = new Set();
    this.names = [];
    app.on('data', () => this.clear());
    app.on('learners', () => { if (app.state.learners.some((l, i) =>
      this.names[i] !== JSON.stringify(l))) this.others(); });
    app.on('step play', () => this.note());
  }
  clear() {
    this.seen.clear();
    this.app.ghosts = [];
    $('orders').tBodies[0].replaceChildren();
    $('orders-box').hidden = true;
  }
  /* New learners have no earlier lines. */
  others() {
    this.names = this.app.state.learners.map((l) => JSON.stringify(l));
    this.app.ghosts = [];
  }
  note() {
    const { app } = this;
    if (!app.runs.length || !app.player.ended) return;
    app.runs.forEach((run, i) => { if (run) this.row(run, i); });
    $('orders-box').hidden = this.seen.size < 2;
  }
  /* The last few lines stay, pale, on the plane. */
  ghost(i, run) {
    const found = linearOf(run.model), all = (this.app.ghosts[i] ||= []);
    if (!found || found.w.length !== 1) return;
    all.push({ w: found.w[0], b: found.b[0] });
    if (all.length > 8) all.shift();
  }
  row(run, i) {
    const { state } = this.app, learner = state.learners[i];
    const order = state.order === 'file' ? 'as listed' : `seed ${state.seed}`;
    const key = JSON.stringify([order, learner.algorithm, learner.options]);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    const w = run.last && !Array.isArray(run.last.w?.[0]) ? run.last.w : null;
    if (w && state.order === 'shuffle') this.ghost(i, run);
    const cells = [order, learner.algorithm, run.epoch, run.updates, w ? vectorText(w) : '–',
      w ? g6(run.last.b) : '–', run.stopText || run.ended || ''];
    $('orders').tBodies[0].append(el('tr', {}, ...cells.map((c) => el('td', {}, String(c)))));
  }
}

function refresh(app) {
  const { player } = app, busy = player.seeking;
  put($('run'), player.playing ? 'Pause' : 'Run');
  $('run').setAttribute('aria-pressed', String(player.playing));
  const none = !app.runs.some(Boolean), { at, ended, playing } = player;
  const step = none || ended || playing;
  able({ step, pass: step, run: none || (ended && !playing), back: at === 0 || playing }, busy);
  able({ reset: at === 0 }, false);
}

/* Disables buttons that can do nothing now. A browser takes the focus from a disabled button, and
 * the next key would go nowhere: so the focus moves to one that can be pressed. While the player
 * is busy, which is short, the focused button stays as it is. */
function able(off, busy) {
  const focused = document.activeElement;
  for (const id of Object.keys(off)) {
    if (busy && $(id) === focused) continue;
    $(id).disabled = busy || off[id];
    if ($(id) === focused && off[id]) handOn();
  }
}

function handOn() {
  /* At the start one goes forward, at the end back. */
  requestAnimationFrame(() => {
    const lost = document.activeElement === document.body || document.activeElement?.disabled;
    const next = ['step', 'run', 'reset'].find((id) => !$(id).disabled);
    if (lost && next) $(next).focus({ preventScroll: true });
  });
}

function shuffle(app) {
  const seed = app.state.order === 'shuffle' ? app.state.seed + 1 : app.state.seed || 1;
  app.setOrder('shuffle', seed, 0);
  app.say(`Rows shuffled with seed ${seed}, from the start.`);
  app.player.play();
}

function orderControls(app) {
  const seed = () => Math.max(0, Math.min(999999, Math.trunc(Number($('seed').value) || 0)));
  $('order').addEventListener('change', () => app.setOrder($('order').value, seed()));
  $('seed').addEventListener('change', () => app.setOrder(app.state.order, seed()));
  $('shuffle').addEventListener('click', () => shuffle(app));
  const show = () => {
    $('order').value = app.state.order;
    $('seed').value = app.state.seed;
  };
  app.on('learners data', show);
}

function speedControl(app) {
  const show = () => {
    $('speed').value = app.state.speed;
    put($('speed-text'), speedShort(app.state.speed));
    $('speed').setAttribute('aria-valuetext', speedText(app.state.speed));
  };
  $('speed').addEventListener('input', () => {
    app.state.speed = app.player.speed = Number($('speed').value);
    show();
    app.emit('any', 'speed');
  });
  app.on('learners', show);
}

/* A sentence for the last step, and for the end. */
function announce(app) {
  const { player, run } = app;
  if (!run || player.playing || player.seeking || app.state.mode !== 'watch') return;
  if (run.ended) {
    app.say(`Ended: ${run.stopText || run.ended}. ${plural(run.updates, 'update')} in `
      + `${plural(run.examples, 'example')}.`);
  }
}

export function transport(app) {
  const { player } = app;
  const on = (id, f) => $(id).addEventListener('click', () => { if (!player.seeking) f(); });
  on('step', () => player.step(1));
  on('pass', () => player.pass());
  on('back', () => { player.stop(); player.back(1); });
  on('run', () => player.toggle());
  $('reset').addEventListener('click',
    () => { player.stop(); player.seek(0); app.say('Back at the start.'); });
  speedControl(app);
  orderControls(app);
  keys(app);
  new Orders(app);
  app.on('step play learners data', () => { refresh(app); announce(app); });
}
