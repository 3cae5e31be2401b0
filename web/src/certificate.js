// certificate.js -- a proof as the text that `perceptron verify` and core.verify read
// (docs/certificate-format.md).
//
//     certificateText(set, parts, offset)   parts: of prove.js
//     dataHash(set)                         the hash of the rows (src/data/canonical.h)
//     sha256(bytes)                         in hexadecimal
import { decimal } from './exact.js';

const utf8 = new TextEncoder();

// SHA-256 (FIPS 180-4) of bytes, in hexadecimal. The browser's own is asynchronous, and missing in
// pages loaded from disk.
export function sha256(bytes) {
  const { K, H } = sha256Constants();
  const n = bytes.length, size = ((n + 8) >> 6 << 6) + 64, m = new Uint8Array(size);
  m.set(bytes);
  m[n] = 0x80;
  const view = new DataView(m.buffer), h = Uint32Array.from(H), w = new Uint32Array(64);
  view.setUint32(size - 4, (n << 3) >>> 0); // bits, below 2^32
  const r = (x, s) => (x >>> s) | (x << (32 - s));
  for (let at = 0; at < size; at += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getUint32(at + 4 * t);
    for (let t = 16; t < 64; t++) {
      const p = w[t - 15], q = w[t - 2];
      w[t] = w[t - 16] + (r(p, 7) ^ r(p, 18) ^ (p >>> 3))
        + w[t - 7] + (r(q, 17) ^ r(q, 19) ^ (q >>> 10));
    }
    let [a, b, c, d, e, f, g, z] = h;
    for (let t = 0; t < 64; t++) {
      const one = (z + (r(e, 6) ^ r(e, 11) ^ r(e, 25)) + ((e & f) ^ (~e & g)) + K[t] + w[t]) | 0;
      const two = ((r(a, 2) ^ r(a, 13) ^ r(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [z, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, z].forEach((v, k) => { h[k] += v; });
  }
  return Array.from(h, (v) => v.toString(16).padStart(8, '0')).join('');
}

// The first 32 bits after the point of the roots of the first primes: cube roots for K, square
// roots for H; in whole numbers, because pow is not exactly specified.
let constants = null;
function sha256Constants() {
  if (constants) return constants;
  const root = (n, k) => {
    let lo = 0n, hi = n;
    while (lo < hi) {
      const mid = (lo + hi + 1n) >> 1n;
      if (mid ** k <= n) lo = mid;
      else hi = mid - 1n;
    }
    return Number(lo & 0xffffffffn);
  };
  const primes = [];
  for (let p = 2; primes.length < 64; p++)
    if (primes.every((q) => p % q !== 0)) primes.push(p);
  constants = { K: Uint32Array.from(primes, (p) => root(BigInt(p) << 96n, 3n)),
                H: Uint32Array.from(primes.slice(0, 8), (p) => root(BigInt(p) << 64n, 2n)) };
  return constants;
}

function rowText(set, i) {
  const label = set.labels[set.y[i]];
  let out = `${utf8.encode(label).length}:${label}`;
  for (let j = 0; j < 2; j++) {
    const d = decimal(set.x[2 * i + j]);
    if (d.digits !== 0n) out += ` ${j + 1}:${d.digits}e${d.exponent}`;
  }
  return `${out}\n`;
}

export function dataHash(set) {
  const GROUP = 4096, n = set.y.length;
  let lines = `perceptron rows 1\n${n}\n`;
  for (let at = 0; at < n; at += GROUP) {
    let text = '';
    for (let i = at; i < Math.min(n, at + GROUP); i++) text += rowText(set, i);
    lines += `${sha256(utf8.encode(text))}\n`;
  }
  return sha256(utf8.encode(lines));
}

const quoted = (numbers) => `[${numbers.map((v) => `"${v}"`).join(',')}]`;
const counted = (rows) => `[${rows.map((r) => r + 1).join(',')}]`;

function partText(p) {
  const pairs = p.w ? p.w.map((v, j) => [j + 1, v]).filter(([, v]) => v !== 0n) : [];
  const out = [`{"positive":${JSON.stringify(p.positive)},"negative":${JSON.stringify(p.negative)},`
    + `"verdict":"${p.verdict}","strict":${p.strict.length},"held":${p.held.length}`];
  const w = pairs.map(([j, v]) => `[${j},"${v}"]`).join(',');
  if (p.verdict !== 'overlapping') out.push(`"w":[${w}]${p.offset ? `,"b":"${p.b}"` : ''}`);
  if (p.verdict !== 'separable')
    out.push(`"no":{"rows":${counted(p.witness.map((q) => q.row))},`
      + `"weights":${quoted(p.witness.map((q) => q.weight))}}`,
    `"all":{"rows":${counted(p.all.rows)},"weights":${quoted(p.all.weights)},`
      + `"others":"${p.all.others}"}`);
  return `${out.join(',\n')}}`;
}

export function certificateText(set, parts, offset) {
  return `{"perceptron_certificate":1,"data":{"sha256":"${dataHash(set)}","rows":${set.y.length},`
    + `"features":2},"offset":${offset},"kernel":null,"parts":[\n`
    + `${parts.map(partText).join(',\n')}]}\n`;
}
