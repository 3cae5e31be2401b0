// core.js -- the C library, compiled to WebAssembly, as JavaScript objects.
//
// Everything about learning happens in C (include/perceptron.h, by way of web/core/*.c); here
// texts, arrays and handles are only carried back and forth. All calls are synchronous once the
// module is there:
//
//     const core = await Core.load(bytes);
//     const data = core.read({ path: ':xor' });
//     const run = core.run(data, 'perceptron', { order: 'file', epochs: '10' });
//     run.advance(1);
//     run.last.w;                     // the weights after the first example
//     run.free(); data.free();
//
// What is made here lives in the module's memory until free() is called; objects that were
// forgotten are freed when the browser collects them, which may be late. A run keeps its data
// set alive: either may be freed first.
//
// Whatever the library refuses is thrown as a CoreError.
import { Wasi, Exit } from './wasi.js';

/** message: one line; line, column: the place in the text, from 1, or 0; status: 'EARG' (the
 * caller's mistake), 'EDATA' (the data, a model or a formula is wrong), 'ENO' (the answer
 * is no), 'EUNDECIDED' (there is none), 'ENOMEM', 'EIO', or 'ETRAP' (a fault of the module: see
 * revive()). */
export class CoreError extends Error {
  constructor({ message, line = 0, column = 0, status = 'EARG', where = '' }) {
    super(message);
    this.name = 'CoreError';
    this.line = line;
    this.column = column;
    this.status = status;
    /** For verify: which text the place is in, 'certificate' or 'data'. */
    this.where = where;
  }
}

const DATA = 'data', CERTIFICATE = 'certificate', MODEL = 'model'; // files in memory
const STEPS = 0, UPDATE = 1, PASS = 2, EXAMPLES = 3; // goals of web_run_advance
const MOST = 2 ** 31; // bytes of one array: addresses have 32 bits
const CURVE = 1 << 16; // points of a curve before every second one is left out

const NO_MEMORY = { message: 'out of memory', status: 'ENOMEM' };

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // a name may begin with one

/** {path} or {text} from what a caller gives. A text may begin with a colon, too: the name of a
 * built-in set is one line of letters. */
function source(what) {
  if (typeof what === 'string' && /^:\w+$/.test(what)) return { path: what };
  if (typeof what === 'string' || what instanceof Uint8Array) return { text: what };
  return what.text === undefined ? { path: what.path } : { text: what.text };
}

/** Frees objects that were forgotten. */
const forgotten = new FinalizationRegistry((free) => free());

/** The module: calls, memory, texts. Not for use outside this file. */
class Machine {
  static async of(module) {
    const wasi = new Wasi(), instance = await WebAssembly.instantiate(module, wasi.imports(module));
    wasi.attach(instance.exports.memory);
    instance.exports._initialize?.();
    return new Machine(module, instance, wasi);
  }

  constructor(module, instance, wasi) {
    this.module = module;
    this.wasi = wasi;
    this.memory = instance.exports.memory;
    this.exports = instance.exports;
    this.broken = null;
    this.onTrap = null;
  }

  /** Calls a function of the module. A trap leaves it in an unknown state: it is not used again. */
  call(name, ...args) {
    if (this.broken) throw this.broken;
    try {
      return this.exports[name](...args);
    } catch (e) {
      if (!(e instanceof WebAssembly.RuntimeError) && !(e instanceof Exit) && !(e instanceof RangeError))
        throw e;
      this.broken = new CoreError({ message: `the core has failed: ${e.message}`, status: 'ETRAP' });
      queueMicrotask(() => this.onTrap?.(this.broken));
      throw this.broken;
    }
  }

  text(at) {
    if (at === 0) return null;
    const bytes = new Uint8Array(this.memory.buffer);
    return decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  error() {
    const at = this.call('web_error'); // 0: no memory even for that
    return new CoreError(at === 0 ? NO_MEMORY : JSON.parse(this.text(at)));
  }

  /** A call that returns a status. */
  check(name, ...args) {
    if (this.call(name, ...args) !== 0) throw this.error();
  }

  /** A call that returns a pointer that is not null. */
  pointer(name, ...args) {
    const at = this.call(name, ...args);
    if (at === 0) throw this.error();
    return at;
  }

  /** A call that returns JSON. */
  json(name, ...args) {
    return JSON.parse(this.text(this.pointer(name, ...args)));
  }

  /** use(address) with `bytes` bytes of memory, freed afterwards. */
  withMemory(bytes, use) {
    const at = bytes < MOST ? this.call('malloc', Math.max(bytes, 1)) : 0;
    if (at === 0) throw new CoreError(NO_MEMORY);
    try {
      return use(at);
    } finally {
      if (!this.broken) this.call('free', at);
    }
  }

  /** use(...addresses) with texts in memory. */
  withTexts(texts, use) {
    const all = texts.map((s) => {
      if (String(s).includes('\0'))
        throw new CoreError({ message: 'a text with a character 0 in it' });
      return encoder.encode(String(s));
    });
    const size = all.reduce((n, bytes) => n + bytes.length + 1, 0);
    return this.withMemory(size, (at) => {
      const memory = new Uint8Array(this.memory.buffer), places = [];
      for (const bytes of all) {
        places.push(at);
        memory.set(bytes, at);
        memory[at + bytes.length] = 0;
        at += bytes.length + 1;
      }
      return use(...places);
    });
  }

  /** use(address) with a copy of an array of numbers. */
  withArray(array, use) {
    return this.withMemory(array.byteLength, (at) => {
      new array.constructor(this.memory.buffer, at, array.length).set(array);
      return use(at);
    });
  }

  /** An array filled by use(address). */
  filled(Type, n, use) {
    return this.withMemory(n * Type.BYTES_PER_ELEMENT, (at) => {
      use(at);
      return new Type(this.memory.buffer, at, n).slice();
    });
  }

  /** A set of options, to be freed by the caller. Values may be texts, numbers and booleans;
   * undefined and null are left at their defaults. */
  params(table, options = {}) {
    const p = this.withTexts([table], (name) => this.pointer('web_params_new', name));
    try {
      for (const [name, value] of Object.entries(options))
        if (value !== undefined && value !== null)
          this.withTexts([name, value], (n, v) => this.check('web_params_set', p, n, v));
    } catch (e) {
      this.call('web_params_free', p);
      throw e;
    }
    return p;
  }

  withParams(table, options, use) {
    const p = this.params(table, options);
    try {
      return use(p);
    } finally {
      if (!this.broken) this.call('web_params_free', p);
    }
  }

  /** The bytes that a call writes to a file. */
  written(name, handle, ...more) {
    return this.withTexts([`/${MODEL}.out`, ...more], (path, ...rest) => {
      this.check(name, handle, path, ...rest);
      return this.wasi.take(`${MODEL}.out`).slice();
    });
  }
}

/** Something in the module's memory: a handle, and how it is freed. */
class Owned {
  #free;

  constructor(machine, at, free) {
    let gone = false;
    this.machine = machine;
    this.at = at;
    this.#free = () => {
      if (!gone && !machine.broken) machine.call(free, at);
      gone = true;
    };
    forgotten.register(this, this.#free, this);
  }

  /** Gives the memory back. Twice is fine; any other use afterwards is not. */
  free() {
    forgotten.unregister(this);
    this.#free();
    this.at = 0;
  }

  /** The handle, if still valid. */
  get handle() {
    if (this.at === 0) throw new CoreError({ message: 'this was freed already' });
    return this.at;
  }
}

/** A data set. Rows and label numbers count from 0. */
export class Data {
  #owned;
  #rows = null;
  #users = 1; // runs need it too
  #freed = false;

  /** Made by core.read and core.generate. */
  constructor(machine, at) {
    this.#owned = new Owned(machine, at, 'web_data_free');
    this.machine = machine;
    /** {rows, features, nonzeros, bytes, indexBase, dense, format, storage, dropped, note} */
    this.info = machine.json('web_data_info', at);
    this.rows = this.info.rows;
    this.features = this.info.features;
    /** The labels, sorted: numbers by value, words by letter. */
    this.labels = this.info.labels;
    /** The names of the features; null: there are none, or more than 100,000. */
    this.names = this.info.names;
  }

  get handle() {
    return this.#owned.handle;
  }

  #all() {
    if (this.#rows) return this.#rows;
    const n = this.rows, m = this.machine;
    let y;
    const x = m.filled(Float64Array, n * this.features, (xs) => {
      y = m.filled(Int32Array, n, (ys) => m.call('web_data_rows', this.handle, xs, ys));
    });
    return (this.#rows = { x, y });
  }

  /** All values, row by row: Float64Array(rows * features). */
  get x() {
    return this.#all().x;
  }

  /** The label number of each row: Int32Array(rows); -1: none. */
  get y() {
    return this.#all().y;
  }

  /** The line of the text that a row stands on, from 1. */
  line(row) {
    return this.machine.call('web_data_line', this.handle, row);
  }

  /** As text, 'csv' or 'libsvm'; or as bytes, 'blocks'. */
  write(format = 'csv') {
    const bytes = this.machine.written('web_data_write', this.handle, format);
    return format === 'blocks' ? bytes : decoder.decode(bytes);
  }

  /** For a run, which frees it once. */
  retain() {
    this.#users++;
  }

  release() {
    if (--this.#users === 0) this.#owned.free();
  }

  free() {
    if (!this.#freed) this.release();
    this.#freed = true;
  }
}

/** A model: of a run, at one moment; of a file; of a formula. */
export class Model {
  #owned;

  /** `owned`: {handle, free()}; `data`: what it was trained on, if known. */
  constructor(machine, owned, data = null) {
    this.#owned = owned;
    this.machine = machine;
    /** {algorithm, machine, features, outputs, multiclass, offset, negative, positive, map, scale,
     * stop, epochs, examples, mistakes, updates, kernel, gamma, coef0, degree, supports, ...} */
    this.info = machine.json('web_model_info', this.handle);
    /** The labels it knows, in its own order; with two classes: negative, positive. */
    this.labels = this.info.labels;
    /** Features of a row, before a map makes more of them. */
    this.inputs = data ? data.features : this.info.features;
    /** What classes() refers to: the labels of the data, or its own. */
    this.classLabels = data && this.labels.every((s) => data.labels.includes(s)) ? data.labels : this.labels;
  }

  get handle() {
    return this.#owned.handle;
  }

  /** Scores of n rows of `inputs` numbers: Float64Array(n * outputs), row by row. */
  scores(x, inputs = this.inputs) {
    const m = this.machine, n = this.#count(x, inputs);
    return m.filled(Float64Array, n * this.info.outputs, (out) =>
      m.withArray(x, (at) => m.check('web_model_scores', this.handle, at, n, inputs, out)));
  }

  /** Its answers for n rows: Int32Array(n) of indices into `classLabels`; -1: none. */
  classes(x, inputs = this.inputs) {
    const m = this.machine, n = this.#count(x, inputs);
    const number = this.labels.map((s) => this.classLabels.indexOf(s));
    const answers = m.filled(Int32Array, n, (out) =>
      m.withMemory(8 * n * this.info.outputs, (scores) => {
        m.withArray(x, (at) => m.check('web_model_scores', this.handle, at, n, inputs, scores));
        m.call('web_model_answers', this.handle, scores, n, out);
      }));
    return answers.map((c) => (c < 0 ? c : number[c]));
  }

  #count(x, inputs) {
    const n = x.length / inputs;
    if (!(x instanceof Float64Array) || !Number.isInteger(n))
      throw new CoreError({ message: `x must be a Float64Array of rows of ${inputs} numbers` });
    return n;
  }

  /** {w: [[..] for each output], b: [..]}: as returned, after the transforms. All 0 with a kernel,
   * and of no use with a network. */
  weights() {
    const m = this.machine, { outputs, features } = this.info, w = [], b = [];
    const all = m.filled(Float64Array, outputs * (features + 1), (at) =>
      m.call('web_model_weights', this.handle, at));
    for (let c = 0; c < outputs; c++) {
      const at = c * (features + 1);
      w.push(Array.from(all.subarray(at, at + features)));
      b.push(all[at + features]);
    }
    return { w, b };
  }

  /** With a kernel: [{row, counter, label, coefficient}], the rows it is made of. */
  supports() {
    return this.machine.json('web_model_supports', this.handle);
  }

  /** For a network: [{inputs, outputs, activation, w: [from][to], b: [to]}], the output last. */
  layers() {
    const m = this.machine;
    return m.json('web_model_layers', this.handle).map((layer, i) => {
      const { inputs, outputs } = layer;
      const all = Array.from(m.filled(Float64Array, (inputs + 1) * outputs, (at) =>
        m.call('web_model_layer', this.handle, i, at)));
      const w = [];
      for (let j = 0; j < inputs; j++) w.push(all.slice(j * outputs, (j + 1) * outputs));
      return { ...layer, w, b: all.slice(inputs * outputs) };
    });
  }

  /** An option it was trained with, as text, or null. */
  option(name) {
    const m = this.machine;
    return m.withTexts([name], (s) => m.text(m.call('web_model_option', this.handle, s)));
  }

  /** The name of feature j, with a map a product "x1*x3"; or null. */
  feature(j) {
    return this.machine.text(this.machine.call('web_model_feature', this.handle, j));
  }

  /** The file that `perceptron train` would write: Uint8Array. */
  bytes() {
    return this.machine.written('web_model_write', this.handle);
  }

  /** Does nothing for the model of a run, which belongs to the run. */
  free() {
    this.#owned.free();
  }
}

/** A run of a learner, from the start as far as it was asked to go. */
export class Run {
  #owned;
  #model = null;
  #report = null;
  #passes = []; // by epoch, from 1 at [0]; kept by restart(), which will meet them again
  #curve = { k: [], norm2: [], w: [] };
  #stride = 1; // the curve has every so many updates
  #state;

  /** Made by core.run; takes ownership of `params`. */
  constructor(machine, data, algorithm, params) {
    this.machine = machine;
    this.data = data;
    this.algorithm = algorithm;
    this.#owned = new Owned(machine, machine.pointer('web_run_new', data.handle, params), 'web_run_free');
    data.retain();
    this.#look();
  }

  #look() {
    this.#state = this.machine.json('web_run_state', this.#owned.handle);
    this.#model = this.#report = null;
  }

  /** Adds the updates of the last call to the curve. */
  #follow() {
    const m = this.machine, at = this.#owned.handle, n = m.call('web_run_trail_updates', at);
    if (n === 0) return;
    const size = m.call('web_run_trail_size', at);
    const all = new Float64Array(m.memory.buffer, m.call('web_run_trail', at), n * size);
    const used = this.#state.offset ? size : size - 1;
    for (let i = 0; i < n; i++) {
      const k = this.updates - n + i + 1;
      if (k % this.#stride === 0) this.#point(k, Array.from(all.subarray(i * size, i * size + used)));
    }
  }

  #point(k, w) {
    const c = this.#curve;
    c.k.push(k);
    c.norm2.push(w.reduce((sum, v) => sum + v * v, 0));
    c.w.push(w);
    if (c.k.length < CURVE) return;
    this.#stride *= 2;
    const stays = c.k.map((n) => n % this.#stride === 0);
    for (const name of ['k', 'norm2', 'w']) c[name] = c[name].filter((v, i) => stays[i]);
  }

  /** One call of the module: to the goal, or to the end of a pass. */
  #segment(goal, target) {
    this.machine.check('web_run_advance', this.#owned.handle, goal, target);
    this.#look();
    this.#follow();
    const { pass, shown } = this.#state;
    if (pass) this.#passes[pass.epoch - 1] ??= pass;
    return shown;
  }

  /** Shows up to n more examples (mlp: batches; svm, lp: all is done at once). Returns how
   * many, which are fewer only when the run has ended. */
  advance(n = 1) {
    let shown = 0;
    while (shown < n && !this.ended) shown += this.#segment(STEPS, n - shown);
    return shown;
  }

  /** To the next update, or the end. Returns the examples shown. */
  advanceToUpdate() {
    let shown = 0;
    const { updates } = this;
    while (this.updates === updates && !this.ended) shown += this.#segment(UPDATE, 0);
    return shown;
  }

  /** To the end of the current or next pass. Returns the examples shown. */
  advancePass() {
    return this.ended ? 0 : this.#segment(PASS, 0);
  }

  /** Back to the last kept end of a pass with at most so many steps, or to the start; from
   * there advance(). All ends of passes near the last step are kept, and some earlier ones. */
  back(steps = 0) {
    this.#return(steps, 1);
  }

  /** Back to the start, and forward to `upTo` examples; or whatever gives the same sooner. */
  restart(upTo = 0) {
    if (upTo < this.examples || upTo <= 0) this.#return(upTo, 0);
    while (this.examples < upTo && !this.ended) this.#segment(EXAMPLES, upTo);
  }

  #return(most, bySteps) {
    this.machine.call('web_run_back', this.#owned.handle, most, bySteps);
    this.#look();
    const c = this.#curve;
    let n = c.k.length;
    while (n > 0 && c.k[n - 1] > this.updates) n--;
    for (const name of ['k', 'norm2', 'w']) c[name] = c[name].slice(0, n);
  }

  /** Examples shown since the start; pass, from 1; mistakes and updates since the start. */
  get examples() { return this.#state.examples; }
  /** What advance() counts: examples; batches for a network; one for a solver. */
  get steps() { return this.#state.steps; }
  get epoch() { return this.#state.epoch; }
  get mistakes() { return this.#state.mistakes; }
  get updates() { return this.#state.updates; }
  /** Mistakes of this pass; whether the last example was the last of its pass. */
  get passMistakes() { return this.#state.passMistakes; }
  get passEnded() { return this.#state.passEnded; }
  /** null while it can go on; otherwise 'converged', 'epochs', 'updates', 'time', 'solved',
   * 'stuck', 'diverged', and the same as a sentence. */
  get ended() { return this.#state.ended; }
  get stopText() { return this.#state.stopText; }

  /** The last example: {epoch, row, label, y, score, margin, mistake, updated, updates, vectors,
   * w, b, before: {w, b}}.
   * w and b are after it; with more than two classes lists, one for each; `before` is null for
   * the first example of a start other than zero. With a kernel: counter, the updates
   * on the row so far, and no w, b. For a network: row is -1 for a batch of several rows. null
   * before the first, and with svm and lp. */
  get last() { return this.#state.last; }

  /** [{epoch, mistakes, updates, error, loss, examples}], one per finished pass: its mistakes, the
   * updates so far, and the training error and loss of what would be returned then. */
  get history() {
    return this.#passes.filter((p) => p && p.examples <= this.examples);
  }

  /** {k: [..], norm2: [..], w: [[..]..]} after every update so far: w with the offset, if any, as
   * its last number, and |w|^2 including it. Two classes, linear; otherwise empty. If there are
   * very many updates, every second is left out, and so on: k says which are there. */
  get curve() { return this.#curve; }

  /** With a kernel: the updates made on each row so far, Int32Array(rows). */
  get counters() {
    const m = this.machine;
    return m.filled(Int32Array, this.data.rows, (at) => m.call('web_run_counters', this.#owned.handle, at));
  }

  /** The model as it is now. It belongs to the run: ask again after the next step. null before the
   * first example and, with three labels or more, until a second label is met. */
  get model() {
    const at = this.machine.call('web_run_model', this.#owned.handle);
    if (at === 0) return null;
    this.#model ??= new Model(this.machine, { handle: at, free() {} }, this.data);
    return this.#model;
  }

  /** The report as it would be printed now: {stop, epochs, trainingError, norm, radius,
   * marginLower, marginUpper, geometricLower, geometricUpper, ...}; null if there is no model. It
   * looks at all rows, so it takes longer than a step. */
  get report() {
    if (!this.model) return null;
    this.#report ??= this.machine.json('web_run_report', this.#owned.handle);
    return this.#report;
  }

  free() {
    if (this.#owned.at !== 0) this.data.release();
    this.#owned.free();
  }
}

/** A learner that is shown one example at a time, which the caller chooses. */
export class Teacher {
  #owned;
  #settled = false;
  #model = null;

  constructor(machine, at) {
    this.machine = machine;
    this.#owned = new Owned(machine, at, 'web_model_free');
  }

  /** Shows one example: {score, mistake, updated, answer}; score and answer are before learning. */
  show(x, label, weight = 1) {
    const m = this.machine;
    this.#settled = false;
    return m.withTexts([label], (text) => m.withArray(Float64Array.from(x), (at) =>
      m.json('web_model_learn', this.#owned.handle, at, x.length, text, weight)));
  }

  /** The model as it is now, or null before the first example; it belongs to the teacher. */
  get model() {
    if (!this.#settled) {
      this.machine.check('web_model_settle', this.#owned.handle);
      this.#model = new Model(this.machine, { handle: this.#owned.handle, free() {} });
      this.#settled = true;
    }
    return this.#model;
  }

  /** {w: [[..]], b: [..]}, as for a model. */
  weights() {
    return this.model.weights();
  }

  free() {
    this.#owned.free();
  }
}

/** A formula as threshold neurons. Sources are numbered: inputs, states, neurons. */
export class Gate {
  #owned;

  constructor(machine, at) {
    this.machine = machine;
    this.#owned = new Owned(machine, at, 'web_gate_free');
    /** inputs, states: names; outputs: [{name, source}], then those of the states' next values;
     * neurons: [{sources, weights, threshold}]. */
    Object.assign(this, machine.json('web_gate_info', at));
  }

  /** Whether one neuron can compute output o: {possible, inputs, weights, threshold}, or
   * {possible: false, inputs, ones, oneCounts, zeros, zeroCounts}; bit i of a row is inputs[i]. */
  single(o = 0) {
    return this.machine.json('web_gate_single', this.#owned.handle, o);
  }

  /** The outputs for these inputs (and states), all 0 or 1. */
  run(bits) {
    const m = this.machine, n = this.inputs.length + this.states.length;
    if (bits.length !== n) throw new CoreError({ message: `${n} values are needed, not ${bits.length}` });
    return Array.from(m.filled(Uint8Array, this.outputs.length, (out) =>
      m.withArray(Uint8Array.from(bits, (b) => (b ? 1 : 0)), (at) =>
        m.check('web_gate_run', this.#owned.handle, at, out))));
  }

  /** A model that predicts the outputs from tables of the inputs: new, owned by the caller. */
  model() {
    const at = this.machine.pointer('web_gate_model', this.#owned.handle);
    return new Model(this.machine, new Owned(this.machine, at, 'web_model_free'));
  }

  free() {
    this.#owned.free();
  }
}

/** The library. */
export class Core {
  #machine;

  /** `source`: the bytes of perceptron.wasm, or a WebAssembly.Module. */
  static async load(source) {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    return new Core(await Machine.of(module));
  }

  constructor(machine) {
    this.#machine = machine;
    /** For example "0.1.0". */
    this.version = machine.text(machine.call('web_version'));
    /** {learners: [{name, summary, title, family, form, params: [{name, type, initial, min, max,
     * choices, metavar, help}]}], generators: [{name, summary, params}], data: [params]}: the option
     * tables of the command line. type: 'int', 'real', 'bool', 'choice', 'text'; title, family and
     * form are those of perc_about. */
    this.tables = machine.json('web_tables');
  }

  /** What core.tables says about a learner; undefined if there is none of that name. */
  learner(name) {
    return this.tables.learners.find((t) => t.name === name);
  }

  /** Whether the module has failed: then all calls throw a CoreError 'ETRAP'. */
  get broken() {
    return this.#machine.broken !== null;
  }

  /** After that: a new module, with nothing in it. What was made before is lost: it must be made
   * again, and its free() does nothing. */
  async revive() {
    const { module, onTrap } = this.#machine;
    this.#machine = await Machine.of(module);
    this.#machine.onTrap = onTrap;
  }

  /** Calls f(error) once each time the module fails, soon after. */
  set onTrap(f) {
    this.#machine.onTrap = f;
  }

  /** Makes the module fail. */
  breakForTests() {
    try {
      this.#machine.call('web_data_line', 0xfffffff0, 0); // reads where there is no memory
    } catch (e) {
      if (e.status !== 'ETRAP') throw e;
    }
  }

  /** The memory of the module, in bytes. */
  get memory() {
    return this.#machine.memory.buffer.byteLength;
  }

  /** Files and open files of the module: none between calls. For tests. */
  get residue() {
    const { names, openFiles, said } = this.#machine.wasi;
    return { files: names, open: openFiles, said };
  }

  /** Reads {path: ':iris'}, a built-in set, or {text: '...'}, CSV or LIBSVM; or such a path
   * or text as a string. `options` are those of core.tables.data, for example {label: 'y'}. */
  read(what, options = {}) {
    const m = this.#machine, { path = `/${DATA}`, text } = source(what);
    return this.#withFile(DATA, text, () =>
      m.withParams('data', options, (p) => m.withTexts([path], (at) =>
        new Data(m, m.pointer('web_data_read', at, p)))));
  }

  /** Puts a text or bytes into a file while `use` runs. */
  #withFile(name, content, use) {
    const { wasi } = this.#machine;
    if (content !== undefined)
      wasi.put(name, typeof content === 'string' ? encoder.encode(content) : Uint8Array.from(content));
    try {
      return use();
    } finally {
      wasi.take(name);
    }
  }

  /** A synthetic set: `kind` is a generator of core.tables. */
  generate(kind, options = {}) {
    const m = this.#machine;
    return m.withParams(kind, options, (p) => new Data(m, m.pointer('web_data_generate', p)));
  }

  /** What a map ("lift:2:0") makes of rows of `inputs` numbers: {columns, names, at}, `at` row by
   * row. */
  images(map, x, inputs = 2) {
    const m = this.#machine, n = x.length / inputs;
    return m.withTexts([map], (at) => {
      const columns = m.call('web_map_columns', at, inputs);
      if (columns === 0) throw m.error();
      const names = Array.from({ length: columns }, (_, j) =>
        m.text(m.call('web_map_name', at, inputs, j)));
      return { columns, names, at: m.filled(Float64Array, n * columns, (out) =>
        m.withArray(x, (xs) => m.check('web_map_images', at, xs, n, inputs, columns, out))) };
    });
  }

  /** A run of a learner; nothing is learned yet. Bad options are refused here. */
  run(data, algorithm, options = {}) {
    return new Run(this.#machine, data, algorithm, this.#machine.params(algorithm, options));
  }

  /** A model from the bytes of its file. */
  model(bytes) {
    const m = this.#machine;
    return this.#withFile(MODEL, bytes, () => m.withTexts([`/${MODEL}`], (path) =>
      new Model(m, new Owned(m, m.pointer('web_model_read', path), 'web_model_free'))));
  }

  /** How well a model does: {accuracy, error, errors, rows, precision, recall, f1, auc, margin,
   * distance, labels, confusion: [truth][answer], ...}. */
  evaluate(model, data) {
    return this.#machine.json('web_evaluate', model.handle, data.handle);
  }

  /** A learner for examples that the caller chooses; show() refuses with pocket, svm and lp. */
  teacher(algorithm, options = {}) {
    const m = this.#machine;
    return m.withParams(algorithm, options, (p) => new Teacher(m, m.pointer('web_model_new', p)));
  }

  /** A formula, such as "(a & b) | !c" or "sum = a ^ b; carry = a & b". */
  gate(formula) {
    const m = this.#machine;
    return m.withTexts([formula], (at) => new Gate(m, m.pointer('web_gate_new', at)));
  }

  /** Checks a certificate against data: {valid, reason, row, part, parts, rows, sha256, offset,
   * kernel, degree, otherData, claims: [{verdict, positive, negative, rows, strict, held}]}.
   * Throws if it is no certificate at all; the error's `where` is 'certificate' or 'data'. */
  verify(certificate, data, options = {}) {
    const m = this.#machine, cert = `/${CERTIFICATE}`, { path = `/${DATA}`, text } = source(data);
    return this.#withFile(CERTIFICATE, certificate, () => this.#withFile(DATA, text, () =>
      m.withParams('data', options, (p) => m.withTexts([cert, path], (c, d) => m.withMemory(4, (where) => {
        const at = m.call('web_verify', c, d, p, where);
        if (at !== 0) return JSON.parse(m.text(at));
        const error = m.error();
        const place = new DataView(m.memory.buffer).getUint32(where, true);
        error.where = place !== 0 && m.text(place) === cert ? CERTIFICATE : DATA;
        throw error;
      })))));
  }
}
