/* arithmetic.js -- what the last example did, in numbers, as `perceptron trace` prints them.
 *
 *     lines(what) -> [{kind, text}]: 'example', 'score', 'test', 'update', 'offset', 'counter'
 *     traceCells(what) -> {pass, row, x, y, score, 'y s', loss, mistake, counter, w, b} as in trace;
 *         with more classes label and margin in place of y, score and y s
 *     html(lines) -> escaped '<p class="score">...</p>' pieces
 *     sentence(what) -> one sentence for aria-live
 *     draw(pen, box, what)  // the lines as a picture, for export
 *
 * what = {
 *   last: {epoch, row, label, y, score, mistake, updated, w, b, before: {w, b}, step, counter},
 *                    // run.last; row counts from 0. w, b: after; null for kernels, many classes.
 *                    //   y: +1 or -1, or 0/null with more classes (then score is the margin)
 *   x: [x1, x2],     // the row's values
 *   labels: ['-1', '1'],  // optional, to name the label
 *   rule: 'perceptron' | 'margin' | 'pa' | ...,  // optional: which symbol the step has
 *   kernel: false,   // scores come from counters
 *   classes: 2,
 * }
 * Nothing is learned or scored here: every number comes from the core, the products are those of
 * the printed formula. */
import { g6, signed, vectorText } from './scale.js';
import { escapeText } from '../pen.js';

/* A factor in a product or sum: negative numbers in brackets. */
const factor = (v) => (v < 0 ? `(${g6(v)})` : g6(v));

const isSigned = (what) => what.last.y === 1 || what.last.y === -1;

/* The length of the step along y x. With an offset, b moved by exactly this. */
function stepOf(last) {
  if (Number.isFinite(last.step)) return last.step;
  if (Number.isFinite(last.rate)) return last.rate;
  if (last.before && Number.isFinite(last.b) && last.b !== last.before.b)
    return (last.b - last.before.b) * last.y;
  return null;
}

export function traceCells(what) {
  const { last, x } = what;
  const cells = { pass: String(last.epoch), row: String(last.row + 1), x: vectorText(x) };
  if (isSigned(what)) {
    cells.y = signed(last.y);
    cells.score = g6(last.score);
    cells['y s'] = g6(last.y * last.score);
  } else {
    cells.label = String(last.label ?? '');
    cells.margin = g6(last.score);
  }
  const margin = isSigned(what) ? last.y * last.score : last.score;
  cells.loss = g6(Math.max(0, -margin));
  cells.mistake = last.mistake ? 'yes' : 'no';
  if (last.counter !== undefined && last.counter !== null) cells.counter = String(last.counter);
  if (last.w) cells.w = vectorText(last.w);
  if (Number.isFinite(last.b)) cells.b = g6(last.b);
  return cells;
}

export function lines(what) {
  if (!what || !what.last || !what.x) return [];
  const out = [example(what)];
  if (!isSigned(what)) out.push(...many(what));
  else if (what.last.w && what.last.before) out.push(...linear(what));
  else out.push(...kernel(what));
  return out;
}

function example({ last, x, labels }) {
  const y = last.y === 1 || last.y === -1 ? `, y = ${signed(last.y)}` : '';
  const name = typeof last.label === 'string' ? last.label : labels ? labels[last.label] : '';
  const label = name && name !== String(last.y) ? ` (${name})` : '';
  return {
    kind: 'example',
    text: `pass ${last.epoch}, row ${last.row + 1}: x = ${vectorText(x)}${y}${label}`,
  };
}

function test(what) {
  const { last } = what,
    m = last.y * last.score,
    value = `y s = ${g6(m)}`;
  if (last.mistake)
    return { kind: 'test', text: `${value} ${m <= 0 ? '≤ 0' : 'is not > 0'}: a mistake` };
  if (last.updated) return { kind: 'test', text: `${value} > 0: right, but by too little` };
  return { kind: 'test', text: `${value} > 0: right, nothing changes` };
}

function linear(what) {
  const { last, x } = what,
    { w, b } = last.before,
    offset = last.b !== null && last.b !== undefined;
  const plus = offset ? ` + ${factor(b)}` : '';
  const products = w.map((v, j) => `${factor(v)}·${factor(x[j])}`).join(' + ');
  const out = [
    {
      kind: 'score',
      text: `s = w·x${offset ? ' + b' : ''} = ${products}${plus} = ${g6(last.score)}`,
    },
    test(what),
  ];
  if (!last.updated) return out;
  const eta = what.rule && /^pa/.test(what.rule) ? 'τ' : 'η',
    step = stepOf(last);
  const by =
    step === null ? '' : ` = ${vectorText(w)} + ${g6(step)}·(${signed(last.y)})·${vectorText(x)}`;
  out.push({ kind: 'update', text: `w′ = w + ${eta} y x${by} = ${vectorText(last.w)}` });
  if (offset) {
    const add = step === null ? '' : ` = ${g6(b)} + ${g6(step)}·(${signed(last.y)})`;
    out.push({ kind: 'offset', text: `b′ = b + ${eta} y${add} = ${g6(last.b)}` });
  }
  return out;
}

function kernel(what) {
  const { last } = what,
    offset = Number.isFinite(last.b);
  const sum = what.kernel === false ? 's' : `s = Σ αᵢ yᵢ K(xᵢ, x)${offset ? ' + b' : ''}`;
  const out = [{ kind: 'score', text: `${sum} = ${g6(last.score)}` }, test(what)];
  if (last.updated && Number.isFinite(last.counter))
    out.push({
      kind: 'counter',
      text: `α of row ${last.row + 1} is now ${last.counter}${offset ? `, b = ${g6(last.b)}` : ''}`,
    });
  return out;
}

/* More than two labels: the score of the right one minus the best of the others. */
function many({ last }) {
  const out = [
    { kind: 'score', text: `margin = s(right label) − s(best other) = ${g6(last.score)}` },
  ];
  out.push({
    kind: 'test',
    text: last.mistake
      ? `margin ${last.score <= 0 ? '≤ 0' : 'is not > 0'}: a mistake`
      : last.updated
        ? 'margin > 0, but some vector was moved'
        : 'margin > 0: right, nothing changes',
  });
  return out;
}

export const html = (list) =>
  list.map(({ kind, text }) => `<p class="${kind}">${escapeText(text)}</p>`).join('\n');

export function sentence(what) {
  if (!what || !what.last) return '';
  const { last } = what,
    c = traceCells(what);
  const value = c.score !== undefined ? `score ${c.score}` : `margin ${c.margin}`;
  const was = last.mistake ? 'a mistake' : 'right';
  const head = `Pass ${last.epoch}, row ${last.row + 1}: ${was}, ${value}.`;
  return last.updated && c.w
    ? `${head} w is now ${c.w}${c.b !== undefined ? `, b ${c.b}` : ''}.`
    : head;
}

/* Long lines are broken before " = ". */
export function draw(pen, box, what) {
  const size = box.w < 420 ? 12 : 14,
    fits = Math.floor((box.w - 8) / (size * 0.61));
  let y = box.y + size * 1.3;
  pen.group('arithmetic', () => {
    for (const { kind, text } of lines(what))
      for (const part of wrap(text, fits)) {
        pen.text(box.x + 4, y, part, {
          size,
          mono: true,
          bold: kind === 'test',
          fill:
            kind === 'test' && what.last.mistake ? 'mistake' : kind === 'example' ? 'muted' : 'ink',
        });
        y += size * 1.5;
      }
  });
  return { height: y - box.y };
}

function wrap(text, fits) {
  if (text.length <= fits) return [text];
  const out = [];
  for (const piece of text.split(/(?= = )/)) {
    const last = out.length - 1;
    if (last >= 0 && (out[last] + piece).length <= fits) out[last] += piece;
    else out.push(last >= 0 ? `    ${piece.trimStart()}` : piece);
  }
  return out;
}
