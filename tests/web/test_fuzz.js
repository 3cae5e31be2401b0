// Texts and files that nobody meant: made from good ones by a fixed sequence of accidents. Whatever
// comes of it is a value or a CoreError; never a trap, never another exception, never a long wait.
//
//     node tests/web/test_fuzz.js WASM SECONDS [SEED]     for as long as you like
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Core, CoreError } from '../../web/src/core.js';
import { decodeState, encodeState, cleanState } from '../../web/src/state.js';
import { randomFrom } from '../../web/src/data.js';
import { certificates } from './t_certificates.js';
import { opened, sealed } from './t_seal.js';

const SLOW = 5000; // milliseconds that one case may take, where somebody fuzzes and has nothing else to do
const encoder = new TextEncoder(), decoder = new TextDecoder();

// ----- accidents -------------------------------------------------------------------------------

const SPICE = ['0', '-0', '1e308', '-1e-320', '1e999', 'nan', 'inf', '99999999999999999999', '4294967296',
  '268435457', '2147483648', '-1', '"', '""', ',', ':', '\n', '\r\n', '\0', '\t', ' ', '{', '}', '[', ']', '(', ')',
  '!', '&', '|', '^', ';', '=', "'", 'e', '.', '#', 'null', 'true', '\u00e9', '\ud83d\ude00', '\\', '\\u0000',
  '9007199254740993', '0.1', '1:1', ' 1:1', ',1', '"a":1,'];

class Chance {
  constructor(seed) { this.random = randomFrom(seed); }
  below(n) { return Math.floor(this.random() * n); }
  of(list) { return list[this.below(list.length)]; }
}

const joined = (...parts) => {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return out;
};

// One accident: a bit, a byte, a piece lost, doubled, moved to another place, or something put in.
function hurt(bytes, chance) {
  const n = bytes.length, at = chance.below(n + 1), to = Math.min(n, at + chance.below(1 + chance.of([1, 4, 30, n])));
  const piece = bytes.subarray(at, to);
  switch (chance.below(8)) {
    case 0: return joined(bytes.subarray(0, at), Uint8Array.of((bytes[at] ?? 0) ^ (1 << chance.below(8))), bytes.subarray(at + 1));
    case 1: return joined(bytes.subarray(0, at), Uint8Array.of(chance.below(256)), bytes.subarray(at + 1));
    case 2: return joined(bytes.subarray(0, at), bytes.subarray(to));
    case 3: return joined(bytes.subarray(0, to), piece, bytes.subarray(to));
    case 4: return bytes.slice(0, at);
    case 5: {
      const other = chance.below(n + 1);
      return joined(bytes.subarray(0, other), piece, bytes.subarray(other));
    }
    case 6: return joined(bytes.subarray(0, at), encoder.encode(chance.of(SPICE)), bytes.subarray(to));
    default: return joined(bytes.subarray(0, at), encoder.encode(chance.of(SPICE)), bytes.subarray(at));
  }
}

// One of the seeds after a few accidents; with `length` as long as that.
function mutant(seeds, chance, length = null) {
  let bytes = chance.of(seeds);
  if (typeof bytes === 'string') bytes = encoder.encode(bytes);
  for (let k = 1 + chance.below(chance.of([1, 2, 6])); k > 0; k--) bytes = hurt(bytes, chance);
  if (length === null) return bytes.subarray(0, 1 << 17);
  const out = new Uint8Array(length);
  out.set(bytes.subarray(0, length));
  return out;
}

// ----- what is done with them ------------------------------------------------------------------

const TEXTS = ['a,b,label\n1,2,x\n-3,4.5,y\n0,1e-3,x\n7,"8",y\n', 'x1,x2,label\r\n0,0,-1\r\n0,1,1\r\n1,0,1\r\n1,1,-1\r\n',
  '+1 1:0.5 3:2\n-1 2:1\n+1 1:3 2:-1e-2\n', '1,2,3\n4,5,6\n7,8,3\n', 'a;b;label\n1;2;"x, y"\n3;4;z\n',
  'n,colour,label\n1,red,a\n2,blue,b\n3,red,a\n', '-1\n1 1:1\n1 4:1e300\n', 'w,x,label\n1,2,a\n,3,b\n4,?,a\n'];
const FORMULAS = ['(a & b) | !c', 'sum = a ^ b; carry = a & b', "s' = a | (s & !r); out = s", 'a & b & c & d', '!a',
  'x = [2: a, b, c]', 'a => b', '1 | 0 & a'];

function aModelOf(core, algorithm, options) {
  const data = core.read(':iris'), run = core.run(data, algorithm, options);
  run.advance(60);
  const bytes = run.model.bytes();
  run.free();
  data.free();
  return bytes;
}

// The rows as `perceptron convert` writes them to .blocks: dense and sparse.
function blockFiles(core) {
  return [':iris', '1 1:1 7:2\n2 3:0.5\n1 2:1e-7 100000:3\n'].map((what) => {
    const data = core.read(what), file = data.write('blocks');
    data.free();
    return file;
  });
}

function used(data, core, chance) {
  if (data.rows * data.features > 1e5) return;
  data.write(chance.of(['csv', 'libsvm']));
  const [algorithm, options] = chance.of([['perceptron', {}], ['averaged', { order: 'file' }], ['pa1', {}],
    ['perceptron', { kernel: 'rbf' }], ['voted', {}], ['mlp', { layers: '3', epochs: '2' }], ['pocket', { multiclass: 'native' }]]);
  const run = core.run(data, algorithm, options);
  try {
    for (let k = 0; k < 4 && !run.ended; k++) run.advance(1 + chance.below(9));
    run.restart(chance.below(12));
    if (run.model) {
      run.model.classes(data.x);
      core.model(run.model.bytes()).free();
      core.evaluate(run.model, data);
    }
  } finally {
    run.free();
  }
}

function reading(core, chance) {
  const options = chance.of([{}, {}, { label: 'a' }, { label: '1' }, { weights: 'w' }, { missing: 'mean' }, { categories: 'one-hot' }]);
  const known = Object.fromEntries(Object.entries(options).filter(([k]) => core.tables.data.some((p) => p.name === k)));
  const data = core.read({ text: mutant(TEXTS, chance) }, known);
  try {
    used(data, core, chance);
  } finally {
    data.free();
  }
}

// A file of tensors: damaged anywhere, or in its header or its data alone and sealed again.
function mutantFile(files, chance) {
  const file = chance.of(files), part = chance.of(['file', 'header', 'data', 'data']);
  if (part === 'file') return mutant([file], chance);
  const parts = opened(file);
  parts[part] = part === 'header' ? wrongNumber(parts.header, chance) : mutant([parts.data], chance, parts.data.length);
  return sealed(parts);
}

// Another number, or another accident, in a header.
function wrongNumber(header, chance) {
  const text = decoder.decode(header), numbers = [...text.matchAll(/\d+/g)], { 0: old, index } = chance.of(numbers);
  if (chance.below(4) === 0) return mutant([header], chance);
  const other = chance.of([String(Number(old) + 1), String(Number(old) - 1), '0', '4294967296', '4294967297', '268435457',
    '18446744073709551615', '2147483648', String(2 * Number(old)), '1e3', '-1']);
  return encoder.encode(text.slice(0, index) + other + text.slice(index + old.length));
}

function opening(core, chance, { blocks }) {
  const data = core.read({ text: mutantFile(blocks, chance) });
  try {
    used(data, core, chance);
  } finally {
    data.free();
  }
}

function looking(core, chance, { models }) {
  const model = core.model(mutantFile(models, chance));
  try {
    if (model.info.features > 1e4 || model.info.outputs > 1e3) return;
    model.layers();
    if (model.info.kernel) model.supports();
    else model.weights();
    model.classes(new Float64Array(3 * model.inputs).fill(0.5));
    model.bytes();
  } finally {
    model.free();
  }
}

function checking(core, chance, { certificates }) {
  const [text, data] = chance.of(certificates), both = chance.below(5) === 0;
  const check = core.verify(mutant([text], chance), both ? mutant([data], chance) : data);
  if (typeof check.valid !== 'boolean') throw new Error('neither true nor false');
}

function thinking(core, chance) {
  const gate = core.gate(decoder.decode(mutant(FORMULAS, chance)).replace(/\0/g, ''));
  try {
    const bits = [...gate.inputs, ...gate.states].map(() => chance.below(2));
    gate.run(bits);
    if (gate.inputs.length <= 6 && gate.states.length === 0) gate.outputs.forEach((o, i) => gate.single(i));
  } finally {
    gate.free();
  }
}

const LEARNERS = [{ algorithm: 'perceptron', options: { rate: '0.5' } }, { algorithm: 'mlp', options: { layers: '8,4' } }];
async function linking(core, chance, { links }) {
  let state;
  try {
    state = await decodeState(decoder.decode(mutant(links, chance)));
  } catch (e) {
    if (e.constructor !== Error || e.message.length > 200) throw e;
    return 'refused';
  }
  const again = await decodeState(await encodeState(state)); // what was taken can be given
  if (JSON.stringify(again) !== JSON.stringify(cleanState(state))) throw new Error('another state came back');
  return 'taken';
}

// ----- the loop --------------------------------------------------------------------------------

async function seedsOf(core) {
  const points = Array.from({ length: 40 }, (_, i) => [i / 7, (i * i) % 11, i % 2 ? 'a' : 'b']);
  const states = [{ data: { points, names: ['u', 'v'] }, learners: LEARNERS }, { data: { preset: 'iris', pair: [0, 2] }, at: 30 },
    { mode: 'teacher', taught: [1, 2, 3], seed: 5 }, { formula: 'a & b', mode: 'formula', order: 'shuffle' }];
  return {
    models: [aModelOf(core, 'averaged', {}), aModelOf(core, 'perceptron', { kernel: 'rbf' }), aModelOf(core, 'voted', {}),
      aModelOf(core, 'mlp', { layers: '3', epochs: '1' }), aModelOf(core, 'perceptron', { multiclass: 'native' })],
    blocks: blockFiles(core),
    certificates: certificates(),
    links: await Promise.all(states.map((s) => encodeState(cleanState(s)))),
  };
}

const WORK = { reading, opening, looking, checking, thinking, linking };

/** As many rounds or, if that comes first, as many seconds, no case longer than `slow` milliseconds. What came of it:
 * {reading: {values, refusals}, ..}. */
export async function fuzz(core, { seed = 1, rounds = Infinity, seconds = Infinity, slow = Infinity }) {
  const seeds = await seedsOf(core), count = {}, until = performance.now() + 1000 * seconds;
  let slowest = 0;
  for (const name of Object.keys(WORK)) count[name] = { values: 0, refusals: 0 };
  for (let round = 0; round < rounds && performance.now() < until; round++)
    for (const [name, work] of Object.entries(WORK)) {
      const from = performance.now();
      try {
        const answer = await work(core, new Chance(seed * 1000003 + round), seeds);
        count[name][answer === 'refused' ? 'refusals' : 'values']++;
      } catch (e) {
        if (!(e instanceof CoreError) || e.status === 'ETRAP' || !e.message)
          throw new Error(`${name}, seed ${seed}, round ${round}: ${e.stack}`);
        count[name].refusals++;
      }
      slowest = Math.max(slowest, performance.now() - from);
      if (performance.now() - from > slow) throw new Error(`${name}, seed ${seed}, round ${round}: too slow`);
    }
  return { count, slowest };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , wasm, seconds, seed = '1'] = process.argv;
  const core = await Core.load(readFileSync(wasm)), before = core.memory;
  const { count, slowest } = await fuzz(core, { seed: Number(seed), seconds: Number(seconds), slow: SLOW });
  console.log(JSON.stringify(count), `slowest ${Math.round(slowest)} ms; memory ${before} to ${core.memory}`, JSON.stringify(core.residue));
}
