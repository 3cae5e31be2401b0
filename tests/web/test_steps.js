// Step by step: the numbers are those of `perceptron trace`, and the counters add up.
import { assert, cli, core, flags, freshCore, put, stepwise, test } from './t.js';

const blobs = core.generate('blobs', { rows: '40', seed: '1' });
const csv = blobs.write('csv');
put('blobs.csv', csv);
blobs.free();

/** The steps of trace, as objects by column. */
function traced(data, algorithm, options) {
  const exact = ['perceptron', 'averaged', 'margin', 'pocket', 'voted'].includes(algorithm);
  const lines = cli(['trace', data, '--csv', '-a', algorithm, ...(exact ? ['--arithmetic', 'double'] : []),
                     ...flags(options)]).trim().split('\n');
  const names = lines[0].split(',');
  return lines.slice(1).map((line) => Object.fromEntries(line.split(',').map((v, i) => [names[i], v])));
}

const numbers = (step, letter) => Object.keys(step).filter((k) => new RegExp(`^${letter}[.\\d]`).test(k))
  .map((k) => Number(step[k]));
const plain = (v) => v + 0; // -0 and 0 are printed alike

function compare(set, text, algorithm, options) {
  const steps = traced(set, algorithm, options);
  const data = core.read(text === null ? { path: set } : { text });
  const run = core.run(data, algorithm, { epochs: '10', order: 'file', ...options });
  let w = null, b = 0;
  for (const [i, step] of steps.entries()) {
    assert.equal(run.advance(1), 1);
    const { last } = run, what = `${set} ${algorithm} step ${i + 1}`;
    assert.deepEqual([last.epoch, last.row + 1, Number(last.mistake)],
      [Number(step.epoch), Number(step.row), Number(step.mistake)], what);
    assert.deepEqual(Array.from(data.x.subarray(last.row * data.features, (last.row + 1) * data.features)),
      numbers(step, 'x'), what);
    if (step.score !== undefined) {
      assert.deepEqual([last.y, last.score], [Number(step.y), Number(step.score)], what);
    } else {
      assert.equal(data.labels[last.label], step.label, what);
      assert.equal(plain(last.margin), Number(step.margin), what);
    }
    if (step.updated !== undefined) assert.equal(last.updates, Number(step.updated), what);
    if (step.counter !== undefined) assert.equal(last.counter, Number(step.counter), what);
    if (numbers(step, 'w').length > 0) {
      assert.deepEqual(last.w.map(plain), numbers(step, 'w'), what);
      assert.equal(plain(last.b), Number(step.b), what);
      if (w !== null) assert.deepEqual([last.before.w, last.before.b], [w, b], what);
      ({ w, b } = last);
    }
  }
  assert.ok(run.ended);
  assert.equal(run.advance(1), 0);
  assert.equal(run.examples, steps.length);
  assert.equal(run.mistakes, steps.filter((s) => s.mistake === '1').length);
  run.free();
  data.free();
}

test('steps are those of trace', () => {
  for (const algorithm of stepwise) {
    compare(':and', null, algorithm, {});
    compare('blobs.csv', csv, algorithm, {});
    compare('blobs.csv', csv, algorithm, { offset: 'false', epochs: '3' });
    compare('blobs.csv', csv, algorithm, { order: 'shuffle', epochs: '3', seed: '4' });
  }
  compare('blobs.csv', csv, 'perceptron', { kernel: 'rbf' });
  compare('blobs.csv', csv, 'perceptron', { kernel: 'rbf', 'drop-after': '2' });
  compare(':iris', null, 'perceptron', { epochs: '2' });
  compare(':iris', null, 'averaged', { epochs: '2', multiclass: 'native' });
});

test('a start that is not zero is known before the first example', () => {
  const data = core.read({ text: csv });
  const run = core.run(data, 'perceptron', { init: 'unit', order: 'file' });
  run.advance(1);
  const { last } = run;
  if (last.updated) assert.equal(last.before, null);
  else assert.deepEqual(last.before.w, last.w);
  run.advance(1);
  assert.deepEqual([run.last.before.w, run.last.before.b], [last.w, last.b]);
  run.free();
  data.free();
});

test('the curve has every update, and the theorem holds on it', () => {
  const data = core.read({ text: csv }), run = core.run(data, 'perceptron', { order: 'file' });
  while (run.advance(3));
  const { k, norm2, w } = run.curve;
  assert.equal(k.length, run.updates);
  assert.deepEqual(k, Array.from(k, (v, i) => i + 1));
  const R2 = run.report.radius ** 2;
  norm2.forEach((v, i) => assert.ok(v <= k[i] * R2 * (1 + 1e-12)));
  assert.deepEqual(w.at(-1), [...run.model.weights().w[0], run.model.weights().b[0]]);
  assert.equal(w[0].length, 3);
  run.restart(10);
  assert.equal(run.curve.k.length, run.updates);
  const flat = core.run(data, 'perceptron', { offset: 'false' });
  flat.advancePass();
  assert.ok(flat.updates > 0 && flat.curve.w.every((v) => v.length === 2));
  flat.free();
  run.free();
  data.free();
});

test('the history has every pass, also after going back', () => {
  const data = core.read({ path: ':and' }), run = core.run(data, 'perceptron', { order: 'file' });
  while (run.advance(1));
  const all = run.history;
  assert.equal(all.length, run.report.epochs);
  assert.equal(all.reduce((n, p) => n + p.mistakes, 0), run.mistakes);
  assert.equal(all.at(-1).error, 0);
  assert.equal(all.at(-1).error, run.report.trainingError);
  run.restart(10);
  assert.deepEqual([run.examples, run.epoch, run.history.length], [10, 3, 2]);
  assert.deepEqual(run.history, all.slice(0, 2));
  const there = { ...run.last }, bytes = run.model.bytes();
  run.restart();
  assert.deepEqual([run.examples, run.last, run.model, run.report, run.history], [0, null, null, null, []]);
  for (let i = 0; i < 10; i++) run.advance(1);
  assert.deepEqual(run.last, there);
  assert.deepEqual(run.model.bytes(), bytes);
  // a pass more than was ever seen, from the start
  const other = core.run(data, 'perceptron', { order: 'file' });
  other.restart(21);
  assert.deepEqual(other.history, all.slice(0, 5));
  assert.equal(other.passEnded, false);
  other.restart(20);
  assert.equal(other.passEnded, true);
  other.free();
  run.free();
  data.free();
});

test('the error of a pass is that of the model then', () => {
  for (const [algorithm, options] of [['pocket', {}], ['averaged', {}], ['voted', {}],
    ['perceptron', { kernel: 'rbf' }], ['mlp', { layers: '4', batch: '8' }]]) {
    const data = core.generate('moons', { rows: '80', spread: '0.3' });
    const run = core.run(data, algorithm, { epochs: '4', ...options });
    for (let pass = 1; pass <= 4 && !run.ended; pass++) {
      run.advancePass();
      assert.equal(run.history.length, pass);
      const { errors, rows } = core.evaluate(run.model, data);
      assert.equal(run.history.at(-1).error, errors / rows, algorithm);
      assert.equal(run.passEnded, true);
    }
    assert.ok(run.ended);
    run.free();
    data.free();
  }
});

test('the report is the same wherever it is asked for', () => {
  const data = core.generate('moons', { rows: '50', spread: '0.3' });
  const plainly = ({ trainSeconds, ...rest }) => rest; // but for the clock
  for (const [algorithm, options] of [['perceptron', {}], ['pocket', {}], ['voted', {}],
    ['perceptron', { kernel: 'rbf' }], ['mlp', { layers: '4', batch: '10' }]])
    for (const upTo of [1, 20, 50, 70, 100, 1000]) {
      const one = core.run(data, algorithm, { epochs: '3', ...options });
      const two = core.run(data, algorithm, { epochs: '3', ...options });
      one.restart(upTo);
      while (two.examples < upTo && two.advance(1)); // asks for nothing on the way
      const a = plainly(one.report), b = plainly(two.report);
      assert.deepEqual(a, b, `${algorithm} ${upTo}`);
      assert.deepEqual([a.examples, a.mistakes, a.updates], [two.examples, two.mistakes, two.updates]);
      assert.deepEqual(plainly(two.report), b);
      assert.equal(a.trainingErrors, core.evaluate(two.model, data).errors);
      assert.deepEqual(one.history, two.history);
      one.free();
      two.free();
    }
  const asked = core.run(data, 'perceptron', { epochs: '3' });
  for (const examples of [3, 6, 60]) { // also where it was asked for before
    asked.advance(examples - asked.examples);
    assert.equal(asked.report.examples, examples);
  }
  asked.free();
  data.free();
});

/** All that is known of a run, as text. */
function everything(run) {
  const { steps, examples, epoch, mistakes, updates, passMistakes, passEnded, ended, last, history, curve } = run;
  const { trainSeconds, ...report } = run.report ?? {};
  return JSON.stringify({ steps, examples, epoch, mistakes, updates, passMistakes, passEnded, ended, last, history, curve,
    report, counters: Array.from(run.counters), model: run.model && Buffer.from(run.model.bytes()).toString('latin1') });
}

test('what was is found again, wherever a run goes back to', () => {
  const data = core.generate('moons', { rows: '12', spread: '0.4', seed: '2' }), iris = core.read(':iris');
  for (const [set, algorithm, options, end] of [[data, 'perceptron', { order: 'file' }, 900], [data, 'voted', {}, 300],
    [data, 'pocket', { pocket: 'literal' }, 300], [data, 'averaged', { init: 'random' }, 300],
    [data, 'perceptron', { kernel: 'rbf', 'drop-after': '2' }, 300], [data, 'mlp', { layers: '3', batch: '5' }, 200],
    [iris, 'perceptron', { order: 'file' }, 700], [iris, 'averaged', { kernel: 'rbf', order: 'file' }, 400]]) {
    const run = core.run(set, algorithm, { epochs: '100', ...options }), marks = [0, 1, 2, 11, 12, 13, 24, 61, 149, 150, 151, end - 13, end];
    const known = new Map();
    for (let step = 0; step <= end; step++) {
      if (step > 0) run.advance(1);
      if (run.steps !== step) break; // it has ended
      if (marks.includes(step)) known.set(step, everything(run));
    }
    const steps = [...known.keys()];
    for (const to of [...steps].reverse().concat([steps.at(-1), 12, 150, 0, 61, 2, 151, 11]).filter((n) => known.has(n))) {
      if (to < run.steps) run.back(to);
      assert.ok(run.steps <= to);
      run.advance(to - run.steps);
      assert.equal(everything(run), known.get(to), `${algorithm} ${JSON.stringify(options)} at ${to}`);
    }
    run.back(steps.at(-1)); // from near the start to the last end of a pass
    const rest = steps.at(-1) - run.steps;
    assert.ok(rest <= (algorithm === 'mlp' ? 3 : set.rows), `${algorithm}: ${rest} steps again`);
    run.advance(rest);
    if (run.curve.k.length === 0) assert.equal(everything(run), known.get(steps.at(-1)));
    run.free();
  }
  data.free();
  iris.free();
});

test('going back a step takes a pass at most', async () => {
  const fresh = await freshCore(), data = fresh.generate('moons', { rows: '100', spread: '0.5' });
  const run = fresh.run(data, 'perceptron', { kernel: 'rbf', order: 'file', epochs: '10000' });
  run.advance(20000);
  const { memory } = fresh;
  let again = 0;
  for (let i = 0; i < 300; i++) {
    const to = run.steps - 1;
    run.back(to);
    again += to - run.steps;
    run.advance(to - run.steps);
  }
  assert.equal(run.steps, 19700);
  assert.ok(again <= 300 * 100, `${again} steps again`);
  assert.ok(fresh.memory <= memory + (1 << 20), `${memory} bytes have become ${fresh.memory}`);
  run.free();
  data.free();
});

test('a run ends with its last example, not one later', () => {
  const data = core.read({ path: ':xor' });
  const by = (options) => {
    const run = core.run(data, 'perceptron', { order: 'file', ...options });
    let steps = 0;
    while (!run.ended && steps < 1000) steps += run.advance(1);
    const { ended, stopText, examples } = run;
    run.free();
    assert.ok(stopText.length > 0);
    assert.equal(steps, examples);
    return [ended, examples];
  };
  assert.deepEqual(by({ epochs: '3' }), ['epochs', 12]);
  assert.equal(by({ updates: '5' })[0], 'updates');
  data.free();
  const net = core.read({ path: ':xor' }), run = core.run(net, 'mlp', { layers: '4', batch: '2', epochs: '5' });
  let steps = 0;
  while (run.advance(1)) steps++;
  assert.deepEqual([run.ended, steps, run.examples], ['epochs', 10, 20]);
  assert.equal(run.model.layers().length, 2);
  run.free();
  net.free();
});
