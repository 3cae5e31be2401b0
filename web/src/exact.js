// exact.js -- which rows a plane can have strictly on their side, in whole numbers of any length.
//
// Farkas (1902): for vectors v_i and t, either t = sum m_i v_i with all m_i >= 0, or some p has
// p.v_i <= 0 for all i, and p.t > 0. Which of them, and the numbers, are found by the point of the
// cone that is nearest to t: the active-set method of Lawson and Hanson (1974, chapter 23), here
// in fractions of whole numbers, so that it ends with the exact answer; the m_i that are not 0
// belong to independent vectors, so there are never more of them than dimensions.
//
//   Gordan's question, is there a w with a_i.w > 0 for all i, is that with v_i = (a_i, 1) and
//   t = (0, 1). No: weights of a sum that is 0, at most d + 2 of them. Yes: p = (-w, c), and w
//   points to the point of the hull of the a_i that is nearest to 0, which is gamma' u: so it
//   is the plane of the largest margin.
//   The rows of a witness span a part of L. What is left of the others across it is asked again,
//   in a space of fewer dimensions, until there is a w or nothing is left.
//   A sum over all of C: sum m_i a_i = -(sum of all a_i of C), and then each weight is 1 + m_i.
//
//     classify(a, k)      vectors a of k whole numbers -> { w, best, strict, held, no, all }
//         strict, held    S and C, as numbers of vectors; w: a_i.w > 0 on S, 0 on C, of short
//                         numbers if they do; null: S is empty. best: that of the largest margin
//         no              [{ row, weight }], a sum that is 0; null: C is empty
//         all             { rows, weights, others }: a sum over all of C that is 0
//     decimal(v)          { digits, exponent } of a number's decimal text
//     wholeRows(set)      { unit, points: [[x1, x2]] }: all rows times unit, a power of ten
//     rootOf(top, bottom), ratio(top, bottom)   doubles next to sqrt(top / bottom), top / bottom
//     dot(a, b), primitive(a), abs(a)

// ----- whole numbers and fractions -------------------------------------------------------------

export const abs = (a) => (a < 0n ? -a : a);
function gcd(a, b) {
  a = abs(a);
  b = abs(b);
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

export const dot = (a, b) => {
  let s = 0n;
  for (let k = 0; k < a.length; k++) s += a[k] * b[k];
  return s;
};
const isZero = (a) => a.every((v) => v === 0n);
// Divided by the greatest common divisor.
export function primitive(a) {
  const g = a.reduce(gcd, 0n);
  return g > 1n ? a.map((v) => v / g) : a;
}

// Solves G z = h by elimination without fractions (Bareiss 1968): z = top / bottom, bottom > 0.
// G is a Gram matrix of independent vectors, so no pivot is 0.
function solve(G, h) {
  const n = h.length, m = G.map((row, i) => [...row, h[i]]);
  let before = 1n;
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      for (let j = n; j >= 0; j--)
        if (j !== k) m[i][j] = (m[i][j] * m[k][k] - m[i][k] * m[k][j]) / before;
      m[i][k] = 0n;
    }
    before = m[k][k];
    for (let i = 0; i < k; i++) m[i][i] = before;
  }
  return { top: m.map((row) => row[n]), bottom: before };
}

// The decimal text of a number as { digits, exponent }: digits * 10^exponent, digits no multiple
// of 10 (0 has exponent 0).
export function decimal(v) {
  const form = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/;
  const [, sign, whole, part = '', e = '0'] = form.exec(String(v));
  let digits = BigInt(whole + part), exponent = Number(e) - part.length;
  if (digits === 0n) return { digits: 0n, exponent: 0 };
  while (digits % 10n === 0n) {
    digits /= 10n;
    exponent++;
  }
  return { digits: sign ? -digits : digits, exponent };
}

// All rows times a power of ten, which makes them whole numbers; the unit is that power.
export function wholeRows(set) {
  const d = Array.from(set.x, decimal);
  const low = d.reduce((m, v) => Math.min(m, v.exponent), 0);
  const at = (v) => v.digits * 10n ** BigInt(v.exponent - low);
  return { unit: 10n ** BigInt(-low),
           points: Array.from(set.y, (_, i) => [at(d[2 * i]), at(d[2 * i + 1])]) };
}

// ----- Farkas ----------------------------------------------------------------------------------

// { weights: Map index -> BigInt, total: BigInt }: sum weights[i] v_i = total t, total > 0;
// or { plane: p }: p.v_i <= 0 for all i and p.t > 0.
function farkas(v, t) {
  let used = [], top = [], bottom = 1n; // m_i = top / bottom of v[used]
  for (;;) {
    const rest = t.map((tk, k) =>
      tk * bottom - used.reduce((s, i, q) => s + top[q] * v[i][k], 0n)); // bottom (t - sum m_i v_i)
    if (isZero(rest)) return { weights: new Map(used.map((i, q) => [i, top[q]])), total: bottom };
    const p = primitive(rest);
    let best = -1, most = 0n;
    for (let i = 0; i < v.length; i++) {
      const g = dot(v[i], p);
      if (g > most) [best, most] = [i, g];
    }
    if (best < 0) return { plane: p };
    used.push(best);
    top.push(0n);
    ({ used, top, bottom } = descend(v, t, used, top, bottom));
  }
}

// The nearest point of the cone of v[used]: that of the whole span or, if that has a weight below
// 0, as far towards it as all stay >= 0; those that reach 0 leave.
function descend(v, t, used, top, bottom) {
  for (;;) {
    const gram = used.map((i) => used.map((j) => dot(v[i], v[j])));
    const z = solve(gram, used.map((i) => dot(v[i], t)));
    if (z.top.every((a) => a > 0n)) return { used, top: z.top, bottom: z.bottom };
    // m + s (z - m), s = min m_i / (m_i - z_i) over z_i <= 0, all over bottom * z.bottom
    let sTop = 1n, sBottom = 1n;
    const m = top.map((a) => a * z.bottom), to = z.top.map((a) => a * bottom);
    for (let q = 0; q < m.length; q++) {
      if (to[q] > 0n) continue;
      if (m[q] * sBottom < sTop * (m[q] - to[q])) [sTop, sBottom] = [m[q], m[q] - to[q]];
    }
    const moved = m.map((a, q) => a * sBottom + sTop * (to[q] - a));
    const keep = moved.map((a, q) => q).filter((q) => moved[q] > 0n);
    const all = primitive([...keep.map((q) => moved[q]), bottom * z.bottom * sBottom]);
    used = keep.map((q) => used[q]);
    top = all.slice(0, -1);
    bottom = all[all.length - 1];
  }
}

// ----- the classes of rows ---------------------------------------------------------------------

// Whole vectors that span the orthogonal complement of `rows`, in k dimensions.
function complement(rows, k) {
  const m = rows.map((r) => r.slice()), pivots = [];
  let at = 0;
  for (let c = 0; c < k && at < m.length; c++) {
    const p = m.findIndex((r, i) => i >= at && r[c] !== 0n);
    if (p < 0) continue;
    [m[at], m[p]] = [m[p], m[at]];
    for (let i = 0; i < m.length; i++) {
      if (i === at || m[i][c] === 0n) continue;
      const f = m[i][c], g = m[at][c];
      m[i] = primitive(m[i].map((a, j) => a * g - f * m[at][j]));
    }
    pivots.push(c);
    at++;
  }
  const out = [];
  for (let free = 0; free < k; free++) {
    if (pivots.includes(free)) continue;
    const all = pivots.reduce((s, c, i) => (s * m[i][c]) / gcd(s, m[i][c]), 1n);
    const n = Array(k).fill(0n);
    n[free] = all;
    pivots.forEach((c, i) => { n[c] = -(m[i][free] * all) / m[i][c]; });
    out.push(primitive(n));
  }
  return out;
}

// a: whole vectors of k dimensions -> { w: vector or null, strict, held, no, all }
export function classify(a, k) {
  const out = { w: null, strict: [], held: [], no: null, all: null };
  let across = complement([], k), inside = [];
  for (;;) {
    const b = a.map((v) => across.map((n) => dot(n, v)));
    const active = b.map((_, i) => i).filter((i) => !isZero(b[i]));
    const zero = a.findIndex(isZero);
    if (!out.no && zero >= 0) out.no = [{ row: zero, weight: 1n }];
    const f = active.length > 0
      ? farkas(active.map((i) => [...b[i], 1n]), [...across.map(() => 0n), 1n]) : null;
    if (!f || f.plane) {
      if (f) {
        const p = f.plane.slice(0, -1).map((v) => -v);
        const short = shorten(p, active.map((i) => b[i]));
        out.w = primitive(lift(short, across, k));
        out.best = lift(p, across, k);
      }
      out.strict = active;
      break;
    }
    const rows = [...f.weights.keys()].map((q) => active[q]);
    if (!out.no) out.no = witnessOf(f, active);
    inside = inside.concat(rows.map((i) => a[i]));
    across = complement(inside, k);
    if (across.length === 0) break;
  }
  const strict = new Set(out.strict);
  out.held = a.map((_, i) => i).filter((i) => !strict.has(i));
  if (out.held.length > 0) out.all = sumOfAll(a, out.held, k);
  return out;
}

const lift = (p, across, k) =>
  Array.from({ length: k }, (_, c) => across.reduce((s, n, j) => s + n[c] * p[j], 0n));

function witnessOf(f, active) {
  const keys = [...f.weights.keys()], weights = primitive([...f.weights.values()]);
  return keys.map((q, i) => ({ row: active[q], weight: weights[i] }))
    .sort((p, q) => p.row - q.row);
}

// A plane of short numbers near p, if one has all rows strictly on their side; otherwise p itself.
function shorten(p, b) {
  const most = p.map(abs).reduce((m, v) => (v > m ? v : m), 1n);
  for (const size of [1n, 2n, 3n, 4n, 5n, 6n, 8n, 10n, 15n, 20n, 30n, 50n, 100n, 200n, 500n, 1000n,
                      10n ** 4n, 10n ** 5n, 10n ** 6n, 10n ** 8n]) {
    if (size >= most) break;
    const q = p.map((v) => {
      const twice = 2n * abs(v) * size + most; // rounded to the nearest
      return (v < 0n ? -1n : 1n) * (twice / (2n * most));
    });
    if (!isZero(q) && b.every((v) => dot(v, q) > 0n)) return primitive(q);
  }
  return primitive(p);
}

// Weights above 0 for all held rows whose sum is 0: those of `rows`, and `others` for the rest.
function sumOfAll(a, held, k) {
  const sum = Array.from({ length: k }, (_, c) => held.reduce((s, i) => s + a[i][c], 0n));
  const f = farkas(held.map((i) => a[i]), sum.map((v) => -v));
  if (f.plane) throw new Error('a held row is not held'); // cannot be: -sum lies in the cone
  const listed = [...f.weights].filter(([, m]) => m > 0n).sort((p, q) => p[0] - q[0]);
  const all = primitive([f.total, ...listed.map(([, m]) => f.total + m)]);
  return { rows: listed.map(([q]) => held[q]), weights: all.slice(1), others: all[0] };
}

// ----- doubles ---------------------------------------------------------------------------------

// sqrt(top / bottom) to about the nearest double: in whole numbers, to 64 bits or more.
export function rootOf(top, bottom) {
  const shift = BigInt(Math.max(128, 128 + bottom.toString(2).length - top.toString(2).length));
  const even = shift + (shift & 1n);
  return Number(squareRoot((top << even) / bottom)) / 2 ** Number(even / 2n);
}

function squareRoot(n) {
  if (n < 2n) return n;
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

export const ratio = (top, bottom) => {
  const s = rootOf(top * top, bottom * bottom);
  return top < 0n ? -s : s;
};
