/* dom.js -- small helpers around the document. Texts always go in as text: nothing that comes
 * from data, files or the link is ever read as HTML. */

export const $ = (id) => document.getElementById(id);

/* A new element: el('button', {type: 'button', class: 'quiet'}, 'text', child...). Attributes
 * whose value is null or false are left out; true gives an empty one. */
export function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    e.setAttribute(name, value === true ? '' : String(value));
  }
  e.append(...children);
  return e;
}

/* The text of an element, written only if it changes: screen readers and layout stay quiet. */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/* A number for a table: short, and never -0. */
export function short(v, digits = 5) {
  if (v === null || v === undefined) return '–';
  if (!Number.isFinite(v)) return String(v);
  const text = String(Number(v.toPrecision(digits)));
  return (text === '-0' ? '0' : text).replace('-', '−');
}

export const vector = (w, digits) => `(${Array.from(w, (v) => short(v, digits)).join(', ')})`;

export const plural = (n, one, many = `${one}s`) =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

/* The options of a <select>: [[value, text]...], keeping the choice if it is still there. They are
 * left alone if they are the same: somebody may be typing the name of one. */
export function fill(select, pairs, value = select.value) {
  const same = select.options.length === pairs.length
    && pairs.every(([v, text], i) => select.options[i].value === String(v)
      && select.options[i].text === text);
  if (!same) select.replaceChildren(...pairs.map(([v, text]) => new Option(text, v)));
  if (pairs.some(([v]) => String(v) === String(value))) select.value = value;
}

/* Calls f at most once per frame, with the last arguments. */
export function oncePerFrame(f) {
  let waiting = null;
  return (...args) => {
    if (!waiting) requestAnimationFrame(() => { const a = waiting; waiting = null; f(...a); });
    waiting = args;
  };
}

/* Calls f once there was no further call for `ms`, with the last arguments. */
export function debounce(ms, f) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), ms);
  };
}
