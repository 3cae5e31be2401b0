/* form.js -- the options of a learner as a form, made from the tables of the C core: the names,
 * defaults, ranges and help texts are those of the command line. Rare ones stand under "more";
 * what makes no sense on the page (files, threads) is left out. */
import { el } from './dom.js';

const RARE = ['schedule', 'decay', 'drop-after', 'budget', 'budget-policy', 'init', 'multiclass', 'positive',
  'class-weight', 'classes', 'updates', 'pocket', 'solver', 'gap', 'offset-free', 'offset-inside', 'momentum', 'l2',
  'dropout'];
/* order and seed belong to the player, which cuts runs into steps, as those in exact arithmetic
 * cannot be; the others need files or more than one thread. */
const LEFT_OUT = ['order', 'seed', 'arithmetic', 'checkpoint', 'every', 'time-limit', 'inputs', 'cache',
  'threads',
  'loop', 'stream'];
/* Which kernels an option belongs to: it is shown only with these. */
const OF_KERNEL = { degree: ['poly'], gamma: ['poly', 'rbf'], sigma: ['gaussian'], coef0: ['poly'],
  eta: ['sigmoid'], theta: ['sigmoid'], 'drop-after': 'any', budget: 'any',
    'budget-policy': 'any' };

/* Whether option `name` matters, given the values of the others. */
function applies(name, values) {
  const kernels = OF_KERNEL[name];
  if (!kernels) return true;
  const kernel = values.kernel || 'none';
  return kernels === 'any' ? kernel !== 'none' : kernels.includes(kernel);
}

/* A matrix of kernel values is a file, and no set of points in the plane. */
const NOT_CHOSEN = { kernel: ['precomputed'] };

const choicesOf = (param) => (Array.isArray(param.choices) ? param.choices
  : (param.choices || '').split('|').filter(Boolean))
  .filter((c) => !NOT_CHOSEN[param.name]?.includes(c));

function inputOf(param, value, id) {
  const type = String(param.type).toLowerCase();
  if (type === 'bool') {
    const box = el('input', { type: 'checkbox', id });
    box.checked = value === 'true' || value === '1' || value === 'yes';
    return box;
  }
  if (type === 'choice') {
    const select = el('select', { id });
    select.append(...choicesOf(param).map((c) => new Option(c, c)));
    select.value = value;
    return select;
  }
  const input = el('input', { type: 'text', id, spellcheck: 'false', autocomplete: 'off',
    inputmode: type === 'int' || type === 'real' ? 'decimal' : null, placeholder: param.initial });
  input.value = value;
  return input;
}

const valueOf = (input) => (input.type === 'checkbox' ? String(input.checked) : input.value.trim());

/* A switch that is on by default is offered as its opposite, as in the tool: --no-offset. */
const isOpposite = (param) => String(param.type).toLowerCase() === 'bool'
  && param.initial === 'true';
const opposite = (value) => (value === 'true' ? 'false' : 'true');

function field(param, learner, prefix, change) {
  const id = `${prefix}-${param.name}`;
  const initial = param.initial ?? '', turned = isOpposite(param);
  const now = learner.options[param.name] ?? initial;
  const input = inputOf(param, turned ? opposite(now) : now, id);
  const hint = el('small', { id: `${id}-help` }, param.help || '');
  input.setAttribute('aria-describedby', hint.id);
  input.addEventListener('change', () => {
    const value = turned ? opposite(valueOf(input)) : valueOf(input);
    if (value === initial || value === '') delete learner.options[param.name];
    else learner.options[param.name] = value;
    change(param.name);
  });
  return el('div', { class: input.type === 'checkbox' ? 'field check' : 'field' },
    el('label', { for: id }, `${turned ? 'no ' : ''}${param.name.replace(/-/g, ' ')}`), input,
      hint);
}

/* The form of one learner. change(name) is called after learner.options was changed. */
export function optionForm(table, learner, prefix, change) {
  const values = {};
  for (const p of table.params) values[p.name] = learner.options[p.name] ?? p.initial ?? '';
  const shown = table.params.filter((p) => !LEFT_OUT.includes(p.name) && applies(p.name, values));
  const isRare = (p) => RARE.includes(p.name), rare = shown.filter(isRare);
  const make = (p) => field(p, learner, prefix, change);
  const form = el('div', { class: 'options' }, ...shown.filter((p) => !isRare(p)).map(make));
  if (rare.length) {
    form.append(el('details', { class: 'more' }, el('summary', {}, 'More'), ...rare.map(make)));
  }
  return form;
}

/* The options of a learner as the core takes them: those in its table, and order and seed of the
 * player. */
export function effectiveOptions(table, learner, state) {
  const known = new Set(table.params.map((p) => p.name));
  const options = {};
  for (const [name, value] of Object.entries(learner.options)) {
    if (known.has(name)) options[name] = value;
  }
  if (known.has('order')) options.order = state.order;
  if (known.has('seed') && state.seed) options.seed = String(state.seed);
  return options;
}
