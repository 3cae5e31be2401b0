// prove.js -- can a line separate the classes? Settled in whole numbers, on the decimals that
// stand in the set's text, with a certificate that `perceptron verify` checks.
//
// Write a_i = y_i (x_i, 1) for row i, or y_i x_i without an offset. The cone K of all sums of a_i
// with weights >= 0 holds a largest subspace L; C are the rows with a_i in L, S the others.
// C empty: separable. S empty: overlapping. Else touching. (docs/proofs.md has the theorem.)
//
//     prove(set, { offset = true, positive = null })
//         -> { verdict, w: [w1, w2] | null, b, witness: [{ row, weight }], strict: [rows],
//              held: [rows], positive, negative, sentence, meaning, plane, certificate, parts,
//              offset }
//         rows from 0; w, b, weight: BigInt (b is 0n without an offset); plane: "2 x1 - 3 > 0 ..."
//         More than two labels: `parts` has each class against the rest, the certificate all of
//         them, and the other fields are those of the worst part. No rows: verdict null.
//         positive: only this label against the rest.
//     hulls(set) -> [[row, ..] for each label]     corners of the convex hulls, counter-clockwise
//     bound(core, set, { offset = true, positive = null })
//         -> { R, gamma, upper, bound, u: [u1, u2, ub], R2, gamma2, most, rows }
//         R = max |(x_i, 1)|, gamma = gamma' = the largest min y_i u.(x_i, 1) of a unit vector u,
//         rounded to doubles, upper a little above it; bound = R^2 / gamma^2; most: the most
//         mistakes that it allows, a whole number, exact; rows: those nearest to the best line.
//         null: no line separates the rows. undefined: no rows, or more than two labels and no
//         `positive`, so that it is not one problem. The core is not asked: the point of the
//         hull that is nearest to 0 is gamma' u, and prove() has it exactly.
import { abs, classify, dot, primitive, ratio, rootOf, wholeRows } from './exact.js';
import { certificateText } from './certificate.js';

// ----- one problem -----------------------------------------------------------------------------

// { positive: text, negative: text or null, rows: of the set, y: +1n/-1n }
function problems(set, positive) {
  const present = set.labels.map((_, c) => set.y.includes(c));
  const labels = set.labels.map((_, c) => c).filter((c) => present[c]);
  const rows = Array.from(set.y, (_, i) => i);
  const one = (c, negative) => ({ positive: set.labels[c], negative, rows,
                                  y: Array.from(set.y, (l) => (l === c ? 1n : -1n)) });
  const asked = positive === null ? -1 : set.labels.indexOf(positive);
  if (asked >= 0) return [one(asked, labels.length === 2
    ? set.labels[labels.find((c) => c !== asked)] : null)];
  if (labels.length === 2) return [one(labels[1], set.labels[labels[0]])];
  return labels.map((c) => one(c, null));
}

function vectors(whole, problem, offset) {
  return problem.y.map((y, i) => {
    const [p, q] = whole.points[i];
    return offset ? [y * p, y * q, y * whole.unit] : [y * p, y * q];
  });
}

function settle(set, whole, problem, offset) {
  const a = vectors(whole, problem, offset), oneSided = problem.y.every((y) => y === problem.y[0]);
  const r = oneSided && offset
    ? { w: [0n, 0n, problem.y[0]], strict: problem.rows, held: [], no: null, all: null }
    : classify(a, offset ? 3 : 2);
  const verdict = r.held.length === 0 ? 'separable'
    : r.strict.length > 0 ? 'touching' : 'overlapping';
  const [w, b] = planeOf(r.w);
  const part = { positive: problem.positive, negative: problem.negative, verdict, offset,
                 w, b, strict: r.strict, held: r.held, witness: r.no || [], all: r.all };
  part.plane = w ? planeText(set, part) : '';
  part.sentence = sentenceOf(set, problem, part, oneSided);
  return part;
}

// w is for rows times the unit, (unit x, unit): the same as for (x, 1). So nothing has to change.
function planeOf(w) {
  return w ? [[w[0], w[1]], w.length > 2 ? w[2] : 0n] : [null, 0n];
}

// ----- words -----------------------------------------------------------------------------------

export function planeText(set, part) {
  const terms = [[part.w[0], set.names[0]], [part.w[1], set.names[1]], [part.b, '']]
    .filter(([v]) => v !== 0n);
  const text = terms.map(([v, name], i) => {
    const n = abs(v), factor = name === '' ? String(n) : n === 1n ? name : `${n} ${name}`;
    return i === 0 ? (v < 0n ? `-${factor}` : factor) : (v < 0n ? ` - ${factor}` : ` + ${factor}`);
  }).join('') || '0';
  const [above, below] = part.verdict === 'separable' ? ['>', '<'] : ['>=', '<='];
  const other = part.negative === null ? 'the rest' : part.negative;
  return `${text} ${above} 0 for ${part.positive}, ${below} 0 for ${other}`;
}

const list = (items) => (items.length < 2 ? items.join('')
  : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`);

function sideText(rows, label) {
  const numbers = rows.map((r) => String(r + 1));
  return `row${rows.length > 1 ? 's' : ''} ${list(numbers)} (${label})`;
}

function sentenceOf(set, problem, part, oneSided) {
  const where = part.offset ? 'line' : 'line through the origin';
  if (oneSided && part.verdict === 'separable')
    return `There is one class only, ${set.labels[set.y[0]]}: nothing to tell apart.`;
  if (part.verdict === 'separable')
    return `Separable: a ${where} has every row strictly on its side, ${part.plane}.`;
  const why = `${witnessText(problem, part)}`;
  const no = `No ${where} separates the classes: ${why}.`;
  return part.verdict === 'touching'
    ? `Touching. ${no} But ${part.plane} has no row on the wrong side, and `
      + `${part.strict.length} of ${set.y.length} strictly on their own.`
    : `Overlapping. ${no} And every ${where} with a row strictly on its side has another on the `
      + 'wrong one.';
}

// The small cases have names, as in `perceptron prove`.
function witnessText(problem, part) {
  const of = (s) => part.witness.filter(({ row }) => problem.y[row] === s);
  const plus = of(1n), minus = of(-1n), n = plus.length, m = minus.length;
  const a = sideText(plus.map((p) => p.row), part.positive);
  const b = sideText(minus.map((p) => p.row), part.negative === null ? 'the rest' : part.negative);
  const equal = (side) => side.every((p) => p.weight === side[0].weight);
  if (part.offset) {
    const [one, more, many] = n <= m ? [a, b, minus] : [b, a, plus];
    if (n === 1 && m === 1) return `${a} and ${b} are the same point`;
    if (n + m === 3)
      return `${one} ${equal(many) ? 'is the midpoint of' : 'lies on the segment between'} ${more}`;
    if (n === 2 && m === 2 && equal(plus) && equal(minus))
      return `${a} and ${b} have the same midpoint`;
    if (n === 2 && m === 2) return `the segments between ${a} and between ${b} cross`;
    if (n === 1 || m === 1) return `${one} lies in the triangle of ${more}`;
    return `a weighted mean of ${a} equals a weighted mean of ${b}`;
  }
  if (n + m === 1) return `${n === 1 ? a : b} is the origin itself`;
  if (n === 0 || m === 0) return `a weighted sum of ${n === 0 ? b : a} is 0`;
  if (n === 1 && m === 1) {
    const how = equal(part.witness) ? 'are the same point' : 'lie in the same direction';
    return `${a} and ${b} ${how}`;
  }
  return `a weighted sum of ${a} equals a weighted sum of ${b}`;
}

function meaningOf(verdict) {
  return verdict === 'separable' ? 'The perceptron converges, in any order of the rows.'
    : verdict ? 'The perceptron goes on making mistakes for ever.' : '';
}

// ----- what the page asks ----------------------------------------------------------------------

const ORDER = ['separable', 'touching', 'overlapping'];

export function prove(set, { offset = true, positive = null } = {}) {
  const none = { verdict: null, w: null, b: 0n, witness: [], strict: [], held: [], parts: [],
                 positive: null, negative: null, plane: '', certificate: '', meaning: '', offset,
                 sentence: 'There are no points yet.' };
  if (set.y.length === 0) return none;
  const whole = wholeRows(set);
  const parts = problems(set, positive).map((p) => settle(set, whole, p, offset));
  const rank = (p) => ORDER.indexOf(p.verdict);
  const worst = parts.reduce((a, b) => (rank(b) > rank(a) ? b : a));
  const several = parts.length < 2 ? worst.sentence
    : parts.map((p) => `${p.positive} against the rest: ${p.sentence}`).join(' ');
  return { ...worst, parts, sentence: several, meaning: meaningOf(worst.verdict),
           certificate: certificateText(set, parts, offset) };
}

// Andrew's monotone chain (1979), with exact orientations. One corner: a point; two: a segment.
export function hulls(set) {
  const { points } = wholeRows(set);
  const cmp = (i, j) => {
    const [a, b] = [points[i], points[j]];
    const d = a[0] !== b[0] ? a[0] - b[0] : a[1] - b[1];
    return d < 0n ? -1 : d > 0n ? 1 : i - j;
  };
  const turn = (i, j, k) => {
    const [a, b, c] = [points[i], points[j], points[k]];
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  };
  const half = (rows) => {
    const out = [];
    for (const i of rows) {
      while (out.length > 1 && turn(out[out.length - 2], out[out.length - 1], i) <= 0n) out.pop();
      out.push(i);
    }
    return out.slice(0, -1);
  };
  return set.labels.map((_, c) => {
    const rows = Array.from(set.y, (_l, i) => i).filter((i) => set.y[i] === c).sort(cmp);
    const same = (i, j) => points[i][0] === points[j][0] && points[i][1] === points[j][1];
    const distinct = rows.filter((i, k) => k === 0 || !same(i, rows[k - 1]));
    if (distinct.length < 3) return distinct;
    return [...half(distinct), ...half(distinct.slice().reverse())];
  });
}

// The point p of the hull of the a_i nearest to 0 has |p| = gamma' (docs/proofs.md) and direction
// u. w = c p: the smallest a_i.w is c |p|^2 = |w|^2 / c, so gamma' = min a_i.w / |w|, exactly.
export function bound(core, set, { offset = true, positive = null } = {}) {
  const labels = new Set(set.y).size;
  if (labels === 0 || (labels > 2 && positive === null)) return undefined;
  const whole = wholeRows(set), [problem] = problems(set, positive);
  const a = vectors(whole, problem, offset), r = classify(a, offset ? 3 : 2);
  if (r.held.length > 0) return null;
  const w = primitive(r.best), norm2 = dot(w, w), unit2 = whole.unit * whole.unit;
  const sides = a.map((v) => dot(v, w)), least = sides.reduce((m, v) => (v < m ? v : m));
  const R2 = a.reduce((m, v) => (dot(v, v) > m ? dot(v, v) : m), 0n); // times unit2
  const gamma = rootOf(least * least, norm2 * unit2);
  const up = (v) => v * (1 + 4 * Number.EPSILON);
  return { R: rootOf(R2, unit2), gamma, upper: up(gamma),
           R2: ratio(R2, unit2), gamma2: ratio(least * least, norm2 * unit2),
           bound: ratio(R2 * norm2, least * least), most: Number((R2 * norm2) / (least * least)),
           u: w.map((v) => Math.sign(Number(v)) * rootOf(v * v, norm2)),
           rows: sides.map((v, i) => i).filter((i) => sides[i] === least) };
}
