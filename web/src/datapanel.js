/* datapanel.js -- presets with their sliders, the user's own points, pasted texts and files. */
import { $, el, fill, put, plural, oncePerFrame } from './dom.js';
import { presets, columnsOf } from './data.js';
import { describeError } from './imports.js';

/* The id of a preset's option on the page. */
const IDS = { n: 'points', rows: 'points', seed: 'dataseed' };
const NAMES = { n: 'Points', rows: 'Points', seed: 'Draw', noise: 'Noise', margin: 'Margin' };

/* More labels than people bother to name. */
const MANY_LABELS = 8;

const presetOf = (state) => (state.data.points ? null
  : presets.find((p) => p.id === state.data.preset));
const decimals = (step) => (String(step).split('.')[1] || '').length;
const shown = (v, option) => Number(v).toFixed(decimals(option.step ?? 1));

function slider(app, option) {
  const id = IDS[option.name] || option.name;
  const value = app.state.data[option.name] ?? option.initial;
  const name = NAMES[option.name] || option.title || option.name;
  if (option.name === 'seed') return seedField(app, option, id, value);
  const input = el('input', { type: 'range', id, min: option.min, max: option.max,
    step: option.step });
  const output = el('output', { for: id }, shown(value, option));
  input.value = value;
  const apply = oncePerFrame((v) => app.setData({ ...app.state.data, [option.name]: v },
    { undo: false, at: app.player.at }));
  input.addEventListener('input', () => { put(output,
    shown(input.value, option)); apply(Number(input.value)); });
  return el('label', { title: option.help || null }, name, input, output);
}

function seedField(app, option, id, value) {
  const input = el('input', { type: 'number', id, min: option.min ?? 0, max: option.max ?? 9999,
    step: 1 });
  input.value = value;
  input.addEventListener('change', () => app.setData(
    { ...app.state.data, seed: Math.max(0, Math.trunc(Number(input.value) || 0)) },
      { undo: false }));
  return el('label', { title: 'Other points of the same kind' }, NAMES.seed, input);
}

/* For data with more than two columns: which ones are drawn. */
function pairFields(app, option) {
  const pair = app.state.data.pair || option.initial;
  return ['pair-x', 'pair-y'].map((id, axis) => {
    const select = el('select', { id });
    fill(select, option.choices.map((name, i) => [i, name]), pair[axis]);
    select.addEventListener('change', () => {
      const next = pair.slice();
      next[axis] = Number(select.value);
      if (next[0] === next[1]) next[1 - axis] = pair[axis];
      app.setData({ ...app.state.data, pair: next }, { undo: false });
    });
    return el('label', {}, axis ? 'Up' : 'Across', select);
  });
}

function choiceField(app, option) {
  const select = el('select', { id: option.name });
  fill(select, option.choices.map((c) => [c, c]), app.state.data[option.name] ?? option.initial);
  select.addEventListener('change', () => app.setData(
    { ...app.state.data, [option.name]: select.value }, { undo: false }));
  return el('label', {}, option.title, select);
}

function optionFields(app, option) {
  if (option.type === 'pair') return pairFields(app, option);
  if (option.type === 'choice') return [choiceField(app, option)];
  return [slider(app, option)];
}

function showPreset(app) {
  const preset = presetOf(app.state);
  const own = [['custom', 'my own points']];
  const key = preset ? preset.id : 'custom';
  fill($('preset'), [...presets.map((p) => [p.id, p.title]), ...(preset ? [] : own)], key);
  $('preset').title = preset ? preset.summary || '' : '';
  const box = $('preset-options');
  const options = preset ? preset.options || [] : [];
  if (box.dataset.key === key && sameValues(app, options)) return;
  box.dataset.key = key;
  const focused = document.activeElement && document.activeElement.id;
  /* Points just changed by hand: the page below stays where the hand is. */
  box.style.minHeight = preset ? '' : `${box.offsetHeight}px`;
  if (!preset) {
    box.replaceChildren(el('p', { class: 'hint' },
      'These points are your own. Undo, or another choice here, brings the sliders back.'));
    return;
  }
  box.replaceChildren(...options.flatMap((o) => optionFields(app, o)));
  if (focused && $(focused)) $(focused).focus();
}

/* Whether the fields already show the state (a slider being dragged stays). */
function sameValues(app, options) {
  const { data } = app.state;
  return options.every((o) => {
    const value = data[o.name] ?? o.initial;
    if (o.type === 'pair') return Number($('pair-x').value) === value[0]
      && Number($('pair-y').value) === value[1];
    const input = $(IDS[o.name] || o.name);
    return input && (o.type === 'choice' ? input.value === value
      : Math.abs(Number(input.value) - value) < 1e-9);
  });
}

function describe(app) {
  const { set } = app;
  const counts = set.labels.map((label, i) => {
    const n = set.y.reduce((sum, y) => sum + (y === i), 0);
    return `${n} of class ${label}`;
  });
  put($('data-text'), set.y.length
    ? `${plural(set.y.length, 'point')} (${counts.join(', ')}); `
      + `${set.names[0]} across, ${set.names[1]} up.`
    : 'No points yet: click the plane.');
  fill($('brush'), app.labels().map((l) => [l, `class ${l}`]));
  $('undo').disabled = !app.past.length;
}

/* A core that leaves out rows with missing values if asked to, and says so. */
export const lenient = (core) => ({
  model: (bytes) => core.model(bytes),
  read(source, options) {
    try {
      return core.read(source, options);
    } catch (e) {
      if (!/missing a value/.test(e.message)) throw e;
      if (!$('paste-drop').checked) {
        $('paste-box').open = true;
        e.message = e.message.replace(/\(pass --missing.*\)/,
          '(tick “Leave out rows with missing values” to go on without them)');
        throw e;
      }
      const data = core.read(source, { ...options, missing: 'drop' });
      const { note, dropped } = data.info;
      const rows = dropped ? plural(dropped, 'row') : 'rows';
      data.info.note = [note, `${rows} with a missing value left out`].filter(Boolean).join('; ');
      return data;
    }
  },
});

const odd = ({ note, labels, features }) => note || labels.length < 2 || features < 2
  || labels.length > MANY_LABELS;

/* How a text was understood, so that mistakes in it show: columns, labels, and anything odd. */
function readText({ names, labels, rows, features, note }, name) {
  const list = (all) => (all.length > 8 ? `${all.slice(0, 8).join(', ')}, …` : all.join(', '));
  const parts = [`${name}: ${plural(rows, 'row')}; ${plural(features, 'column')} of numbers `
    + `(${list(names)}) and ${plural(labels.length, 'label')} (${list(labels)}).`];
  if (features > 2) parts.push('Two columns are drawn; the others are left out.');
  if (features < 2) parts.push('One column only: the points lie on a line.');
  if (labels.length < 2) parts.push('One label only: there is nothing to tell apart.');
  if (labels.length > MANY_LABELS) {
    parts.push('So many labels: is the last column really the label?');
  }
  if (note) parts.push(sentence(note));
  const texts = /categories: ([^;]+)/.exec(note);
  if (texts) {
    parts.push(`Not every cell of ${texts[1]} is a number, so each of its values is a column.`);
  }
  return parts.join(' ');
}

const sentence = (text) => {
  const t = text.trim();
  return `${t[0].toUpperCase()}${t.slice(1)}${/[.!?]$/.test(t) ? '' : '.'}`;
};

/* A text with data: two columns are taken at once, of more one chooses two. */
class Own {
  constructor(app) {
    this.app = app;
    this.table = null;
    $('columns-apply').addEventListener('click', () => this.pick());
  }

  /* What was said about a text no longer holds. */
  forget() { $('columns').hidden = $('columns-text').hidden = true; }

  /* Returns whether the text was accepted. */
  take(text, name) {
    try {
      return this.choose(columnsOf(lenient(this.app.core), text), name);
    } catch (e) {
      this.forget();
      this.app.showError(describeError(e, name));
      return false;
    }
  }

  /* The table of columnsOf: two columns are taken at once, of more one chooses. */
  choose(table, name) {
    this.table = table;
    const { names } = this.table;
    const pairs = names.map((n, i) => [i, n]);
    fill($('column-x'), pairs, 0);
    fill($('column-y'), pairs, Math.min(1, names.length - 1));
    put($('columns-text'), readText(this.table, name));
    $('columns-text').hidden = false;
    $('columns').hidden = names.length <= 2;
    if (names.length > 2 || odd(this.table)) $('paste-box').open = true;
    return this.pick(name);
  }

  pick(name = 'The data') {
    let set;
    try {
      set = this.table.pick(Number($('column-x').value), Number($('column-y').value));
    } catch (e) {
      this.app.fail(e);
      return false;
    }
    const points = Array.from(set.y, (label, i) => [set.x[2 * i], set.x[2 * i + 1],
      set.labels[label]]);
    const done = this.app.setData({ points, names: set.names, labels: set.labels });
    if (done) {
      this.app.hideError();
      this.app.say(`${name}: ${plural(points.length, 'point')} on the plane.`);
    }
    return done;
  }
}

export function dataPanel(app) {
  const own = new Own(app);
  $('preset').addEventListener('change', () => {
    if ($('preset').value === 'custom' || !app.setData({ preset: $('preset').value })) return;
    app.hideError();
    own.forget();
  });
  $('paste-apply').addEventListener('click', () => own.take($('paste').value, 'The pasted text'));
  $('undo').addEventListener('click', () => app.undo());
  $('clear').addEventListener('click', () => {
    app.edit([], {});
    app.say('All points removed. Undo brings them back.');
  });
  document.addEventListener('keydown', (e) => {
    if ((e.ctrlKey || e.metaKey) && e.key === 'z' && !e.shiftKey
        && !e.target.closest('input[type="text"], textarea')) { e.preventDefault(); app.undo(); }
  });
  app.on('data', () => { showPreset(app); describe(app); });
  return own;
}
