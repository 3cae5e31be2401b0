// Data, errors with their places, models, formulas, certificates, a teacher; and text that
// means harm.
import { assert, cli, core, freshCore, get, put, refused, test, CoreError } from './t.js';

test('version and tables are those of the library', () => {
  assert.equal(cli(['--version']).trim().split(/\s+/).pop(), core.version);
  const { learners, data, generators } = core.tables;
  const facts = ({ name, title, summary, family }) => [name, title, summary, family];
  assert.deepEqual(learners.map(facts),
    JSON.parse(cli(['help', 'algorithms', '--json'])).algorithms.map(facts));
  assert.ok(['blobs', 'moons', 'circles', 'spirals', 'xor', 'halfspace']
    .every((name) => generators.some((g) => g.name === name)));
  const rate = learners.find((l) => l.name === 'perceptron').params.find((p) => p.name === 'rate');
  assert.deepEqual([rate.type, rate.initial, typeof rate.min, typeof rate.help], ['real', '1', 'number', 'string']);
  const order = learners.find((l) => l.name === 'perceptron').params.find((p) => p.name === 'order');
  assert.deepEqual(order.choices, ['file', 'shuffle', 'shuffle-once']);
  assert.ok(data.some((p) => p.name === 'label'));
});

test('data are read and looked at', () => {
  const text = '# a comment\nheight,width,kind\n1,2,oak\n3,4.5,"b, e"\n-1e-3,0,oak\n'.slice(12);
  const data = core.read({ text });
  assert.deepEqual([data.rows, data.features, data.names], [3, 2, ['height', 'width']]);
  assert.deepEqual(data.labels, ['b, e', 'oak']);
  assert.deepEqual(Array.from(data.x), [1, 2, 3, 4.5, -0.001, 0]);
  assert.deepEqual(Array.from(data.y), [1, 0, 1]);
  assert.deepEqual([data.line(0), data.line(2)], [2, 4]);
  assert.equal(data.info.format, 'csv');
  const again = core.read(data.write('csv'));
  assert.deepEqual([again.x, again.y, again.labels], [data.x, data.y, data.labels]);
  again.free();
  data.free();
  data.free();
  refused(() => data.line(0), 'EARG');
  const sparse = core.read('+1 1:0.5 3:2\n-1 2:1\n');
  assert.deepEqual([sparse.features, sparse.names, Array.from(sparse.x)], [3, null, [0.5, 0, 2, 0, 1, 0]]);
  sparse.free();
  const chosen = core.read({ text: 'a,b,c\n1,2,3\n4,5,6\n' }, { label: 'a' });
  assert.deepEqual([chosen.labels, chosen.names], [['1', '4'], ['b', 'c']]);
  chosen.free();
});

test('images under a map have the dot products of its kernel', () => {
  const x = Float64Array.from([1, 2, -3, 0.5, 0, 4]);
  for (const [degree, c] of [[2, 0], [2, 1], [3, 2], [4, 0.5]]) {
    const { columns, names, at } = core.images(`lift:${degree}:${c}`, x);
    assert.equal(names.length, columns);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let dot = 0;
        for (let k = 0; k < columns; k++) dot += at[i * columns + k] * at[j * columns + k];
        const kernel = (x[2 * i] * x[2 * j] + x[2 * i + 1] * x[2 * j + 1] + c) ** degree;
        assert.ok(Math.abs(dot - kernel) <= 1e-12 * (1 + Math.abs(kernel)), `${dot} ${kernel}`);
      }
    }
  }
  assert.deepEqual(core.images('lift:2:0', x).names, ['x1^2', 'sqrt(2)*x1*x2', 'x2^2']);
  refused(() => core.images('lift:0', x), 'EARG');
});

test('errors have their places', () => {
  refused(() => core.read('1 1:2\n-1 2:x\n'), 'EDATA', 2, 6);
  refused(() => core.read('a,b\n1,x\n2,y\n3\n'), 'EDATA', 4);
  refused(() => core.read({ path: ':nosuch' }), 'EARG');
  refused(() => core.read({ path: 'nosuch.csv' }), 'EIO');
  refused(() => core.read(':xor', { nosuch: '1' }), 'EARG');
  refused(() => core.generate('nosuch'), 'EARG');
  refused(() => core.generate('blobs', { rows: '-1' }), 'EARG');
  const data = core.read(':xor');
  assert.match(refused(() => core.run(data, 'nosuch'), 'EARG').message, /nosuch/);
  refused(() => core.run(data, 'perceptron', { rate: 'x' }), 'EARG');
  refused(() => core.run(data, 'perceptron', { rate: '-1' }), 'EARG');
  refused(() => core.run(data, 'voted', { init: 'random', kernel: 'rbf' }), 'EARG');
  const hard = core.run(data, 'svm', { hard: 'true' });
  refused(() => hard.advance(1), 'EUNDECIDED'); // without exact arithmetic
  hard.free();
  data.free();
  const one = core.read('a,b\n1,x\n2,x\n'), run = core.run(one, 'perceptron', { epochs: '2' });
  refused(() => run.advance(1), 'EDATA');
  run.free();
  one.free();
  refused(() => core.gate('a & (b'), 'EDATA', 1);
  assert.equal(refused(() => core.gate('a &&& b'), 'EDATA').line, 1);
  refused(() => core.model(new Uint8Array(10)), 'EDATA');
  refused(() => core.model('no model'), 'EDATA');
  refused(() => core.read({ text: 'a,b\n1,2\n' }, { label: 'a\0b' }), 'EARG');
});

test('a model has weights, supports, layers', () => {
  const data = core.read(':iris');
  const linear = core.run(data, 'averaged', { epochs: '2' });
  linear.advance(1000);
  const { w, b } = linear.model.weights();
  assert.deepEqual([w.length, b.length, w[0].length], [3, 3, 4]);
  const x = data.x.subarray(0, 4), scores = linear.model.scores(data.x);
  w.forEach((v, c) => assert.ok(Math.abs(v.reduce((s, wj, j) => s + wj * x[j], b[c]) - scores[c]) < 1e-9));
  assert.equal(linear.model.feature(3), 'petal width');
  assert.equal(linear.model.option('epochs'), '2');
  assert.equal(linear.model.option('nosuch'), null);
  assert.deepEqual(linear.model.layers(), []);
  refused(() => linear.model.supports(), 'EARG');
  refused(() => linear.model.scores([1, 2, 3, 4]), 'EARG');
  refused(() => linear.model.scores(new Float64Array(5)), 'EARG');
  refused(() => linear.model.scores(new Float64Array([1, 2, NaN, 4])), 'EDATA');
  const report = core.evaluate(linear.model, data);
  const counts = data.labels.map(() => data.labels.map(() => 0)); // [truth][answer]
  linear.model.classes(data.x).forEach((c, i) => counts[data.y[i]][c]++);
  assert.deepEqual(report.confusion, counts);
  assert.notDeepEqual(counts, counts.map((row, i) => row.map((n, k) => counts[k][i]))); // a guard
  assert.ok(report.accuracy > 0.5);
  linear.free();
  const kernel = core.run(data, 'perceptron', { kernel: 'rbf', epochs: '3' });
  while (!kernel.ended) kernel.advancePass();
  const supports = kernel.model.supports();
  assert.equal(supports.length, kernel.model.info.supports);
  assert.ok(supports.length > 0);
  for (const s of supports) assert.equal(s.counter, kernel.counters[s.row]);
  assert.equal(supports.reduce((n, s) => n + s.counter, 0), kernel.counters.reduce((n, c) => n + c, 0));
  kernel.free();
  const net = core.run(data, 'mlp', { layers: '5,3', epochs: '1' });
  net.advance(1);
  assert.deepEqual(net.model.layers().map((l) => [l.inputs, l.outputs, l.w.length, l.w[0].length, l.b.length]),
    [[4, 5, 4, 5, 5], [5, 3, 5, 3, 3], [3, 3, 3, 3, 3]]);
  net.free();
  data.free();
});

test('classes are numbered as the labels of the data', () => {
  const data = core.read('x,y,label\n1,1,b\n-1,-1,a\n2,1,b\n-2,-1,a\n');
  for (const positive of ['a', 'b']) {
    const run = core.run(data, 'perceptron', { positive, order: 'file' });
    while (run.advance(10));
    assert.deepEqual(run.model.classes(data.x), data.y);
    run.free();
  }
  data.free();
});

test('a teacher who shows the rows in order teaches what trace does', () => {
  const data = core.generate('blobs', { rows: '30', seed: '2' });
  for (const [algorithm, options] of [['perceptron', {}], ['averaged', {}], ['pa', {}], ['margin', {}],
    ['perceptron', { kernel: 'rbf', gamma: '0.5' }]]) {
    const run = core.run(data, algorithm, { ...options, order: 'file', epochs: '1' });
    const teacher = core.teacher(algorithm, { ...options, order: 'file', epochs: '1' });
    for (let i = 0; i < data.rows; i++) {
      run.advance(1);
      const x = Array.from(data.x.subarray(2 * i, 2 * i + 2));
      const said = teacher.show(x, data.labels[data.y[i]]);
      assert.deepEqual([Math.abs(said.score), said.mistake, said.updated],
        [Math.abs(run.last.score), run.last.mistake, run.last.updated], `${algorithm} row ${i}`);
    }
    assert.deepEqual(teacher.weights(), run.model.weights());
    assert.deepEqual(teacher.model.scores(data.x), run.model.scores(data.x));
    run.free();
    teacher.free();
  }
  data.free();
  refused(() => core.teacher('svm').show([1, 2], 'a'), 'EARG');
  const t = core.teacher('perceptron');
  refused(() => t.show([1, Infinity], 'a'), 'EARG');
  assert.equal(t.show([1, 2], 'a').answer, null);
  t.free();
});

test('formulas become neurons', () => {
  const g = core.gate('sum = a ^ b; carry = a & b');
  assert.deepEqual([g.inputs, g.states, g.outputs.map((o) => o.name)], [['a', 'b'], [], ['sum', 'carry']]);
  for (const [a, b] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
    assert.deepEqual(g.run([a, b]), [a ^ b, a & b]);
    const value = [a, b]; // by hand: each neuron fires where its sum reaches the threshold
    for (const { sources, weights, threshold } of g.neurons)
      value.push(Number(weights.reduce((s, w, i) => s + w * value[sources[i]], 0) >= threshold));
    assert.deepEqual(g.outputs.map((o) => value[o.source]), [a ^ b, a & b]);
  }
  const no = g.single(0), yes = g.single(1);
  assert.equal(no.possible, false);
  assert.deepEqual([no.ones.length, no.zeros.length], [2, 2]);
  assert.deepEqual([no.oneCounts, no.zeroCounts], [[1, 1], [1, 1]]);
  for (const bit of [0, 1]) { // both sides add up to the same
    const sum = (rows, counts) => rows.reduce((n, r, i) => n + counts[i] * ((r >> bit) & 1), 0);
    assert.equal(sum(no.ones, no.oneCounts), sum(no.zeros, no.zeroCounts));
  }
  assert.deepEqual([yes.possible, yes.inputs.length, yes.weights.length], [true, 2, 2]);
  refused(() => g.run([1]), 'EARG');
  const model = core.gate('a & !b').model();
  assert.deepEqual(Array.from(model.classes(new Float64Array([0, 0, 1, 0, 0, 1, 1, 1]))), [0, 1, 0, 0]);
  model.free();
  g.free();
  const s = core.gate("s' = a | (s & !r); out = s");
  assert.deepEqual([s.inputs, s.states, s.run([0, 0, 1])], [['a', 'r'], ['s'], [1, 1]]);
  s.free();
});

test('certificates of the command line are accepted, and tampered ones refused', () => {
  const circles = core.generate('circles', { rows: '24' }), blobs = core.generate('halfspace', { rows: '24' });
  const sets = { 'circles.csv': circles.write('csv'), 'plane.csv': blobs.write('csv'), ':xor': ':xor' };
  circles.free();
  blobs.free();
  for (const [name, text] of Object.entries(sets)) {
    if (name !== text) put(name, text);
    cli(['prove', name, '-q', '-o', 'cert.json'], 1);
    const cert = get('cert.json').toString();
    const check = core.verify(cert, text);
    assert.deepEqual([check.valid, check.reason, check.parts], [true, '', 1]);
    assert.equal(check.claims[0].verdict === 'separable', name === 'plane.csv');
    // Digits that are changed: what is still a certificate must not be valid.
    let refuted = 0;
    const digits = [...cert.matchAll(/\d/g)].map((m) => m.index);
    for (let k = 0; k < digits.length; k += Math.ceil(digits.length / 40)) {
      const i = digits[k], other = cert.slice(0, i) + ((Number(cert[i]) + 1) % 10) + cert.slice(i + 1);
      try {
        refuted += core.verify(other, text).valid ? 0 : 1;
      } catch (e) {
        if (!(e instanceof CoreError) || e.where !== 'certificate') throw e;
        refuted++;
      }
    }
    assert.ok(refuted > 20, `${name}: only ${refuted}`);
    if (name !== text) {
      const moved = core.verify(cert, text.replace(/(\d)(,[^,]*)\n$/, (m, d, rest) => (d === '1' ? '2' : '1') + rest + '\n'));
      assert.deepEqual([moved.valid, moved.otherData], [false, true]);
    }
    const e = refused(() => core.verify('{"a":', text), 'EDATA', 1);
    assert.equal(e.where, 'certificate');
    assert.equal(refused(() => core.verify(cert, '1 1:x\n'), 'EDATA', 1).where, 'data');
  }
});

test('text that means harm does not break the module', () => {
  const bad = ['', '\n\n\n', ',', ',,,,\n,,\n', '\0\0\0', '"', '"a\n', '1 1:1e999\n', '1 1:nan\n',
    '1 99999999999999999999:1\n',
    '1 268435457:1\n2 1:1\n', // 2^32 + 16 bytes as an array
    '1 4294967295:1\n2 4294967294:1\n', 'x'.repeat(100000), ','.repeat(100000), '\ufeff', '\u202e,\ud800,b\n',
    'a,b\n'.repeat(1000), '<script>,x\n1,2\n', '1 1:1 1:1\n', `1 ${'1:1 '.repeat(1000)}\n`, '{"x":1}', '-'.repeat(5000)];
  for (const text of bad) {
    try {
      const data = core.read({ text });
      if (data.features > 1e6) { // more than there is room for
        refused(() => data.x, 'ENOMEM');
        data.free();
        continue;
      }
      data.write('csv');
      const run = core.run(data, 'perceptron', { epochs: '2' });
      try {
        while (run.advance(100));
        run.model.bytes();
      } finally {
        run.free();
        data.free();
      }
    } catch (e) {
      assert.ok(e instanceof CoreError && e.status !== 'ETRAP', `${JSON.stringify(text.slice(0, 40))}: ${e.stack}`);
    }
  }
  for (const text of ['', '(', ')', '!'.repeat(5000), '('.repeat(100000), 'a'.repeat(5000), 'a=b;'.repeat(2000),
    Array.from({ length: 25 }, (v, i) => `a${i}`).join('&'), "s'", '\ud800', 'a ^ \u00e9'])
    try {
      core.gate(text).free();
    } catch (e) {
      assert.ok(e instanceof CoreError && e.status !== 'ETRAP', `${text.slice(0, 40)}: ${e.stack}`);
    }
  for (const text of ['', '{}', '[]', '['.repeat(100000), '{"format":1}', '"', 'null'])
    refused(() => core.verify(text, '1 1:1\n-1 1:2\n'), 'EDATA');
});

test('damaged models are refused, or do no harm', () => {
  const data = core.read(':iris'), run = core.run(data, 'averaged', { epochs: '1' });
  run.advancePass();
  const bytes = run.model.bytes();
  let refusals = 0;
  for (let i = 0; i < bytes.length; i += 7) {
    const other = bytes.slice();
    other[i] ^= 0x55;
    try {
      core.model(other).free();
    } catch (e) {
      assert.ok(e instanceof CoreError && e.status !== 'ETRAP', `byte ${i}: ${e.stack}`);
      refusals++;
    }
    if (i % 91 === 0) refused(() => core.model(bytes.subarray(0, i)), 'EDATA');
  }
  assert.ok(refusals > 50);
  run.free();
  data.free();
});

test('memory is given back', async () => {
  const fresh = await freshCore();
  const use = () => {
    const data = fresh.generate('moons', { rows: '200' });
    for (const [algorithm, options] of [['perceptron', {}], ['voted', {}], ['pocket', {}], ['svm', {}],
      ['perceptron', { kernel: 'rbf' }], ['mlp', { layers: '4' }]]) {
      const run = fresh.run(data, algorithm, { epochs: '2', ...options });
      while (run.advance(40));
      run.model.classes(data.x);
      run.restart(30);
      fresh.model(run.model.bytes()).free();
      fresh.evaluate(run.model, data);
      run.free();
      run.free();
    }
    const g = fresh.gate('a ^ b');
    g.model().free();
    g.free();
    for (const wrong of [() => fresh.read('a,b\n1\n'), () => fresh.gate('('), () => fresh.run(data, 'perceptron', { rate: 'x' })])
      assert.throws(wrong, CoreError);
    data.free();
  };
  for (let i = 0; i < 5; i++) use();
  const before = fresh.memory;
  for (let i = 0; i < 40; i++) use();
  assert.ok(fresh.memory <= before + (1 << 16), `${before} bytes have become ${fresh.memory}`);
});

test('memory grows where much is asked for, and data may be freed before their run', () => {
  const data = core.generate('blobs', { rows: '50000' }), size = core.memory;
  const run = core.run(data, 'perceptron', { epochs: '2', order: 'file' });
  const x = data.x, y = data.y;
  data.free();
  run.advancePass();
  assert.ok(core.memory >= size && core.memory > 2 ** 21);
  assert.equal(run.model.classes(x).length, y.length);
  run.free();
  refused(() => run.advance(1), 'EARG');
});
