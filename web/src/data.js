// data.js -- the data sets of the page: presets, points set by hand, and tables that were pasted
// or dropped. Whatever is shown is a set of two features whose `text`, a CSV file, is all that
// the core gets to read and what is saved: the command line repeats it from that file alone.
//
//     set = { names: [2], labels: [..], x: Float64Array(2n), y: Int32Array(n), text }
//
//     presets                         [{ id, title, summary, options: [{ name, title, type, min,
//                                     max, step, initial, choices }] }]; type: 'int', 'real',
//                                     'choice', or 'pair': two of choices, by number
//     presetState(id)                 a fresh state.data: { preset, n, noise, flip, margin, seed }
//     makeSet(core, data)             state.data -> set; throws Error or CoreError
//     generated(data)                 { kind, options } where a generator of the core makes it all,
//                                     { builtin } where it is a built-in set unchanged, else null
//     setFromPoints(points, names)    points [[x, y, label], ..] -> set; labels sorted as in C
//     pointsOf(set)                   the way back: [[x, y, label], ..]
//     csvOf(set)                      the text: decimals as short as the numbers allow
//     columnsOf(core, text, options)  pasted text -> { names, labels, rows, features, note,
//                                     pick(i, j, { labels }) -> set }; CoreError with line, column
//     labelText(text), sortLabels(l)  labels as src/data/labels.h has them
//
// The sliders. All are made from the seed, and with arithmetic that is the same in every browser.
//   n       how many rows.
//   noise   how far rows stray. blobs85, moons, circles, spirals: the generator's own "spread".
//           and, or, xor, iris: every coordinate is moved by a number with about a normal
//           distribution (the sum of twelve uniform ones less 6) of this standard deviation.
//   flip    the share of rows whose label is another one than it should be.
//   margin  and, or, blobs85, iris: each class is moved by half of it away from the middle of
//           the means of the classes (two classes part by `margin` along the line through their
//           means); below 0 they come nearer. xor, moons, circles, spirals, whose classes lie
//           around each other: rows that are nearer than `margin` to a row of another class are
//           left out, but at least one row of a class stays.
// Coordinates that are changed here are rounded to three decimals.

const N = (initial, max = 2000) => ({ name: 'n', title: 'Points', type: 'int', min: 4, max, step: 1,
                                      initial });
const NOISE = (initial, max, step) => ({ name: 'noise', title: 'Noise', type: 'real', min: 0, max,
                                         step, initial });
const FLIP = { name: 'flip', title: 'Wrong labels', type: 'real', min: 0, max: 0.5, step: 0.01,
               initial: 0 };
const PUSH = (max, step = 0.1) => ({ name: 'margin', title: 'Margin', type: 'real', min: -max, max,
                                     step, initial: 0 });
const GAP = (max, step = 0.01) => ({ name: 'margin', title: 'Margin', type: 'real', min: 0, max,
                                     step, initial: 0 });
const SEED = (initial) => ({ name: 'seed', title: 'Seed', type: 'int', min: 0, max: 9999, step: 1,
                             initial });

const IRIS = ['sepal length', 'sepal width', 'petal length', 'petal width'];
const SPECIES = ['setosa', 'versicolor', 'virginica'];

export const presets = [
  { id: 'and', title: 'AND', summary: 'a and b: a line separates it', builtin: ':and',
    options: [N(4), NOISE(0, 0.5, 0.01), FLIP, PUSH(1, 0.05), SEED(0)] },
  { id: 'or', title: 'OR', summary: 'a or b: a line separates it', builtin: ':or',
    options: [N(4), NOISE(0, 0.5, 0.01), FLIP, PUSH(1, 0.05), SEED(0)] },
  { id: 'xor', title: 'XOR', summary: 'either a or b: no line separates it', builtin: ':xor',
    gap: true, options: [N(4), NOISE(0, 0.5, 0.01), FLIP, GAP(1), SEED(0)] },
  { id: 'blobs85', title: 'Blobs', summary: 'two clouds of 85 points, just separable',
    kind: 'blobs', builtin: ':blobs85',
    options: [N(85), NOISE(2.5, 5, 0.1), FLIP, PUSH(5), SEED(164)] },
  { id: 'moons', title: 'Moons', summary: 'two half circles, interleaved', kind: 'moons', gap: true,
    options: [N(200), NOISE(0.1, 0.5, 0.01), FLIP, GAP(0.5), SEED(0)] },
  { id: 'circles', title: 'Circles', summary: 'a circle around another', kind: 'circles', gap: true,
    options: [N(200), NOISE(0.05, 0.3, 0.01), FLIP, GAP(0.5), SEED(0)] },
  { id: 'spirals', title: 'Spirals', summary: 'two spirals, interleaved', kind: 'spirals',
    gap: true, options: [N(200), NOISE(0.02, 0.1, 0.005), FLIP, GAP(0.5), SEED(0)] },
  { id: 'iris', title: 'Iris', summary: 'three species of iris, two measures of four',
    builtin: ':iris', options: [
      { name: 'pair', title: 'Measures', type: 'pair', choices: IRIS, initial: [2, 3] },
      { name: 'without', title: 'Leave out', type: 'choice', choices: ['none', ...SPECIES],
        initial: 'none' },
      NOISE(0, 0.5, 0.01), FLIP, PUSH(2), SEED(0)] },
];

export function presetOf(id) {
  const p = presets.find((q) => q.id === id);
  if (!p) throw new Error(`there is no preset "${String(id).slice(0, 40)}"`);
  return p;
}

export function presetState(id) {
  const data = { preset: id };
  for (const o of presetOf(id).options)
    data[o.name] = Array.isArray(o.initial) ? o.initial.slice() : o.initial;
  return data;
}

// The values of a preset's options: those in `data` if valid, otherwise the initial ones. A link
// may hold anything.
function settings(preset, data) {
  const s = {};
  for (const o of preset.options) s[o.name] = valid(o, data[o.name]);
  return s;
}

function valid(o, v) {
  if (o.type === 'choice') return o.choices.includes(v) ? v : o.initial;
  if (o.type === 'pair') {
    const ok = Array.isArray(v) && v.length === 2 && v[0] !== v[1]
      && v.every((k) => Number.isInteger(k) && k >= 0 && k < o.choices.length);
    return ok ? v : o.initial;
  }
  if (v === null || v === undefined || v === '' || !Number.isFinite(Number(v))) return o.initial;
  const n = Math.min(o.max, Math.max(o.min, Number(v)));
  return o.type === 'int' ? Math.round(n) : n;
}

// ----- numbers and labels as the core has them ------------------------------------------------

export const round3 = (v) => Math.round(v * 1000) / 1000 + 0; // + 0: no -0

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

// A label that is written as a decimal is that number, exactly: its digits, without zeros at either
// end, and the exponent of the first. null: a word, as is one with a zero too many in front.
function decimalOf(text) {
  const m = /^([+-]?)(0|[1-9]\d*|)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const all = m ? m[2] + (m[3] || '') : '', d = all.replace(/^0+/, '');
  if (all === '' || !Number.isFinite(Number(text))) return null;
  if (d === '') return { sign: 0, digits: '0', e: 0 };
  return { sign: m[1] === '-' ? -1 : 1, digits: d.replace(/0+$/, ''),
           e: Number(m[4] || 0) + m[2].length - 1 - (all.length - d.length) };
}

// The canonical form of a label (src/data/labels.h): a number with all its digits, laid out as by
// "%.17g"; a word as it is. So the playground's sets have one text for one label.
export function labelText(text) {
  const t = String(text).trim(), number = decimalOf(t);
  if (number === null) return t;
  const { digits: d, e } = number, sign = number.sign < 0 ? '-' : '';
  if (e < -4 || e >= 17)
    return `${sign}${d[0]}${d.length > 1 ? '.' : ''}${d.slice(1)}e${e < 0 ? '-' : '+'}${
      String(Math.abs(e)).padStart(2, '0')}`;
  if (e < 0) return `${sign}0.${'0'.repeat(-e - 1)}${d}`;
  if (e + 1 >= d.length) return sign + d + '0'.repeat(e + 1 - d.length);
  return `${sign}${d.slice(0, e + 1)}.${d.slice(e + 1)}`;
}

// UTF-8 sorts like code points; UTF-16, which JavaScript compares, does not.
function byBytes(a, b) {
  const p = Array.from(a), q = Array.from(b);
  for (let i = 0; i < p.length && i < q.length; i++)
    if (p[i] !== q[i]) return p[i].codePointAt(0) - q[i].codePointAt(0);
  return p.length - q.length;
}

// Numbers by value, then words by bytes: the later of two labels is the class +1.
export function sortLabels(labels) {
  return labels.slice().sort((a, b) => {
    const p = decimalOf(a), q = decimalOf(b);
    if (p === null || q === null) return p || q ? (p ? -1 : 1) : byBytes(a, b);
    if (p.sign !== q.sign) return p.sign - q.sign;
    return p.sign * (p.e - q.e || (p.digits < q.digits ? -1 : Number(p.digits > q.digits)));
  });
}

// ----- CSV -------------------------------------------------------------------------------------

// Texts are already trimmed and free of control characters.
function cell(text) {
  return /[",;|]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// The names of the two columns: a header counts as one only if none of its cells is a number, and
// the column of labels is the one called "label".
function columnNames(names) {
  const out = [];
  for (let j = 0; j < 2; j++) {
    let name = String((names && names[j]) || '').replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()
      .slice(0, 100);
    const number = NUMBER.test(name) || /^[+-]?(nan|inf(inity)?)$/i.test(name);
    if (name === '' || number) name = `x${j + 1}`;
    if (/^label$/i.test(name) || out.includes(name)) name += `_${j + 1}`;
    out.push(name);
  }
  return out;
}

export function csvOf(set) {
  const lines = [[...set.names.map(cell), 'label'].join(',')];
  const labels = set.labels.map(cell);
  for (let i = 0; i < set.y.length; i++)
    lines.push(`${set.x[2 * i]},${set.x[2 * i + 1]},${labels[set.y[i]]}`);
  return lines.join('\n') + '\n';
}

// A label on one line, as the core would read it back from a cell.
const cleanLabel = (text) => labelText(String(text).replace(/[\u0000-\u001f\u007f]+/g, ' '));

// rows: [[x, y, label text], ..]
function setOf(rows, names) {
  const labels = sortLabels([...new Set(rows.map((r) => r[2]))]);
  const number = new Map(labels.map((l, k) => [l, k]));
  const set = { names: columnNames(names), labels, x: new Float64Array(2 * rows.length),
                y: new Int32Array(rows.length), text: '' };
  rows.forEach((r, i) => {
    set.x[2 * i] = r[0] + 0;
    set.x[2 * i + 1] = r[1] + 0;
    set.y[i] = number.get(r[2]);
  });
  set.text = csvOf(set);
  return set;
}

export const MAX_POINTS = 5000; // as in state.js

export function setFromPoints(points, names) {
  if (!Array.isArray(points)) throw new Error('the points are not a list');
  if (points.length > MAX_POINTS)
    throw new Error(`${points.length} points are more than the ${MAX_POINTS} this page draws`);
  const rows = points.map((p, i) => {
    const x = Number(p[0]), y = Number(p[1]);
    const label = cleanLabel(p[2] ?? '');
    if (!Number.isFinite(x) || !Number.isFinite(y))
      throw new Error(`point ${i + 1}: its coordinates are not two numbers`);
    if (label === '' || label.length > 200) throw new Error(`point ${i + 1} has no proper label`);
    return [x, y, label];
  });
  return setOf(rows, names);
}

export function pointsOf(set) {
  return Array.from(set.y, (c, i) => [set.x[2 * i], set.x[2 * i + 1], set.labels[c]]);
}

// ----- random numbers --------------------------------------------------------------------------

// A counter through a mixing function ("mulberry32", T. Ettinger 2017): only whole numbers, so that
// all browsers agree.
export function randomFrom(seed) {
  let a = (Math.imul(seed | 0, 0x9e3779b1) ^ 0x5bd1e995) | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// About normal, mean 0 and deviation 1. No logarithm or cosine: browsers round them differently.
function normal(random) {
  let s = -6;
  for (let k = 0; k < 12; k++) s += random();
  return s;
}

// ----- presets ---------------------------------------------------------------------------------

function rowsOf(data, i = 0, j = 1) {
  const f = data.features;
  return Array.from({ length: data.rows }, (_, r) =>
    [data.x[r * f + i], data.x[r * f + j], data.labels[data.y[r]]]);
}

function taken(data, then) {
  try {
    return then(data);
  } finally {
    data.free();
  }
}

const DIGITS = '3'; // significant digits: short texts, and those of :blobs85

export function generated(data) {
  const p = presetOf(data.preset), s = settings(p, data);
  if (p.kind && s.margin === 0) {
    const same = p.builtin && p.options.every((o) => s[o.name] === o.initial);
    return same ? { builtin: p.builtin } : { kind: p.kind, options: generatorOptions(s) };
  }
  if (p.builtin && !p.kind && s.noise === 0 && s.flip === 0 && s.margin === 0
      && (s.n === undefined || s.n === 4))
    return { builtin: p.builtin, ...(s.pair ? { pair: s.pair, without: s.without } : {}) };
  return null;
}

function generatorOptions(s) {
  const o = { rows: String(s.n), spread: String(s.noise), digits: DIGITS, seed: String(s.seed) };
  if (s.flip > 0) o.noise = String(s.flip);
  return o;
}

function basicRows(core, preset, s) {
  if (preset.kind)
    return taken(core.generate(preset.kind, generatorOptions(s)), (d) => rowsOf(d));
  const data = core.read({ path: preset.builtin });
  if (s.pair)
    return taken(data, (d) => rowsOf(d, s.pair[0], s.pair[1]).filter((r) => r[2] !== s.without));
  const rows = taken(data, (d) => rowsOf(d));
  return Array.from({ length: s.n }, (_, i) => rows[i % rows.length].slice());
}

function stray(rows, s) {
  const random = randomFrom(s.seed), labels = sortLabels([...new Set(rows.map((r) => r[2]))]);
  for (const r of rows) {
    const dx = normal(random), dy = normal(random), wrong = random(), which = random();
    if (s.noise > 0) {
      r[0] = round3(r[0] + s.noise * dx);
      r[1] = round3(r[1] + s.noise * dy);
    }
    if (wrong < s.flip && labels.length > 1) {
      const others = labels.filter((l) => l !== r[2]);
      r[2] = others[Math.floor(which * others.length)];
    }
  }
}

// Moves each class by m/2 along the unit vector from the centre of the means to its own mean.
function push(rows, m) {
  const sums = new Map();
  for (const [x, y, label] of rows) {
    const s = sums.get(label) || { n: 0, x: 0, y: 0 };
    sums.set(label, { n: s.n + 1, x: s.x + x, y: s.y + y });
  }
  const means = [...sums].map(([label, s]) => ({ label, x: s.x / s.n, y: s.y / s.n }));
  const cx = means.reduce((a, q) => a + q.x, 0) / means.length;
  const cy = means.reduce((a, q) => a + q.y, 0) / means.length;
  for (const q of means) {
    const dx = q.x - cx, dy = q.y - cy, d = Math.sqrt(dx * dx + dy * dy);
    if (!(d > 1e-9)) continue; // the means are equal: nowhere to go
    for (const r of rows) {
      if (r[2] !== q.label) continue;
      r[0] = round3(r[0] + (m / 2) * (dx / d));
      r[1] = round3(r[1] + (m / 2) * (dy / d));
    }
  }
}

// The square of the distance from each row to the nearest one of another class.
function gaps(rows) {
  const n = rows.length, labels = [...new Set(rows.map((r) => r[2]))];
  const x = Float64Array.from(rows, (r) => r[0]), y = Float64Array.from(rows, (r) => r[1]);
  const c = Int32Array.from(rows, (r) => labels.indexOf(r[2]));
  const gap = new Float64Array(n).fill(Infinity);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) {
      if (c[i] === c[j]) continue;
      const dx = x[i] - x[j], dy = y[i] - y[j], d = dx * dx + dy * dy;
      if (d < gap[i]) gap[i] = d;
      if (d < gap[j]) gap[j] = d;
    }
  return gap;
}

// Drops rows nearer than m to one of another class, but keeps the farthest row of each class.
function widen(rows, m) {
  const gap = gaps(rows), far = new Map(); // label -> its farthest row
  rows.forEach((r, i) => {
    if (!far.has(r[2]) || gap[i] > gap[far.get(r[2])]) far.set(r[2], i);
  });
  return rows.filter((r, i) => gap[i] >= m * m || far.get(r[2]) === i);
}

export function makeSet(core, data) {
  if (data && data.points) return setFromPoints(data.points, data.names);
  const preset = presetOf(data.preset), s = settings(preset, data);
  let rows = basicRows(core, preset, s);
  if (!preset.kind && (s.noise > 0 || s.flip > 0)) stray(rows, s);
  if (s.margin !== 0) {
    if (!preset.gap) push(rows, s.margin);
    else rows = widen(rows, s.margin);
  }
  return setOf(rows, s.pair ? s.pair.map((k) => IRIS[k]) : ['x1', 'x2']);
}

// ----- tables ----------------------------------------------------------------------------------

// `labels`, if given to pick, are the ones to keep; other rows are left out.
export function columnsOf(core, text, options = {}) {
  const data = core.read({ text }, options);
  return taken(data, (d) => {
    const { features, rows, labels } = d;
    if (rows > MAX_POINTS)
      throw new Error(`${rows} rows are more than the ${MAX_POINTS} this page draws; `
                      + 'the command line reads them');
    const names = Array.from({ length: features }, (_, k) =>
      (d.names && d.names[k]) || `x${k + 1}`);
    const x = Float64Array.from(d.x), y = Int32Array.from(d.y);
    const value = (r, k) => (k < features ? x[r * features + k] : 0); // one column: a line at 0
    const pick = (i, j, { labels: keep = null } = {}) => {
      const out = [];
      for (let r = 0; r < rows; r++) {
        const label = y[r] >= 0 ? cleanLabel(labels[y[r]]) : '';
        if (label === '') throw new Error(`row ${r + 1} has no label`);
        if (!keep || keep.includes(label)) out.push([value(r, i), value(r, j), label]);
      }
      return setOf(out, [names[i] || `x${i + 1}`, names[j] || `x${j + 1}`]);
    };
    const note = (d.info && d.info.note) || '';
    return { names, labels: [...labels], rows, features, note, pick };
  });
}
