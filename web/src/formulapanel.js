/* formulapanel.js -- formula mode: a formula as a network of threshold neurons, lit for the inputs
 * that are on, its truth table, and whether one neuron would do. */
import { $, el, put, plural } from './dom.js';
import * as network from './views/network.js';

const EXAMPLES = ['a & b', 'a | b', '!a', 'a ^ b', '(a & b) | !c', 'majority(a, b, c)',
  'atleast(2; a, b, c, d)',
  'sum = a ^ b; carry = a & b', "s' = a | (s & !r); out = s"];
const MOST_ROWS = 64;

class Formula {
  constructor(app) {
    this.app = app;
    this.gate = null;
    this.bits = [];
    app.exported.formula = { pictures: () => [['network', 'network', this.picture]],
      model: () => this.gate && this.gate.model() };
    this.picture = app.gallery.add($('gates'), (pen, box) => this.draw(pen, box),
      (e) => app.fail(e));
    this.listen();
  }

  listen() {
    const { app } = this;
    $('formula-form').addEventListener('submit',
      (e) => { e.preventDefault(); this.build($('formula').value); });
    $('formula-examples').append(...EXAMPLES.map((f) => {
      const b = el('button', { type: 'button' }, f);
      b.addEventListener('click', () => { $('formula').value = f; this.build(f); });
      return b;
    }));
    $('formula-learn').addEventListener('click', () => this.learn());
    $('gate-tick').addEventListener('click', () => this.tick());
    $('gates').addEventListener('click', (e) => this.click(e));
    app.on('mode', () => {
      if (app.state.mode !== 'formula') return;
      $('formula').value = app.state.formula;
      this.bits = app.state.bits.slice();
      this.build(app.state.formula);
    });
  }

  get sources() { return this.gate ? [...this.gate.inputs, ...this.gate.states] : []; }

  build(formula) {
    let gate;
    try {
      gate = this.app.core.gate(formula);
    } catch (e) {
      this.app.fail(e);
      $('formula').setAttribute('aria-invalid', 'true');
      return;
    }
    $('formula').removeAttribute('aria-invalid');
    this.app.hideError();
    if (this.gate) this.gate.free();
    this.gate = gate;
    this.app.state.formula = formula;
    this.bits = this.sources.map((_, i) => this.bits[i] || 0);
    this.app.state.bits = this.bits.slice();
    this.inputs();
    this.single();
    this.truth();
    this.light();
    $('formula-learn').disabled = gate.inputs.length !== 2 || gate.states.length > 0;
    put($('formula-why'), $('formula-learn').disabled
      ? 'The plane has two axes: this is for formulas of two inputs.' : '');
    $('gate-clock').hidden = gate.states.length === 0;
    this.app.say(`${plural(gate.neurons.length, 'neuron')} for `
      + `${plural(this.sources.length, 'input')}.`);
    this.app.emit('any', 'formula');
  }

  inputs() {
    $('gate-inputs').replaceChildren(...this.sources.map((name, i) => {
      const b = el('button', { type: 'button', id: `gate-input-${i}`, 'aria-pressed': 'false' });
      b.addEventListener('click', () => this.flip(i));
      b.dataset.name = name;
      return b;
    }));
  }

  flip(i) {
    this.bits[i] = this.bits[i] ? 0 : 1;
    this.changed();
  }

  changed() {
    this.app.state.bits = this.bits.slice();
    this.light();
    const out = this.gate.run(this.bits);
    this.app.say(this.gate.outputs.map((o, k) => `${o.name} = ${out[k]}`).join(', '));
    this.app.emit('any', 'bits');
  }

  /* One tick of the clock: the states take their next values, which are the last outputs. */
  tick() {
    const { inputs, states, outputs } = this.gate, out = this.gate.run(this.bits);
    states.forEach((_, k) => {
      this.bits[inputs.length + k] = out[outputs.length - states.length + k];
    });
    this.changed();
  }

  /* Which sources fire, for the picture: each neuron's sum against its threshold, in the order of
   * the sources, where a neuron comes after those it listens to. Outputs come from the core. */
  lit() {
    const lit = this.bits.slice();
    for (const { sources, weights, threshold } of this.gate.neurons) {
      const sum = sources.reduce((s, from, k) => s + Number(weights[k]) * lit[from], 0);
      lit.push(sum >= Number(threshold) ? 1 : 0);
    }
    return lit;
  }

  click(e) {
    if (!this.gate) return;
    const box = { x: 0, y: 0, w: $('gates').clientWidth, h: $('gates').clientHeight };
    const found = network.hit(box, this.what(), e.offsetX, e.offsetY);
    if (found && found.source < this.sources.length) this.flip(found.source);
  }

  light() {
    this.sources.forEach((name, i) => {
      const b = $(`gate-input-${i}`);
      put(b, `${name} = ${this.bits[i]}`);
      b.setAttribute('aria-pressed', String(Boolean(this.bits[i])));
    });
    for (const row of $('truth').rows) row.classList.toggle('lit',
      row.dataset.bits === this.bits.join(''));
    this.app.gallery.dirty(this.picture);
  }

  single() {
    const { gate } = this;
    $('single').replaceChildren(...gate.outputs.map((o, k) => {
      let text;
      try {
        text = singleText(gate.single(k), this.sources);
      } catch (e) {
        text = e.message;
      }
      return el('p', {}, el('b', {}, o.name), `: ${text}`);
    }));
  }

  truth() {
    const n = this.sources.length, rows = 2 ** n;
    const head = el('tr', {}, ...[...this.sources, ...this.gate.outputs.map((o) =>
      o.name)].map((t) => el('th', { scope: 'col' }, t)));
    const body = [];
    for (let r = 0; r < Math.min(rows, MOST_ROWS); r++) {
      const bits = Array.from({ length: n }, (_, i) => (r >> (n - 1 - i)) & 1);
      const out = this.gate.run(bits);
      const row = el('tr', {}, ...bits.map((b) => el('td', {}, String(b))),
        ...out.map((b) => el('td', { class: b ? 'one' : null }, String(b))));
      row.dataset.bits = bits.join('');
      body.push(row);
    }
    if (rows > MOST_ROWS) body.push(el('tr', {}, el('td', {}, `… ${rows - MOST_ROWS} more`)));
    $('truth').replaceChildren(el('thead', {}, head), el('tbody', {}, ...body));
  }

  what() {
    return { kind: 'gate', gate: this.gate, lit: this.lit(), out: this.gate.run(this.bits) };
  }

  draw(pen, box) {
    if (!this.gate) return 'No network yet';
    const what = this.what();
    network.draw(pen, box, what);
    const list = this.gate.neurons.map((n, i) => `neuron ${i + 1} fires at ${n.threshold}`).slice(0,
      12).join('; ');
    const outputs = this.gate.outputs.map((o, k) => `${o.name} ${what.out[k]}`).join(', ');
    const { length } = this.gate.neurons;
    return `Network of ${plural(length, 'threshold neuron')}: ${list}. Outputs: ${outputs}.`;
  }

  /* Turns the truth table of two inputs into four points, and switches to watch mode. */
  learn() {
    const { gate, app } = this;
    const points = [[0, 0], [0, 1], [1, 0], [1, 1]].map((bits) =>
      [...bits, gate.run(bits)[0] ? '1' : '-1']);
    if (!app.setData({ points, names: gate.inputs.slice(0, 2), labels: ['-1', '1'] })) return;
    app.setMode('watch');
    app.say(`The table of ${app.state.formula} as four points.`);
    $('step').focus();
  }
}

function rowText(names, row) {
  return `(${names.map((name, i) => `${name}=${(row >> i) & 1}`).join(', ')})`;
}

/* -2 a + b, from whole numbers and names. */
function sumText(weights, names) {
  const terms = names.map((name, i) => [Number(weights[i]), name]).filter(([w]) => w !== 0)
    .map(([w, name], i) =>
      `${w < 0 ? '− ' : i ? '+ ' : ''}${Math.abs(w) === 1 ? '' : `${Math.abs(w)} `}${name}`);
  return terms.join(' ') || '0';
}

/* Whether one neuron would do, in words. The inputs of s are source numbers. */
function singleText(s, sources) {
  const names = s.inputs.map((k) => sources[k] ?? k);
  if (s.possible) {
    return `one neuron is enough: it fires when ${sumText(s.weights, names)} ≥ ${s.threshold}.`;
  }
  const list = (rows, counts) => rows.map((r, i) =>
    `${Number(counts[i]) > 1 ? `${counts[i]} × ` : ''}${rowText(names, r)}`).join(' and ');
  return `no single neuron computes it: ${list(s.ones, s.oneCounts)} must give 1, `
    + `${list(s.zeros, s.zeroCounts)} must give 0, but both add up to the same sum.`;
}

export const formulaPanel = (app) => new Formula(app);
