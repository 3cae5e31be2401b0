// tools.test.js -- the page's data sets, proofs, teacher, command lines and files, against the
// command-line tool. Run: node --test tests/web/tools.test.js
//
// The tool is $PERCEPTRON or build/perceptron; the core is $PERCEPTRON_WASM or
// build/wasm/web/perceptron.wasm (scripts/web --module). Tests that miss one of them are skipped,
// and say so.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as D from '../../web/src/data.js';
import { prove, bound, hulls } from '../../web/src/prove.js';
import { sha256 } from '../../web/src/certificate.js';
import { Teacher } from '../../web/src/teacher.js';
import { commandLine, commandLines, quote } from '../../web/src/command.js';
import { kindOf, readContent, readFile, attachImports, MAX_BYTES } from '../../web/src/imports.js';
import * as E from '../../web/src/exports.js';
import { palettes } from '../../web/src/palette.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const TOOL = path.resolve(process.env.PERCEPTRON || path.join(root, 'build/perceptron'));
const noTool = fs.existsSync(TOOL) ? false : `there is no ${TOOL}: set PERCEPTRON`;
const WASM = path.resolve(process.env.PERCEPTRON_WASM
  || path.join(root, 'build/wasm/web/perceptron.wasm'));
const core = await loadCore();
const noCore = core ? noTool : `no core for the page (${WASM}, web/src/core.js): run scripts/web`;

async function loadCore() {
  if (!fs.existsSync(WASM) || !fs.existsSync(path.join(root, 'web/src/core.js'))) return null;
  const { Core } = await import('../../web/src/core.js');
  return Core.load(fs.readFileSync(WASM));
}

function run(args, { input, cwd } = {}) {
  const r = spawnSync(TOOL, args, { encoding: 'utf8', input, cwd, maxBuffer: 1 << 28 });
  if (r.error) throw r.error;
  return r;
}

function folder(t) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'perceptron-tools-'));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

// A core for the parts that only read data: the tool writes what it has read as CSV.
function parse(csv) {
  const lines = csv.trimEnd().split('\n').map((l) => l.split(','));
  const names = lines[0].slice(0, -1), rows = lines.slice(1), features = names.length;
  const labels = D.sortLabels([...new Set(rows.map((r) => r[features]))]);
  return { rows: rows.length, features, names, labels, info: { note: '' }, free() {},
           x: Float64Array.from(rows.flatMap((r) => r.slice(0, -1).map(Number))),
           y: Int32Array.from(rows, (r) => labels.indexOf(r[features])) };
}
const shellCore = {
  tables: { learners: [], generators: [], data: [] },
  learner() {},
  read({ path: from, text }) {
    const r = run(['convert', from || '-', '-', '--to', 'csv', '-q'], { input: text });
    if (r.status !== 0) {
      const [, line = 0, column = 0] = /:(\d+):(\d+):/.exec(r.stderr) || [];
      throw Object.assign(new Error(r.stderr), { line: Number(line), column: Number(column) });
    }
    return parse(r.stdout);
  },
  generate(kind, options) {
    const given = Object.entries(options).flatMap(([k, v]) => [`--${k}`, v]);
    const r = run(['generate', kind, '--format', 'csv', ...given]);
    assert.equal(r.status, 0, r.stderr);
    return parse(r.stdout);
  },
};
const cores = [['the tool', shellCore], ...(core ? [['the core', core]] : [])];

// ----- random small sets ---------------------------------------------------------------------

const random = D.randomFrom(8);
const below = (n) => Math.floor(random() * n);
const one = (list) => list[below(list.length)];

// The kinds that go wrong first: few grid points, equal rows, rows on a line, one class, one row.
function randomSet(most) {
  const n = 1 + below(most), r = one([1, 2, 3, 50]), scale = one([1, 1, 10, 1000]);
  const labels = one([['a'], ['-1', '1'], ['a', 'b'], ['a', 'b'], ['x', 'y', 'z']]);
  const line = one([null, null, null, [1, 2, 1], [0, 1, 0], [1, 1, 0]]);
  const points = [];
  for (let i = 0; i < n; i++) {
    const t = below(2 * r + 1) - r, u = below(2 * r + 1) - r;
    const [x, y] = line ? [line[0] * t, line[1] * t + line[2]] : [t, u];
    const again = i > 0 && below(6) === 0;
    const [p, q] = again ? points[0] : [x / scale, y / scale];
    points.push([p, q, one(labels)]);
  }
  return D.setFromPoints(points, ['x1', 'x2']);
}

// No line, by trying: a separating line can be turned until it passes between rows near two of
// them, so all directions at right angles to differences of rows, and a little beside, are enough.
function separableByTrying(set) {
  const n = set.y.length, d = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const [x, y] = [set.x[2 * i] - set.x[2 * j], set.x[2 * i + 1] - set.x[2 * j + 1]];
      if (x !== 0 || y !== 0) d.push([x, y], [-y, x]);
    }
  const sums = d.flatMap((p) => [p, ...d.map((q) => [p[0] * 1e-4 + q[0], p[1] * 1e-4 + q[1]])]);
  return sums.some(([u, v]) => {
    const s = (c) => Array.from(set.y, (l, i) => i).filter((i) => set.y[i] === c)
      .map((i) => u * set.x[2 * i] + v * set.x[2 * i + 1]);
    return Math.min(...s(1)) - Math.max(...s(0)) > 1e-9;
  });
}

test('sha256 is that of the standard, for all lengths around a block', () => {
  for (const n of [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 70000]) {
    const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 7 + n) & 255);
    assert.equal(sha256(bytes), createHash('sha256').update(bytes).digest('hex'));
  }
});

test('xor and and: the certificates of the handbook', () => {
  const xor = prove(D.setFromPoints([[0, 0, -1], [0, 1, 1], [1, 0, 1], [1, 1, -1]]));
  assert.equal(xor.verdict, 'overlapping');
  const hash = '49b64d9b177f2058f145afeaa0d0ce172b9e0e725fbf11121f4180bb46dca49e';
  assert.ok(xor.certificate.includes(hash));
  assert.deepEqual(xor.witness, [0, 1, 2, 3].map((row) => ({ row, weight: 1n })));
  assert.match(xor.sentence, /rows 2 and 3 \(1\) and rows 1 and 4 \(-1\) have the same midpoint/);
  const and = prove(D.setFromPoints([[0, 0, -1], [0, 1, -1], [1, 0, -1], [1, 1, 1]]));
  assert.equal(and.verdict, 'separable');
  assert.deepEqual([and.w, and.b], [[2n, 2n], -3n]);
  assert.equal(and.plane, '2 x1 + 2 x2 - 3 > 0 for 1, < 0 for -1');
  const tenths = prove(D.setFromPoints([[0, 0.1, 'a'], [1, 0.3, 'a'], [0.5, 0.2, 'b']]));
  assert.match(tenths.sentence, /row 3 \(b\) is the midpoint of rows 1 and 2/); // not in doubles
  assert.equal(prove(D.setFromPoints([])).verdict, null);
});

// What the certificate says is summed up here once more, for thousands of sets.
function checkByHand(set, p, offset) {
  const ten = 10n ** 6n, whole = (v) => BigInt(Math.round(v * 1e6));
  for (const part of p.parts) {
    const a = Array.from(set.y, (c, i) => {
      const s = set.labels[c] === part.positive ? 1n : -1n;
      return [s * whole(set.x[2 * i]), s * whole(set.x[2 * i + 1]), offset ? s * ten : 0n];
    });
    const total = (terms) => [0, 1, 2].map((k) => terms.reduce((t, [i, m]) => t + m * a[i][k], 0n));
    const side = a.map((v) => (part.w ? v[0] * part.w[0] + v[1] * part.w[1] + v[2] * part.b : 0n));
    assert.ok(side.every((v) => v >= 0n));
    assert.deepEqual(part.strict, side.map((v, i) => i).filter((i) => side[i] > 0n));
    assert.equal(part.strict.length + part.held.length, a.length);
    assert.equal(part.verdict, part.held.length === 0 ? 'separable'
      : part.strict.length > 0 ? 'touching' : 'overlapping');
    if (part.verdict === 'separable') continue;
    assert.ok(part.witness.length >= 1 && part.witness.length <= (offset ? 4 : 3));
    assert.ok(part.witness.every((q) => q.weight > 0n));
    assert.deepEqual(total(part.witness.map((q) => [q.row, q.weight])), [0n, 0n, 0n]);
    const by = new Map(part.all.rows.map((r, i) => [r, part.all.weights[i]]));
    const all = part.held.map((r) => [r, by.get(r) ?? part.all.others]);
    assert.ok(all.every(([, m]) => m > 0n) && part.all.rows.every((r) => part.held.includes(r)));
    assert.deepEqual(total(all), [0n, 0n, 0n]);
  }
}

test('prove: five thousand random sets, every sum done again by hand', () => {
  const seen = {};
  for (let k = 0; k < 2500; k++) {
    const set = randomSet(one([3, 6, 12]));
    for (const offset of [true, false]) {
      const p = prove(set, { offset });
      checkByHand(set, p, offset);
      seen[p.verdict] = (seen[p.verdict] || 0) + 1;
    }
  }
  for (const v of ['separable', 'touching', 'overlapping'])
    assert.ok(seen[v] > 300, JSON.stringify(seen));
});

test('prove: a line that was found by trying exists, and else not', () => {
  let yes = 0, no = 0;
  for (let k = 0; k < 600; k++) {
    const set = randomSet(6);
    if (set.labels.length !== 2) continue;
    const found = separableByTrying(set);
    assert.equal(prove(set).verdict === 'separable', found, set.text);
    if (found) yes++;
    else no++;
  }
  assert.ok(yes > 50 && no > 50);
});

test('prove: the tool has the same verdicts, and verifies them', { skip: noTool }, (t) => {
  const dir = folder(t), seen = {};
  let changed = 0;
  for (let k = 0; k < 150; k++) {
    const set = randomSet(one([4, 8, 30])), offset = k % 3 !== 0;
    const p = prove(set, { offset });
    fs.writeFileSync(path.join(dir, 's.csv'), set.text);
    fs.writeFileSync(path.join(dir, 's.json'), p.certificate);
    const json = JSON.parse(run(['prove', 's.csv', '--json', '--problems', 'rest',
                                 ...(offset ? [] : ['--no-offset'])], { cwd: dir }).stdout);
    const line = (q, strict, held) => [q.positive, q.negative, q.verdict, strict, held].join();
    assert.deepEqual(p.parts.map((q) => line(q, q.strict.length, q.held.length)),
                     json.parts.map((q) => line(q, q.strict, q.held)), set.text);
    const r = run(['verify', 's.json', 's.csv'], { cwd: dir });
    assert.equal(r.status, 0, r.stdout + r.stderr + set.text + p.certificate);
    if (p.verdict !== 'separable' && p.witness.length > 1 && changed < 40) {
      const wrong = p.certificate.replace(/"weights":\["(\d+)"/,
                                          (_, w) => `"weights":["${BigInt(w) + 1n}"`);
      fs.writeFileSync(path.join(dir, 'w.json'), wrong);
      assert.equal(run(['verify', 'w.json', 's.csv'], { cwd: dir }).status, 1);
      changed++;
    }
    seen[p.verdict] = (seen[p.verdict] || 0) + 1;
  }
  assert.ok(seen.separable > 10 && seen.touching > 10 && seen.overlapping > 10 && changed > 20,
            JSON.stringify([seen, changed]));
});

test('prove: the verifier of the page agrees, not to changed weights', { skip: noCore }, () => {
  let refused = 0;
  for (let k = 0; k < 300; k++) {
    const set = randomSet(one([4, 8, 30])), p = prove(set, { offset: k % 3 !== 0 });
    const check = core.verify(p.certificate, set.text, {});
    assert.equal(check.valid, true, check.reason + set.text);
    assert.deepEqual(check.claims.map((c) => c.verdict), p.parts.map((q) => q.verdict));
    if (p.witness.length < 2) continue;
    const wrong = p.certificate.replace(/"weights":\["(\d+)"/, '"weights":["1$1"');
    assert.equal(core.verify(wrong, set.text, {}).valid, false);
    refused++;
  }
  assert.ok(refused > 50);
});

test('prove: long decimals, strange labels, thousands of rows', { skip: noTool }, (t) => {
  const dir = folder(t);
  const many = Array.from({ length: 5000 },
                          (_, i) => [below(2000) / 7, below(2000) / 3, i % 2 ? 'o' : 'x']);
  const sets = [[[1e-9, 1e21, 'a b'], [0.1234567890123456, -5e-7, 'q"x'], [3, 4, 'ä,ö'],
                 [3, 4, 'a b']],
                [[1e300, 1, 1], [1e-300, 1, 2], [0, 0, 1]],
                [[1, 2, '1e3'], [3, 4, '+7.50'], [2, 3, '-0']],
                [[0, 0, '\u{1f600}'], [1, 1, '\uffee']], many];
  for (const points of sets) {
    const set = D.setFromPoints(points, ['first, of two', '2']), p = prove(set);
    fs.writeFileSync(path.join(dir, 's.csv'), set.text);
    fs.writeFileSync(path.join(dir, 's.json'), p.certificate);
    const r = run(['verify', 's.json', 's.csv'], { cwd: dir });
    assert.equal(r.status, 0, r.stdout + r.stderr);
    const json = JSON.parse(run(['prove', 's.csv', '--json'], { cwd: dir }).stdout);
    assert.deepEqual(set.labels, json.data.labels);
  }
});

test('bound: R, gamma\' and the bound agree with those of the tool', { skip: noTool }, (t) => {
  const dir = folder(t);
  let n = 0;
  for (let k = 0; k < 600 && n < 25; k++) {
    const set = randomSet(8), offset = k % 3 !== 0;
    if (set.labels.length !== 2) {
      if (set.labels.length > 2) assert.equal(bound(null, set, { offset }), undefined);
      continue;
    }
    const b = bound(null, set, { offset }), p = prove(set, { offset });
    assert.equal(b !== null, p.verdict === 'separable');
    if (!b) continue;
    fs.writeFileSync(path.join(dir, 's.csv'), set.text);
    const j = JSON.parse(run(['prove', 's.csv', '--json', '--bound', '--orders', '1',
                              ...(offset ? [] : ['--no-offset'])], { cwd: dir }).stdout).bound;
    const near = (x, y) => assert.ok(Math.abs(x - y) <= 2e-6 * Math.abs(y), `${x} ${y}`);
    near(b.R, j.radius);
    near(b.gamma, j.margin);
    near(b.bound, j.bound);
    assert.ok(j.margin <= b.upper && b.gamma <= j.margin_upper);
    assert.ok(b.most <= b.bound * (1 + 1e-12) && b.most > b.bound - 1 - 1e-9);
    assert.ok(j.runs[0].mistakes <= b.most);
    assert.ok(Math.abs(Math.hypot(...b.u) - 1) < 1e-12);
    n++;
  }
  assert.ok(n >= 20);
});

test('hulls: counter-clockwise, with the corners that the tool has', { skip: noTool }, (t) => {
  const dir = folder(t);
  let compared = 0;
  for (let k = 0; k < 200 && compared < 25; k++) {
    const set = randomSet(15);
    if (set.labels.length !== 2) continue;
    const [minus, plus] = hulls(set);
    fs.writeFileSync(path.join(dir, 's.csv'), set.text);
    const j = JSON.parse(run(['prove', 's.csv', '--json', '--hulls'], { cwd: dir }).stdout).hulls;
    const corner = (r) => `${set.x[2 * r]},${set.x[2 * r + 1]}`;
    const from = (rows) => { // from the least corner on, so that only the order counts
      const c = rows.map(corner), at = c.indexOf(c.slice().sort()[0]);
      return [...c.slice(at), ...c.slice(0, at)];
    };
    assert.deepEqual(from(plus), from(j.positive.map((r) => r - 1)), set.text);
    assert.deepEqual(from(minus), from(j.negative.map((r) => r - 1)), set.text);
    compared++;
  }
  assert.ok(compared >= 20);
});

// ----- data ----------------------------------------------------------------------------------

for (const [name, c] of cores) {
  const skip = name === 'the core' ? noCore : noTool;

  test(`presets from ${name}: built-in sets and generators as they are`, { skip }, () => {
    for (const id of ['and', 'or', 'xor', 'blobs85']) {
      const set = D.makeSet(c, D.presetState(id));
      assert.equal(set.text, run(['convert', `:${id}`, '-', '--to', 'csv', '-q']).stdout);
      assert.equal(D.makeSet(c, { preset: id }).text, set.text);
    }
    const moons = D.makeSet(c, { ...D.presetState('moons'), n: 50, seed: 3, flip: 0.2 });
    assert.equal(moons.text, run(['generate', 'moons', '--rows', '50', '--seed', '3', '--noise',
                                  '0.2', '--digits', '3', '--format', 'csv']).stdout);
    const iris = D.makeSet(c, { preset: 'iris', pair: [3, 0], without: 'setosa' });
    assert.deepEqual(iris.names, ['petal width', 'sepal length']);
    assert.deepEqual(iris.labels, ['versicolor', 'virginica']);
    assert.equal(iris.y.length, 100);
  });

  test(`presets from ${name}: sliders are told by the seed, and do what they say`, { skip }, () => {
    for (const p of D.presets) {
      const base = { ...D.presetState(p.id), n: 60 }, plain = D.makeSet(c, base);
      const noisy = D.makeSet(c, { ...base, noise: 0.1, flip: 0.3, seed: 5 });
      assert.equal(D.makeSet(c, { ...base, noise: 0.1, flip: 0.3, seed: 5 }).text, noisy.text);
      assert.notEqual(D.makeSet(c, { ...base, noise: 0.1, flip: 0.3, seed: 6 }).text, noisy.text);
      assert.notEqual(noisy.text, plain.text);
      assert.ok(/^([^\n]*\n){2,}$/.test(noisy.text));
      for (const line of noisy.text.trim().split('\n').slice(1))
        assert.ok(line.length < 40, line);
      if (!p.kind) { // a generator draws other numbers then
        const flipped = D.makeSet(c, { ...base, flip: 0.3 });
        assert.deepEqual(flipped.x, plain.x);
        const wrong = plain.y.reduce((n, y, i) => n + (y !== flipped.y[i]), 0) / plain.y.length;
        assert.ok(wrong > 0.1 && wrong < 0.5, `${p.id} ${wrong}`);
      }
      const most = p.options.find((o) => o.name === 'margin').max, m = p.gap ? 0.8 * most : 0.25;
      const wide = D.makeSet(c, { ...base, margin: m });
      if (p.gap) {
        const near = nearRows(plain, m), alone = Math.min(...counts(wide)) === 1;
        assert.ok(near.length > 0 || p.id === 'xor', p.id);
        assert.ok(alone || wide.y.length === plain.y.length - near.length, p.id);
      } else {
        const from = meanGap(plain), back = meanGap(D.makeSet(c, { ...base, margin: -0.25 }));
        assert.ok(Math.abs(meanGap(wide) - from - 0.25) < 0.02, `${p.id} ${meanGap(wide) - from}`);
        assert.ok(Math.abs(back - from + 0.25) < 0.02, p.id);
      }
    }
    assert.throws(() => D.makeSet(c, { preset: 'nothing' }), /no preset/);
    assert.equal(D.makeSet(c, { preset: 'xor', n: 'many', noise: NaN, margin: null }).y.length, 4);
  });

  test(`columns of pasted text from ${name}`, { skip }, () => {
    const text = 'a,b,c,kind\n1,2.50,3,x\n4,5,6e-3,y\n7,8,9,z\n';
    const t = D.columnsOf(c, text);
    assert.deepEqual([t.names, t.labels, t.rows, t.features],
                     [['a', 'b', 'c'], ['x', 'y', 'z'], 3, 3]);
    assert.equal(t.pick(2, 0).text, 'c,a,label\n3,1,x\n0.006,4,y\n9,7,z\n');
    assert.equal(t.pick(0, 1, { labels: ['x', 'z'] }).text, 'a,b,label\n1,2.5,x\n7,8,z\n');
    const svm = D.columnsOf(c, '+1 1:0.5 3:2\n-1 2:1\n');
    assert.equal(svm.pick(0, 2).text, 'x1,x3,label\n0.5,2,1\n0,0,-1\n');
    const single = D.columnsOf(c, '1 1:5\n-1 1:6\n');
    assert.equal(single.pick(0, 1).text, 'x1,x2,label\n5,0,1\n6,0,-1\n');
    const bad = `a,b,label\n1,2,x\n1,oops,y\n${'1,2,x\n'.repeat(10)}`;
    assert.throws(() => D.columnsOf(c, bad), (e) => e.line === 3);
  });
}

const counts = (set) => set.labels.map((_, c) => set.y.reduce((n, y) => n + (y === c), 0));

// Rows that have one of another class nearer than m.
function nearRows(set, m) {
  const all = Array.from(set.y, (_, i) => i);
  return all.filter((i) => all.some((j) => set.y[i] !== set.y[j]
    && Math.hypot(set.x[2 * i] - set.x[2 * j], set.x[2 * i + 1] - set.x[2 * j + 1]) < m));
}

function meanGap(set) {
  const m = set.labels.map((_, c) => {
    const rows = Array.from(set.y, (_l, i) => i).filter((i) => set.y[i] === c);
    return [0, 1].map((k) => rows.reduce((s, i) => s + set.x[2 * i + k], 0) / rows.length);
  });
  return Math.hypot(m[0][0] - m[m.length - 1][0], m[0][1] - m[m.length - 1][1]);
}

test('the core and the tool make the same sets', { skip: noCore }, () => {
  for (const p of D.presets)
    for (const more of [{}, { n: 30, noise: 0.07 }, { margin: 0.2, flip: 0.1 }]) {
      const data = { ...D.presetState(p.id), ...more };
      const text = JSON.stringify(data);
      assert.equal(D.makeSet(core, data).text, D.makeSet(shellCore, data).text, text);
    }
});

test('labels are sorted and written as the tool does it', { skip: noTool }, () => {
  const words = ['b', 'a', '10', '9', '-1', '+1.0', '1e20', '0.00001', 'ä', 'Z', '\u{1f600}',
                 '\uffee', '-0', '1e-5', '123456789012345678', '0.1', 'a b', '0.0001', '1e17'];
  const set = D.setFromPoints(words.map((w, i) => [i, 1, w]));
  const json = JSON.parse(run(['prove', '-', '--json', '--quick', '--problems', 'rest'],
                              { input: set.text }).stdout);
  assert.deepEqual(set.labels, json.data.labels);
});

test('names of columns that would be taken for something else', { skip: noTool }, () => {
  for (const names of [['label', 'Label'], ['1', '2'], ['a,b', '"'], ['', null], ['class', 'y'],
                       ['x', 'x'], ['nan', 'inf'], ['<script>', '# n'], ['# a', 'b'],
                       ['x', 'Label'], ['-1e5', '.5']]) {
    const set = D.setFromPoints([[0, 1, 'p'], [1, 0, 'q'], [2, 0, 'q']], names);
    const r = run(['prove', '-', '--json', '--problems', 'rest'], { input: set.text });
    const json = JSON.parse(r.stdout);
    assert.equal(json.data.rows, 3);
    assert.equal(json.data.features, 2);
    assert.deepEqual(json.data.labels, ['p', 'q']);
  }
  for (const bad of [[[NaN, 1, 'a']], [[1, 2, '']], [[1, 2]], [['x', 1, 'a']], 'text'])
    assert.throws(() => D.setFromPoints(bad));
  const set = D.setFromPoints([[0.5, -0, 'a\nb']]);
  assert.equal(set.text, 'x1,x2,label\n0.5,0,a b\n');
  assert.deepEqual(D.pointsOf(set), [[0.5, 0, 'a b']]);
});

// ----- command lines ---------------------------------------------------------------------------

test('quoting for sh', () => {
  for (const s of ['', 'a', "it's", '$(ls) `x` "q" \\ !', '-x', 'a b\nc', "''", '*?[a]~#', '1/t']) {
    const r = spawnSync('sh', ['-c', `printf %s ${quote(s)}`], { encoding: 'utf8' });
    assert.equal(r.stdout, s);
  }
});

function inShell(script, dir) {
  const env = { ...process.env, PATH: `${dir}/bin:${process.env.PATH}` };
  fs.mkdirSync(path.join(dir, 'bin'), { recursive: true });
  const link = path.join(dir, 'bin/perceptron');
  if (!fs.existsSync(link)) fs.symlinkSync(TOOL, link);
  return spawnSync('sh', ['-c', script], { cwd: dir, env, encoding: 'utf8', maxBuffer: 1 << 28 });
}

const lineOf = (state, what, where) => commandLines(state, 0, where)
  .filter((l) => what.includes(l.what)).map((l) => l.line).join('\n');

test('the data lines write the very text of the set', { skip: noTool }, (t) => {
  const dir = folder(t);
  const states = [{ preset: 'xor' }, { preset: 'blobs85' }, { preset: 'moons' }, { preset: 'iris' },
                  { preset: 'blobs85', n: 40, noise: 1.5, flip: 0.1 },
                  { preset: 'circles', seed: 4 }, { preset: 'spirals', noise: 0 },
                  { preset: 'moons', n: 30, margin: 0.2 },
                  { preset: 'iris', pair: [3, 1], without: 'setosa' }, { preset: 'xor', flip: 0.4 },
                  { preset: 'and', noise: 0.1, n: 12 }, { preset: 'iris', pair: [0, 3] },
                  { points: [[1, 2, "it's"], [0.5, -3, '$HOME'], [1, 1, 'END']],
                    names: ['a b', '`c`'] }];
  for (const data of states) {
    const set = D.makeSet(shellCore, data), state = { data, learners: [] };
    fs.rmSync(path.join(dir, 'data.csv'), { force: true });
    const r = inShell(lineOf(state, ['data'], { core, set, longest: 1e6 }), dir);
    assert.equal(r.status, 0, r.stderr);
    const text = fs.readFileSync(path.join(dir, 'data.csv'), 'utf8');
    assert.equal(D.columnsOf(shellCore, text).pick(0, 1).text, set.text, JSON.stringify(data));
  }
  const data = { preset: 'moons', n: 1000, margin: 0.1 }, set = D.makeSet(shellCore, data);
  assert.match(commandLine({ data, learners: [] }, 0, { set }), /^# data\.csv: save it/);
});

test('formulas', { skip: noTool }, (t) => {
  const dir = folder(t);
  for (const formula of ['(a & b) | !c', "s' = a | (s & !r); out = s", '!a', '- nonsense']) {
    const line = commandLine({ mode: 'formula', formula });
    const want = run(['gate', ...(formula.startsWith('-') ? ['--'] : []), formula]);
    const got = inShell(line, dir);
    assert.deepEqual([got.stdout, got.stderr, got.status], [want.stdout, want.stderr, want.status]);
  }
});

const LEARNERS = [
  ['perceptron', {}], ['perceptron', { epochs: '5', rate: '0.5' }],
  ['perceptron', { offset: 'false' }], ['perceptron', { epochs: '10' }],
  ['perceptron', { schedule: '1/sqrt', init: 'random', seed: '7' }],
  ['pocket', { order: 'shuffle', seed: '3', epochs: '20' }], ['averaged', {}],
  ['voted', { rule: 'margin' }], ['margin', { margin: '0.25' }], ['pa', {}],
  ['pa1', { aggressiveness: '0.1' }], ['pa2', { epochs: '3' }],
  ['perceptron', { kernel: 'rbf', gamma: '1' }],
  ['averaged', { kernel: 'poly', degree: '2', coef0: '0' }],
  ['perceptron', { positive: '-1' }], ['perceptron', { 'class-weight': '-1=2,1=0.5' }],
  ['svm', { C: '10' }], ['svm', { loss: 'hinge', 'offset-free': 'true' }],
  ['mlp', { layers: '3', epochs: '4' }]];

test('the lines of a learner: the same model bytes as the page\'s', { skip: noCore }, (t) => {
  const dir = folder(t);
  for (const data of [{ preset: 'xor' }, { preset: 'blobs85' }]) {
    const set = D.makeSet(core, data), read = core.read({ text: set.text }, {});
    for (const [algorithm, options] of LEARNERS) {
      const table = core.learner(algorithm);
      const steps = table.params.some((p) => p.name === 'order');
      const r = core.run(read, algorithm, { ...(steps ? { order: 'file' } : {}), ...options });
      for (let k = 0; k < 100000 && !r.ended; k++) r.advance(1000);
      const state = { data, learners: [{ algorithm, options }] };
      const lines = lineOf(state, ['data', 'train'], { core, set });
      const got = inShell(lines, dir);
      assert.ok(got.status === 0, lines + got.stderr);
      const bytes = fs.readFileSync(path.join(dir, 'model.safetensors'));
      assert.ok(bytes.equals(Buffer.from(r.model.bytes())), lines);
      const trace = inShell(lineOf(state, ['data', 'trace'], { core, set }), dir);
      assert.equal(trace.status, 0, trace.stderr);
      if (!['svm', 'lp', 'mlp'].includes(algorithm)) assert.ok(trace.stdout.length > 100);
      r.free();
    }
    read.free();
  }
});

test('only what differs from the defaults is written', { skip: noCore }, () => {
  const line = (options, what, algorithm = 'perceptron') =>
    lineOf({ data: { preset: 'xor' }, learners: [{ algorithm, options }] }, [what], { core });
  assert.equal(line({ epochs: '10', rate: '1.0' }, 'trace'), 'perceptron trace data.csv --arithmetic double');
  assert.equal(line({ rate: '0.5' }, 'trace'), 'perceptron trace data.csv --rate 0.5 --arithmetic double --epochs 100');
  assert.equal(line({ offset: 'false' }, 'train'),
               'perceptron train data.csv -a perceptron --scale none --no-offset --order file '
               + '-o model.safetensors');
  assert.equal(line({ order: 'shuffle' }, 'train', 'averaged'),
               'perceptron train data.csv --scale none -o model.safetensors');
  assert.equal(line({ positive: '-1' }, 'trace'),
               'perceptron trace data.csv --arithmetic double --positive=-1 --epochs 100');
  assert.equal(line({ rate: '2', C: '1', order: 'file' }, 'train', 'svm'), // not options of svm
               'perceptron train data.csv -a svm --scale none -o model.safetensors');
  const all = commandLine({ data: { preset: 'xor' }, learners: [{ algorithm: 'perceptron' }] }, 0,
                          { core }).split('\n');
  assert.equal(all[0], 'perceptron convert :xor data.csv -q');
  assert.deepEqual(all.slice(-3), ['perceptron prove data.csv -o proof.json',
                                   'perceptron verify proof.json data.csv', '']);
});

test('prove and verify lines run', { skip: noTool }, (t) => {
  const dir = folder(t), learner = { algorithm: 'perceptron', options: { offset: 'false' } };
  const state = { data: { preset: 'xor' }, learners: [learner] };
  const r = inShell(lineOf(state, ['data', 'prove', 'verify'], {}), dir);
  assert.equal(r.status, 0, r.stderr);
  assert.match(r.stdout, /through the origin/);
});

// ----- the teacher ---------------------------------------------------------------------------

// The rule of the perceptron, written out: the game is tested, not the learner.
function plainTeacher() {
  let w = [0, 0], b = 0;
  return { show(x, label, weight = 1) {
             if (weight === 0) return null;
             const y = label === '1' ? 1 : -1, score = w[0] * x[0] + w[1] * x[1] + b;
             const mistake = !(y * score > 0);
             if (mistake) [w, b] = [w.map((v, k) => v + y * x[k]), b + y];
             return { score, mistake, updated: mistake ? 1 : 0, answer: score > 0 ? '1' : '-1' };
           },
           weights() { return { w: [w], b: [b] }; },
           get model() {
             const [p, q, c] = [...w, b];
             const score = (x) => (_, i) => p * x[2 * i] + q * x[2 * i + 1] + c;
             return { labels: ['-1', '1'],
                      scores: (x) => Float64Array.from({ length: x.length / 2 }, score(x)) };
           },
           free() {} };
}

for (const [name, c] of [['a plain rule', { teacher: plainTeacher }], ...cores.slice(1)]) {
  test(`teacher with ${name}: the game ends within the bound, undo and redo`, () => {
    const rows = [[0, 0, -1], [0, 1, -1], [1, 0, -1], [1, 1, 1]];
    const and = D.setFromPoints(rows, [name, 'b']); // each game its own best result
    const game = new Teacher(c, and, { algorithm: 'perceptron', options: {} });
    assert.equal(game.limit, 51);
    assert.deepEqual(game.wrongNow(), [0, 1, 2, 3]);
    let steps = 0;
    for (let h; (h = game.hint()) !== null && steps < 200; steps++) {
      const wrong = game.wrongNow();
      assert.ok(wrong.includes(h.row));
      const gain = (i) => game.y[i] * (and.x[2 * i] * game.bound.u[0] + and.x[2 * i + 1]
        * game.bound.u[1] + game.bound.u[2]);
      assert.ok(wrong.every((i) => gain(i) >= gain(h.row) - 1e-12));
      const r = game.show(h.row);
      assert.equal(r.mistake, true);
      assert.equal(r.mistakes, steps + 1);
      assert.equal(r.record, true);
    }
    assert.ok(game.over && steps > 5 && steps <= 51, String(steps));
    const result = `${steps} mistakes in ${steps} examples; best so far ${steps}. `;
    assert.ok(game.summary().startsWith(`${result}Novikoff's bound: at most 51 mistakes.`));
    const right = game.show(3);
    assert.equal(right.mistake, false);
    assert.equal(right.mistakes, steps);
    assert.ok(game.undo() && game.undo());
    assert.equal(game.mistakes, steps - 1);
    assert.equal(game.over, false);
    assert.equal(game.best, steps);
    const weights = JSON.stringify(game.weights());
    assert.equal(game.redo().mistakes, steps);
    game.undo();
    assert.equal(JSON.stringify(game.weights()), weights);
    const again = new Teacher(c, and, { algorithm: 'perceptron', options: {} },
                              { taught: [0, 3, 99, -1, 1.5] });
    assert.deepEqual(again.taught, [0, 3]);
    assert.equal(again.best, steps);
    again.reset();
    again.show(3); // the first label met is 1: w = +x all the same
    assert.deepEqual(again.path, [[1, 1, 1]]);
    again.reset();
    assert.equal(again.undo(), false);
    assert.equal(again.redo(), null);
    assert.throws(() => again.show(4), /no row 5/);
    game.free();
    again.free();
  });

  test(`teacher with ${name}: without end where no line separates`, () => {
    const rows = [[0, 0, -1], [0, 1, 1], [1, 0, 1], [1, 1, -1]];
    const xor = D.setFromPoints(rows, [name, 'b']);
    const game = new Teacher(c, xor, { algorithm: 'perceptron', options: {} });
    assert.equal(game.limit, Infinity);
    for (let k = 0; k < 100; k++) assert.equal(game.show(game.hint().row).mistakes, k + 1);
    assert.match(game.summary(), /never end/);
    assert.equal(game.show(game.hint().row).record, true);
    game.undo();
    assert.equal(game.show(game.hint().row).record, false); // as often as before is no record
    game.free();
    const other = new Teacher(c, xor, { algorithm: 'perceptron', options: { schedule: '1/t' } });
    assert.equal(other.limit, null);
    other.free();
  });
}

test('what was taught, as shell lines: the same mistakes', { skip: noCore }, (t) => {
  const dir = folder(t), set = D.makeSet(core, { preset: 'blobs85' });
  const pupil = { algorithm: 'perceptron', options: {} };
  const game = new Teacher(core, set, pupil);
  for (let k = 0, h; k < 25 && (h = game.hint()) !== null; k++) game.show(h.row);
  const state = { mode: 'teacher', data: { preset: 'blobs85' }, learners: [], pupil,
                  taught: game.taught };
  const r = inShell(lineOf(state, ['data', 'train'], { core, set }), dir);
  assert.equal(r.status, 0, r.stderr);
  const w = game.weights();
  const model = core.model(fs.readFileSync(path.join(dir, 'model.safetensors')));
  assert.deepEqual(JSON.stringify(model.weights()), JSON.stringify(w));
  assert.deepEqual(game.path[game.path.length - 1], [...w.w[0], w.b[0]]);
  assert.equal(game.path.length, game.shown);
  const trace = inShell(`${lineOf(state, ['data', 'trace'], { core, set })} --csv`, dir).stdout;
  const steps = trace.trim().split('\n').slice(1);
  assert.equal(steps.length, game.shown);
  game.path.forEach((p, k) => assert.deepEqual(steps[k].split(',').slice(-3).map(Number), p));
  game.free();
});

// ----- files -----------------------------------------------------------------------------------

test('files are told apart by their content', { skip: noTool }, (t) => {
  const dir = folder(t), bytes = (s) => new TextEncoder().encode(s);
  run(['train', ':xor', '-q', '-o', 'm.safetensors'], { cwd: dir });
  const model = new Uint8Array(fs.readFileSync(path.join(dir, 'm.safetensors')));
  assert.equal(kindOf(model), 'model');
  assert.equal(kindOf(bytes('x1,x2,label\n')), 'data');
  assert.equal(kindOf(Uint8Array.of(0x1f, 0x8b, 8, 0)), 'compressed');
  assert.equal(kindOf(Uint8Array.of(1, 0, 2)), 'binary');
  assert.equal(kindOf(bytes('{"perceptron_certificate":1')), 'certificate');
  const fake = { model: (b) => ({ size: b.length }), read: shellCore.read };
  assert.deepEqual(readContent(fake, model, 'm'),
                   { kind: 'model', model: { size: model.length }, name: 'm' });
  const got = readContent(fake, bytes('a,b,label\n1,2,p\n3,4,q\n'), 'd.csv');
  assert.equal(got.columns.pick(0, 1).text, 'a,b,label\n1,2,p\n3,4,q\n');
  for (const [bad, why] of [['', /empty/], [Uint8Array.of(0x1f, 0x8b, 8), /compressed/],
                            [bytes('{"perceptron_certificate":1}'), /certificate/],
                            [Uint8Array.of(255, 65), /UTF-8/],
                            ['x'.repeat(MAX_BYTES + 1), /8\.4 MB/]])
    assert.throws(() => readContent(fake, bad), why);
});

test('drop, paste and large files', { skip: noTool }, async () => {
  const heard = [], listeners = {};
  const paper = { addEventListener: (n, f) => { listeners[n] = f; },
                  removeEventListener: (n) => delete listeners[n] };
  const target = { ownerDocument: paper, ...paper };
  const handlers = { core: shellCore, onModel: () => heard.push(['model']),
                     onData: (d) => heard.push(['data', d.name, d.columns.rows]),
                     onError: (m) => heard.push(['error', m]),
                     onOver: (v) => heard.push(['over', v]) };
  const detach = attachImports(target, handlers);
  let stopped = 0;
  const event = (more) => ({ preventDefault: () => { stopped++; }, target: {}, ...more });
  const given = (text, files = []) => ({ types: ['text/plain'], files, getData: () => text });
  listeners.dragenter(event({ dataTransfer: given('') }));
  listeners.dragleave(event({}));
  listeners.drop(event({ dataTransfer: given('1 1:2 2:3\n-1 1:4\n') }));
  listeners.paste(event({ clipboardData: given('1,2,a\n3,4,b\n') }));
  const field = { closest: () => ({}) };
  listeners.paste(event({ clipboardData: given('1,2,a\n'), target: field })); // that is typing
  assert.equal(stopped, 3);
  assert.deepEqual(heard, [['over', true], ['over', false], ['over', false],
                           ['data', 'dropped text', 2], ['data', 'pasted text', 2]]);
  heard.length = 0;
  assert.equal(await readFile({ name: 'big.csv', size: MAX_BYTES + 1 }, handlers), false);
  assert.match(heard[0][1], /^big\.csv: it has 8\.4 MB/);
  await readFile(new File(['1,2,a\n1,2\n'], 'bad.csv'), handlers);
  assert.match(heard[1][1], /^bad\.csv, line 2/);
  detach();
  assert.deepEqual(Object.keys(listeners), []);
});

test('downloads: the bytes, the name, and the address given back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const saved = [], urls = new Map(), removed = [];
  const create = URL.createObjectURL, revoke = URL.revokeObjectURL;
  URL.createObjectURL = (blob) => {
    urls.set(`blob:${urls.size}`, blob);
    return `blob:${urls.size - 1}`;
  };
  URL.revokeObjectURL = (u) => removed.push(u);
  globalThis.document = { body: { append() {} }, createElement: () => ({
    click() { saved.push([this.download, urls.get(this.href)]); }, remove() {} }) };
  t.after(() => {
    [URL.createObjectURL, URL.revokeObjectURL] = [create, revoke];
    delete globalThis.document;
  });
  const set = D.setFromPoints([[1, 2, 'a']]);
  E.saveCSV(set);
  E.saveModel({ bytes: () => Uint8Array.of(1, 2, 3) });
  E.saveSVG('<svg/>');
  E.saveCertificate('{}');
  await E.savePNG({ toBlob: (f, type) => f(new Blob(['p'], { type })) });
  assert.deepEqual(saved.map((s) => s[0]), ['data.csv', 'model.safetensors', 'picture.svg',
                                            'proof.json', 'picture.png']);
  assert.equal(await saved[0][1].text(), set.text);
  assert.deepEqual([...new Uint8Array(await saved[1][1].arrayBuffer())], [1, 2, 3]);
  assert.match(await saved[2][1].text(), /^<\?xml .*\n<svg\/>$/);
  assert.deepEqual(removed, []);
  t.mock.timers.tick(20000);
  assert.equal(removed.length, 5);
  await assert.rejects(E.savePNG({ toBlob: (f) => f(null) }));
});

// #abc is #aabbcc.
const long = (c) => c.replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3');

test('the tool draws in the colours of the page', { skip: noTool }, (t) => {
  const cwd = folder(t);
  for (const args of [['plot', ':and', '--picture', 'boundary', '-o', 'and.svg'],
                      ['report', ':and', '-o', 'and.html']])
    assert.equal(run([...args, '-q'], { cwd }).status, 0);
  const svg = fs.readFileSync(path.join(cwd, 'and.svg'), 'utf8');
  const html = fs.readFileSync(path.join(cwd, 'and.html'), 'utf8');
  const [light, dark] = [...svg.matchAll(/\.f-c0\{.*\n/g)].map(String);
  const pages = [...html.matchAll(/:root[^{]*\{([^}]*--c0[^}]*)\}/g)].map((m) => m[1]);
  assert.equal(pages.length, 3); // light; dark by the system, by the button
  for (const [theme, rules, roots] of [['light', light, pages.slice(0, 1)],
                                       ['dark', dark, pages.slice(1)]]) {
    const p = palettes[theme];
    const named = (root, name) => long(new RegExp(`--${name}: (#\\w+);`).exec(root)[1]);
    const drawn = (rule) => long(new RegExp(`\\.f-${rule}\\{\\w+:(#\\w+)\\}`).exec(rules)[1]);
    for (const root of roots) {
      p.class.forEach((c, i) => assert.equal(named(root, `c${i}`), c));
      for (const [use, name] of Object.entries({ ground: 'ground', ink: 'text', mistake: 'alert',
                                                 grid: 'grid' }))
        assert.equal(named(root, name), p[use]);
    }
    p.class.forEach((c, i) => assert.equal(drawn(`c${i}`), c));
    for (const [use, rule] of Object.entries({ ground: 'bg', mistake: 'alert', grid: 'grid' }))
      assert.equal(drawn(rule), p[use]);
  }
});
