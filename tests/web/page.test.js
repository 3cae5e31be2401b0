/* page.test.js -- the page's state and its link, and the player. Run: node --test */
import test from 'node:test';
import assert from 'node:assert/strict';
import { cleanState, decodeState, defaultState, encodeState, MAX_LEARNERS, MAX_POINTS }
  from '../../web/src/state.js';
import { Player, SPEEDS } from '../../web/src/player.js';
import { effectiveOptions } from '../../web/src/form.js';
import { runLine, sentence } from '../../web/src/nowpanel.js';
import { rasterOf } from '../../web/src/scenes.js';

/* ----- the link -------------------------------------------------------------- */

const roundTrip = async (state) => decodeState(await encodeState(state));

test('the default state is an empty link', async () => {
  assert.equal(await encodeState(defaultState()), '');
  assert.deepEqual(await decodeState(''), defaultState());
});

test('a state comes back from its link, short or long', async () => {
  const short = { ...defaultState(), data: { preset: 'iris', pair: [0, 3], without: 'setosa' },
    learners: [{ algorithm: 'perceptron', options: { kernel: 'rbf', gamma: '0.5' } },
      { algorithm: 'svm', options: {}, figure: 'weights-1b' }],
    order: 'shuffle', seed: 7, at: 33, focus: 1, speed: 10, proved: true };
  assert.deepEqual(await roundTrip(short), short);
  const clocked = { ...defaultState(), mode: 'formula', formula: "s' = a ^ s", bits: [1, 0] };
  assert.deepEqual(await roundTrip(clocked), clocked);
  assert.deepEqual(cleanState({ bits: [1, 'x', 2, null, 1], proved: 1 }).bits, [1, 0, 0, 0, 1]);
  assert.equal(cleanState({ proved: 1 }).proved, false);
  const points = Array.from({ length: 2000 }, (_, i) =>
    [i / 8, 0.1 - i / 4, i % 2 ? 'ja & nein' : '</script>']);
  const long = { ...defaultState(), data: { points, names: ['a b', 'c#d'],
    labels: ['ja & nein', '</script>'] },
    mode: 'teacher', taught: [0, 5, 1999] };
  const link = await encodeState(long);
  assert.deepEqual(await decodeState(link), long);
  assert.equal(link[0], 'z');
  assert.match(link, /^[\w-]+$/);
  assert.ok(link.length < 20000, `${link.length} characters`);
});

test('a link without compression is read too', async () => {
  const state = { ...defaultState(), formula: 'ä & b', mode: 'formula' };
  const link = `j${encodeURIComponent(JSON.stringify(state))}`;
  assert.deepEqual(await decodeState(link), state);
});

test('what is no link is refused with a sentence', async () => {
  const bad = ['x', 'j', 'jnonsense', 'j%', 'j[]', 'jnull', 'j1', 'z', 'zAAAA', 'z!!',
    `j${'a'.repeat(500000)}`,
    'j{"data":{"points":[[1,2]]}}', 'j{"data":{"points":[[1,"x","a"]]}}',
      'j{"data":{"points":[["x",1,"a"]]}}',
      'j{"data":{"points":[[1,1e400,"a"]]}}',
    `j${JSON.stringify({ data: { points: Array(MAX_POINTS + 1).fill([0, 0, 'a']) } })}`];
  for (const link of bad) {
    await assert.rejects(decodeState(link), (e) => e instanceof Error && e.message.length > 10
      && e.message.length < 200, link.slice(0, 60));
  }
});

test('a link that is too long is not even looked at', async () => {
  await assert.rejects(decodeState(`j${'a'.repeat(500000)}`), /too long/);
});

test('what unpacks to too much is refused', async () => {
  const pack = new CompressionStream('deflate-raw');
  const stream = new Blob([new Uint8Array(8 << 20)]).stream().pipeThrough(pack);
  const bytes = Buffer.from(await new Response(stream).arrayBuffer());
  await assert.rejects(decodeState(`z${bytes.toString('base64url')}`), /too much/);
});

test('of a strange state only what is known is kept', () => {
  const s = cleanState({ data: { preset: 'xor', noise: 0.1, evil: { a: 1 }, n: Infinity,
    __proto__: { x: 1 } },
    learners: [null, 5, { algorithm: '../x' }, { algorithm: 'svm',
      options: { C: '2', 'a b': '1', rate: 3 } },
      ...Array(9).fill({ algorithm: 'pa' })],
    order: 'sideways', seed: -1, at: 1e99, focus: 77, speed: 3.5, mode: 'x', taught: ['a', -1, 2],
      more: 1 });
  assert.deepEqual(s.data, { preset: 'xor', noise: 0.1 });
  assert.deepEqual(s.learners, [{ algorithm: 'svm', options: { C: '2' } }]);
  assert.ok(s.learners.length <= MAX_LEARNERS);
  const { order, seed, at, focus, speed, mode, taught } = s, d = defaultState();
  assert.deepEqual({ order, seed, at, focus, speed, mode, taught },
    { order: 'file', seed: 0, at: 0, focus: 0, speed: d.speed, mode: 'watch', taught: [2] });
  assert.equal('more' in s, false);
});

/* ----- options ---------------------------------------------------------------- */

test('a learner gets the options its table has, and the order and seed of the page', () => {
  const table = { params: [{ name: 'rate' }, { name: 'order' }, { name: 'seed' }] };
  const learner = { options: { rate: '2', kernel: 'rbf' } };
  assert.deepEqual(effectiveOptions(table, learner, { order: 'shuffle', seed: 4 }),
    { rate: '2', order: 'shuffle', seed: '4' });
  assert.deepEqual(effectiveOptions({ params: [{ name: 'C' }] }, learner,
    { order: 'file', seed: 4 }), {});
});

/* ----- the player ---------------------------------------------------------------- */

/* A run that ends after `most` steps; passes of `rows`. */
class FakeRun {
  constructor(most, rows = 4) { Object.assign(this,
    { most, rows, examples: 0, freed: false, data: { rows } }); }
  get ended() { return this.examples >= this.most ? 'epochs' : null; }
  get last() { return this.examples ? { row: 0 } : null; }
  advance(n) {
    const shown = Math.min(n, this.most - this.examples);
    this.examples += shown;
    return shown;
  }
  advancePass() { return this.advance(this.rows - this.examples % this.rows); }
  get steps() { return this.examples; }
  back(most) { this.examples = Math.min(this.rows * Math.floor(most / this.rows), this.examples); }
  free() { this.freed = true; }
}

function playerOf(...runs) {
  const heard = [], failures = [];
  const player = new Player((what) => heard.push(what), (e) => failures.push(e));
  player.take(runs);
  return { player, heard, failures };
}

/* Frames 16 ms apart, as many as are asked for, at most `most`. */
function frames(most) {
  const queue = [];
  let now = 0;
  globalThis.requestAnimationFrame = (f) => { queue.push(f); return queue.length; };
  return (player, n = most) => {
    player.then = 0;
    for (let i = 0; i < n && queue.length; i++) { now += 16; queue.shift()(now); }
  };
}

test('steps, passes and the way back keep the runs together', () => {
  const a = new FakeRun(100), b = new FakeRun(6), { player, heard } = playerOf(a, b);
  player.step();
  assert.deepEqual([a.examples, b.examples, player.at], [1, 1, 1]);
  player.pass();
  assert.deepEqual([a.examples, b.examples], [4, 4]);
  player.pass();
  assert.deepEqual([a.examples, b.examples, player.at], [8, 6, 8]); /* b has ended */
  player.back();
  assert.deepEqual([a.examples, b.examples], [7, 6]);
  player.back(3);
  assert.deepEqual([a.examples, b.examples], [4, 4]);
  player.seek(0);
  assert.deepEqual([a.examples, b.examples, player.at], [0, 0, 0]);
  player.back();
  assert.equal(player.at, 0);
  assert.ok(heard.every((w) => w === 'step'));
});

test('a run that could not be made is no obstacle, and old runs are freed', () => {
  const a = new FakeRun(3), { player } = playerOf(a, null);
  player.step(2);
  assert.equal(a.examples, 2);
  const b = new FakeRun(3);
  player.take([b]);
  assert.deepEqual([a.freed, b.freed, player.at], [true, false, 0]);
});

test('playing follows the speed, and stops at the end', () => {
  const run = new FakeRun(200), { player, heard } = playerOf(run), go = frames(1000);
  player.speed = SPEEDS.indexOf(100);
  player.play();
  go(player, 32);                          /* about half a second */
  assert.ok(run.examples >= 40 && run.examples <= 60, String(run.examples));
  go(player);
  assert.deepEqual([run.examples, player.playing], [200, false]);
  assert.deepEqual([heard[0], heard.at(-1)], ['play', 'pause']);
  player.play();
  assert.equal(player.playing, false);     /* nothing is left to play */
});

test('pausing stops it at once', () => {
  const run = new FakeRun(1e9), { player } = playerOf(run), go = frames(10);
  player.speed = SPEEDS.length - 1;
  player.play();
  go(player, 3);
  player.toggle();
  const { examples } = run;
  go(player);
  assert.equal(run.examples, examples);
  assert.ok(examples > 0);
});

test('a failure ends the play and is told', () => {
  const run = new FakeRun(10), { player, failures } = playerOf(run), go = frames(10);
  run.advance = () => { throw new Error('diverged'); };
  player.play();
  go(player);
  assert.deepEqual([player.playing, failures.length, failures[0].message], [false, 1, 'diverged']);
});

test('a solver makes one step', () => {
  const run = new FakeRun(1), { player } = playerOf(run, new FakeRun(10));
  run.advance = () => { run.examples = 340; run.most = 340; return 340; };
  Object.defineProperty(run, 'steps', { get: () => Number(run.examples > 0) });
  player.step();
  assert.equal(player.at, 1);
});

/* ----- regions --------------------------------------------------------------- */

/* A model whose score of a cell takes `ms` by the clock of the test; it counts how often it was
 * asked, and for how much. */
function dearModel(t, ms) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const model = { calls: 0, cells: 0, scores(x) {
    const n = x.length / 2;
    model.calls++;
    model.cells = n;
    now += ms * n;
    return new Float64Array(n);
  } };
  return model;
}

test('regions of a dear model: coarse and seldom while it plays, fine when it stands', (t) => {
  const box = { x: 0, y: 0, w: 400, h: 400 }, model = dearModel(t, 0.01), memo = {};
  const set = { x: Float64Array.of(0, 0, 1, 1), y: Int32Array.of(0, 1), labels: ['a', 'b'],
    names: ['x1', 'x2'] };
  const what = { set, view: { x0: 0, x1: 1, y0: 0, y1: 1 } };
  const frames = 10;
  for (let k = 0; k < frames; k++) {
    rasterOf(memo, model, what, box, { key: `${k}`, playing: true });
  }
  assert.ok(model.calls < frames, `${model.calls} rasters in ${frames} frames`);
  assert.ok(model.cells <= 2000, `${model.cells} cells while it plays`);
  const { cells } = model;
  rasterOf(memo, model, what, box, { key: 'end', playing: false });
  assert.ok(model.cells > cells, `${model.cells} cells when it stands, ${cells} before`);
  const { calls } = model;
  rasterOf(memo, model, what, box, { key: 'end', playing: false });
  assert.equal(model.calls, calls, 'the same model is not asked twice');
});

test('a cheap model is drawn finely at once, though its first cells were dear', (t) => {
  const box = { x: 0, y: 0, w: 400, h: 400 }, model = dearModel(t, 1e-6), memo = {};
  const set = { x: Float64Array.of(0, 0, 1, 1), y: Int32Array.of(0, 1), labels: ['a', 'b'],
    names: ['x1', 'x2'] };
  rasterOf(memo, model, { set, view: { x0: 0, x1: 1, y0: 0, y1: 1 } }, box,
    { key: 'a', playing: false });
  assert.ok(model.cells > 8000, `${model.cells} cells`);
});

test('before the first example the page says what would run: algorithm, order and seed', () => {
  const tables = { perceptron: ['rate', 'order', 'seed'], svm: ['C', 'seed'] };
  const app = { state: { learners: [{ algorithm: 'perceptron', options: {} },
    { algorithm: 'svm', options: { kernel: 'rbf' } }], focus: 0, order: 'shuffle', seed: 3 },
    table: (name) => ({ params: tables[name].map((option) => ({ name: option })) }) };
  assert.equal(runLine(app), 'perceptron, order shuffle, seed 3');
  assert.equal(sentence(app, { examples: 0 }), `${runLine(app)}: show the first example.`);
  app.state.focus = 1;
  assert.equal(runLine(app), 'svm (rbf), seed 3');
});
