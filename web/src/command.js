// command.js -- the shell lines that do on the command line what the page shows.
//
//     commandLine(state, learnerIndex = 0, { core, set, longest = 4000 }) -> text, whole lines
//     commandLines(state, learnerIndex, ...) -> [{ what, line }], what: 'data', 'trace', 'train',
//         'prove', 'verify' or 'gate'
//         In teacher mode the examples shown, in their order, as a file of their own that is passed
//         over once; the learner is state.pupil, if there is one. In formula mode `gate`.
//     quote(text)       a word for sh
//     DATA_FILE         'data.csv': the name that exported data have in these lines
//
// core: its tables tell which options differ from the defaults, and which are flags. set: what
// makeSet made; where no command makes the data (points by hand, sliders), it is written by the
// shell, or, if longer than `longest` characters, only named: the page saves it.
// Built-in sets go through `convert` and generated ones through `generate` into that same CSV,
// so that the model has the very bytes of the page's: a model knows the names of its columns.
import { generated } from './data.js';

export const DATA_FILE = 'data.csv';
export const MODEL_FILE = 'model.safetensors';

export function quote(text) {
  const t = String(text);
  return t !== '' && /^[A-Za-z0-9_@%+=:,./-]+$/.test(t) ? t : `'${t.replace(/'/g, "'\\''")}'`;
}

// A word that begins with a dash would be taken for an option.
const operand = (text) => (String(text).startsWith('-') ? `-- ${quote(text)}` : quote(text));

// ----- data ------------------------------------------------------------------------------------

function hereDocument(file, text) {
  return `cat > ${file} << 'END'\n${text}END`; // lines of the text have commas
}

function irisLines(made) {
  const columns = [...made.pair.map((k) => k + 1), 5];
  const lines = ['perceptron convert :iris iris.csv -q'];
  const rising = columns[0] < columns[1];
  let cut = rising ? `cut -d, -f${columns.join(',')} iris.csv`
    : `awk -F, -v OFS=, '{ print ${columns.map((c) => `$${c}`).join(', ')} }' iris.csv`;
  if (made.without && made.without !== 'none') cut += ` | grep -v ',${made.without}$'`;
  lines.push(`${cut} > ${DATA_FILE}`);
  return lines.join('\n');
}

function generateLine(made, core) {
  const table = core && core.tables.generators.find((g) => g.name === made.kind);
  const given = differing(made.options, table ? table.params : [], {});
  return `perceptron generate ${[made.kind, ...given].join(' ')} -o ${DATA_FILE}`;
}

function dataLine(state, { core, set, longest }) {
  const data = state.data || {};
  const made = data.preset ? generated(data) : null;
  if (made && made.pair) return irisLines(made);
  if (made && made.builtin) return `perceptron convert ${made.builtin} ${DATA_FILE} -q`;
  if (made) return generateLine(made, core);
  if (set && set.text.length <= longest) return hereDocument(DATA_FILE, set.text);
  return `# ${DATA_FILE}: save it on the page, as CSV`;
}

// ----- options ---------------------------------------------------------------------------------

// A flag that is on by default is named by its opposite: offset -> --no-offset.
function optionWords(param, name, value) {
  if (param && param.type === 'bool')
    return value === 'true' ? [`--${name}`] : [`--no-${name}`];
  return [`--${name}${value === '' || value.startsWith('-') ? '=' : ' '}${quote(value)}`];
}

// The options whose values are not the defaults, in the order of the table. `defaults` are the
// command's own, where they differ from the table's.
function differing(options, params, defaults) {
  const out = [], by = new Map(params.map((p) => [p.name, p]));
  const names = [...params.map((p) => p.name).filter((n) => options[n] !== undefined),
                 ...Object.keys(options).filter((n) => !by.has(n))];
  for (const name of names) {
    const p = by.get(name), value = String(options[name] ?? '');
    const initial = defaults[name] ?? String(p?.initial ?? '');
    if (p || defaults[name] !== undefined ? same(p, value, initial) : value === '') continue;
    out.push(...optionWords(p, name, value));
  }
  return out;
}

function same(param, a, b) {
  if (a === b) return true;
  const numeric = param && (param.type === 'int' || param.type === 'real');
  return Boolean(numeric) && a !== '' && b !== '' && Number(a) === Number(b);
}

// `perceptron trace` goes through the rows in file order, ten times, and in exact arithmetic if it can;
// `train` shuffles, goes on, and takes doubles, as the page does; it scales tables, which the page does not.
const TRACE = { order: 'file', epochs: '10', arithmetic: 'exact' };

function learnerParams(core, algorithm) {
  return core?.learner(algorithm)?.params ?? [];
}

// What the page runs: the table's defaults, the order and seed of the state, then what was set.
function runOptions(core, learner, state) {
  const params = learnerParams(core, learner.algorithm), given = learner.options || {}, out = {};
  const has = (name) => params.length === 0 || params.some((p) => p.name === name);
  if (has('order') && familyOf(core, learner.algorithm) !== 'solver') out.order = state.order || 'file';
  if (has('seed') && state.seed) out.seed = String(state.seed);
  const epochs = params.find((p) => p.name === 'epochs');
  if (epochs && epochs.initial) out.epochs = String(epochs.initial); // `trace` has another default
  for (const [name, value] of Object.entries(given)) if (has(name)) out[name] = String(value);
  return out;
}

// Solvers see all rows at once; the steps of a network are too large for `trace` to show.
const familyOf = (core, algorithm) => core?.learner(algorithm)?.family;
const isTraceable = (core, algorithm) =>
  !['solver', 'network'].includes(familyOf(core, algorithm));

// ----- the lines -------------------------------------------------------------------------------

function learnerLines(state, index, where) {
  const learner = (state.learners || [])[index], out = [];
  if (!learner) return out;
  const { core } = where, params = learnerParams(core, learner.algorithm);
  const options = runOptions(core, learner, state), file = where.file || DATA_FILE;
  const name = learner.algorithm;
  if (isTraceable(core, name)) {
    const which = name === 'perceptron' ? [] : ['-a', quote(name)];
    const doubles = params.some((p) => p.name === 'arithmetic') ? { arithmetic: 'double' } : {};
    out.push({ what: 'trace', line: ['perceptron trace', file, ...which,
                                     ...differing({ ...options, ...doubles }, params, TRACE)].join(' ') });
  }
  const which = name === 'averaged' ? [] : ['-a', quote(name)];
  const given = differing(options, params, {});
  out.push({ what: 'train',
             line: ['perceptron train', file, ...which, '--scale none', ...given, '-o',
                    MODEL_FILE].join(' ') });
  return out;
}

function proveLines(state, index, where) {
  const { options } = (state.learners || [])[index] || {};
  const through = String((options || {}).offset ?? 'true') === 'false' ? ' --no-offset' : '';
  const file = where.file || DATA_FILE;
  return [{ what: 'prove', line: `perceptron prove ${file}${through} -o proof.json` },
          { what: 'verify', line: `perceptron verify proof.json ${file}` }];
}

// The examples in the order in which they were shown, as a separate file: one pass over it.
function taughtLines(state, index, where) {
  const { set } = where, n = set ? set.y.length : 0;
  const rows = (state.taught || []).filter((r) => r >= 0 && r < n);
  if (rows.length === 0) return [];
  const lines = set.text.split('\n');
  const text = [lines[0], ...rows.map((r) => lines[r + 1])].join('\n');
  const learner = state.pupil || (state.learners || [])[index] || { algorithm: 'perceptron' };
  const once = { ...learner, options: { ...(learner.options || {}), order: 'file', epochs: '1' } };
  return [{ what: 'data', line: hereDocument('taught.csv', `${text}\n`) },
          ...learnerLines({ learners: [once] }, 0, { ...where, file: 'taught.csv' })];
}

export function commandLines(state, index = 0, { core = null, set = null, longest = 4000 } = {}) {
  const where = { core, set, longest };
  if (state.mode === 'formula')
    return [{ what: 'gate', line: `perceptron gate ${operand(state.formula || '')}` }];
  const data = { what: 'data', line: dataLine(state, where) };
  if (state.mode === 'teacher') {
    const taught = taughtLines(state, index, where);
    if (taught.length > 0) return taught;
  }
  return [data, ...learnerLines(state, index, where), ...proveLines(state, index, where)];
}

export function commandLine(state, index = 0, options = {}) {
  return `${commandLines(state, index, options).map((l) => l.line).join('\n')}\n`;
}
