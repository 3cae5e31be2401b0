/* state.js -- the whole state of the page as one plain object, and as the #fragment of a link.
 *
 * A link may come from anybody, cut short or made up. So nothing in it is used before `clean`
 * has copied what it knows, field by field, within limits; the rest is dropped. What cannot be
 * read at all is an error with a sentence, and the page then starts from the default.
 *
 * The fragment: "j" + percent-encoded JSON, or "z" + base64url of deflated JSON where that is
 * shorter and the browser can do it. */

export const MAX_POINTS = 5000;
export const MAX_LEARNERS = 4;
const MAX_LINK = 400000;
const MAX_TEXT = 4 << 20;
const MODES = ['watch', 'teacher', 'formula'];
const FIGURES = ['weights', 'weights-1b', 'weights-2b', 'counters', 'lift', 'network', 'none'];

export function defaultState() {
  return {
    data: { preset: 'blobs85' },
    learners: [{ algorithm: 'perceptron', options: {} }],
    order: 'file', seed: 0, at: 0, speed: 3, focus: 0,
    mode: 'watch', formula: 'a ^ b', bits: [], proved: false, taught: [],
    pupil: { algorithm: 'perceptron', options: {} },
  };
}

const text = (v, most) => (typeof v === 'string' && v.length <= most ? v : null);
const whole = (v, least, most, other) =>
  (Number.isInteger(v) && v >= least && v <= most ? v : other);
const finite = (v) => typeof v === 'number' && Number.isFinite(v) && Math.abs(v) <= 1e12;

function cleanOptions(options) {
  const clean = {};
  if (!options || typeof options !== 'object') return clean;
  for (const [name, value] of Object.entries(options).slice(0, 60)) {
    if (/^[A-Za-z][\w-]{0,40}$/.test(name) && text(value, 200) !== null) clean[name] = value;
  }
  return clean;
}

function cleanLearner(learner) {
  if (!learner || typeof learner !== 'object') return null;
  const algorithm = text(learner.algorithm, 40);
  if (!algorithm || !/^[a-z][a-z0-9-]*$/.test(algorithm)) return null;
  const clean = { algorithm, options: cleanOptions(learner.options) };
  if (FIGURES.includes(learner.figure)) clean.figure = learner.figure;
  return clean;
}

function cleanPoint(p) {
  if (!Array.isArray(p) || p.length !== 3 || !finite(p[0]) || !finite(p[1])) return null;
  const label = typeof p[2] === 'number' ? String(p[2]) : text(p[2], 100);
  return label ? [p[0], p[1], label] : null;
}

function cleanPoints(data) {
  if (data.points.length > MAX_POINTS) {
    throw new Error(`the link has ${data.points.length} points; the page takes ${MAX_POINTS}`);
  }
  const points = data.points.map(cleanPoint);
  if (points.includes(null)) throw new Error('a point in the link is not [x, y, label]');
  const names = Array.isArray(data.names) && data.names.length === 2
    && data.names.every((n) => text(n, 100)) ? data.names.slice() : ['x1', 'x2'];
  const clean = { points, names };
  if (Array.isArray(data.labels)) {
    clean.labels = data.labels.slice(0, 50).filter((l) => text(l, 100));
  }
  return clean;
}

function cleanData(data) {
  if (!data || typeof data !== 'object') return defaultState().data;
  if (Array.isArray(data.points)) return cleanPoints(data);
  const clean = { preset: text(data.preset, 40) || 'blobs85' };
  for (const [name, value] of Object.entries(data).slice(0, 20)) {
    if (!/^[a-z]\w{0,30}$/i.test(name) || name === 'preset') continue;
    if (finite(value) || (typeof value === 'string'
      && /^[\w .-]{1,40}$/.test(value))) clean[name] = value;
  }
  if (Array.isArray(data.pair) && data.pair.length === 2
      && data.pair.every((c) => whole(c, 0, 1000, null) !== null)) clean.pair = data.pair.slice();
  return clean;
}

/* A complete state within limits, made from anything. */
export function cleanState(raw) {
  if (!raw || typeof raw !== 'object' || Array.isArray(raw)) {
    throw new Error('the link does not hold a state');
  }
  const d = defaultState();
  const learners = (Array.isArray(raw.learners) ? raw.learners : []).slice(0, MAX_LEARNERS)
    .map(cleanLearner).filter(Boolean);
  return {
    data: cleanData(raw.data),
    learners: learners.length ? learners : d.learners,
    order: raw.order === 'shuffle' ? 'shuffle' : 'file',
    seed: whole(raw.seed, 0, 999999999, 0),
    at: whole(raw.at, 0, 1e7, 0),
    speed: whole(raw.speed, 0, 10, d.speed),
    focus: whole(raw.focus, 0, Math.max(0, learners.length - 1), 0),
    mode: MODES.includes(raw.mode) ? raw.mode : 'watch',
    formula: text(raw.formula, 4000) || d.formula,
    bits: (Array.isArray(raw.bits) ? raw.bits : []).slice(0, 64).map((b) => (b === 1 ? 1 : 0)),
    proved: raw.proved === true,
    taught: (Array.isArray(raw.taught) ? raw.taught : []).slice(0, 10000)
      .filter((r) => whole(r, 0, MAX_POINTS, null) !== null),
    pupil: cleanLearner(raw.pupil) || d.pupil,
  };
}

/* What differs from the default: links of a fresh page are short. */
function different(state) {
  const d = defaultState();
  const out = {};
  for (const key of Object.keys(d)) {
    if (JSON.stringify(state[key]) !== JSON.stringify(d[key])) out[key] = state[key];
  }
  return out;
}

async function through(stream, bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) { reader.cancel(); throw new Error('the link unpacks to too much'); }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const toBase64 = (bytes) => {
  let s = '';
  for (let i = 0; i < bytes.length; i += 8192) {
    s += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return btoa(s).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
};

const fromBase64 = (s) =>
  Uint8Array.from(atob(s.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));

/* The fragment of a state, without '#'; '' for the default state. */
export async function encodeState(state) {
  const json = JSON.stringify(different(state));
  if (json === '{}') return '';
  const plain = `j${encodeURIComponent(json)}`;
  if (plain.length < 300 || typeof CompressionStream === 'undefined') return plain;
  const packed = await through(new CompressionStream('deflate-raw'),
    new TextEncoder().encode(json), MAX_TEXT);
  const packedText = `z${toBase64(packed)}`;
  return packedText.length < plain.length ? packedText : plain;
}

async function jsonOf(fragment) {
  if (fragment.length > MAX_LINK) throw new Error('the link is too long');
  if (fragment[0] === 'j') return decodeURIComponent(fragment.slice(1));
  if (fragment[0] === 'z') {
    if (typeof DecompressionStream === 'undefined') {
      throw new Error('the link is compressed, which this browser cannot read');
    }
    return new TextDecoder('utf-8', { fatal: true })
      .decode(await through(new DecompressionStream('deflate-raw'),
        fromBase64(fragment.slice(1)), MAX_TEXT));
  }
  throw new Error('the link is of an unknown kind');
}

/* The state in a fragment. Throws an Error whose message is for people. */
export async function decodeState(fragment) {
  if (!fragment) return defaultState();
  let raw;
  try {
    raw = JSON.parse(await jsonOf(fragment));
  } catch (e) {
    throw new Error(/^the link/.test(e.message) ? e.message : 'the link is damaged or cut short');
  }
  return cleanState(raw);
}
