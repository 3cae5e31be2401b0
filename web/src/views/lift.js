/* lift.js -- points in the space of a polynomial kernel, with the plane that separates them there.
 *
 *     scene(images, {w, b}, y) -> what
 *     draw(pen, box, what)
 *
 * images = {columns, names, at}           // as core.images gives them, row by row
 * what = {
 *   space: {axes, at, plane},             // as src/show/space.mjs draws them
 *   y: [label number of each point],
 *   view: {a, e},                         // optional: where it is seen from
 *   current: row, wrong: [rows],          // optional: marked
 * }
 * Three numbers are drawn as they are. Of more, the picture has x1, x2 and the distance from the
 * plane, at right angles to it. */
import { spaceLayout } from '../../../src/show/space.mjs';
import { SHAPES } from '../palette.js';
import { ticks, typeSize } from './scale.js';

export const FIRST = { a: -1.1, e: 0.35 };
const MARGIN = 0.05;

/* "√2·x1²" for "sqrt(2)*x1^2". */
export const pretty = (name) => name.replace(/sqrt\(([^)]*)\)/g, '√$1').replace(/\*/g, '·')
  .replace(/\^2/g, '²').replace(/\^3/g, '³');

const bare = (name) => name.slice(Math.max(0, name.indexOf('x')));

function axis(name, values) {
  let from = Math.min(...values), to = Math.max(...values);
  if (!(to > from)) [from, to] = [from - 1, from + 1];
  const room = MARGIN * (to - from);
  from -= room;
  to += room;
  return { name, from, to, ticks: ticks(from, to, 4).map((t) => [t.value, t.text]) };
}

export function scene({ columns, names, at }, machine, y) {
  const n = y.length, length = machine ? Math.hypot(...machine.w) : 0;
  const column = (j) => Array.from({ length: n }, (_, i) => at[i * columns + j]);
  const find = (name, other) => {
    const j = names.findIndex((own) => bare(own) === name);
    return j >= 0 ? j : other;
  };
  let values, titles, plane = null;
  if (columns === 3) {
    values = [0, 1, 2].map(column);
    titles = names;
    if (length > 0) plane = [...machine.w, machine.b];
  } else {
    const two = [find('x1', 0), find('x2', columns - 1)];
    const third = length > 0
      ? Array.from({ length: n }, (_, i) => machine.w.reduce(
        (s, v, j) => s + v * at[i * columns + j], machine.b) / length)
      : column(find('x1*x2', 1));
    values = [column(two[0]), column(two[1]), third];
    titles = [names[two[0]], names[two[1]], length > 0 ? 'distance' : names[find('x1*x2', 1)]];
    if (length > 0) plane = [0, 0, 1, 0];
    if (plane) third.push(0);           /* the plane is to be seen */
  }
  const axes = values.map((v, k) => axis(pretty(titles[k]), v));
  return { space: { axes, at: Array.from({ length: 3 * n }, (_, i) => values[i % 3][(i - i % 3) / 3]),
    plane }, y };
}

export function draw(pen, box, what) {
  const l = spaceLayout(what.space, what.view || FIRST, box), size = typeSize(box);
  const many = what.y.length > 60, wrong = new Set(what.wrong || []);
  const point = (p) => {
    const r = (many ? 3 : 5) * (1 + 0.15 * p.near), label = what.y[p.i];
    if (p.i === what.current || wrong.has(p.i)) {
      pen.circle(p.x, p.y, r + 4, { stroke: p.i === what.current ? 'ink' : 'mistake', width: 1.8 });
    }
    pen.mark(SHAPES[label % SHAPES.length], p.x, p.y, r, { fill: `class${label % 8}`,
      stroke: 'ground', width: 0.7 });
  };
  pen.group('lift', () => {
    pen.segments(l.grid, { stroke: 'grid' });
    pen.segments(l.frame, { stroke: 'axis' });
    pen.segments(l.drops, { stroke: 'axis', alpha: 0.45 });
    for (const p of l.points) if (p.behind) point(p);
    if (l.plane.length) {
      pen.polygon(l.plane, { fill: 'boundary', fillAlpha: 0.2, stroke: 'boundary', width: 1.4 });
    }
    for (const p of l.points) if (!p.behind) point(p);
    for (const t of l.texts) {
      pen.text(t.x, t.y, t.text, { size: t.name ? size : size - 1, anchor: t.anchor,
        fill: t.name ? 'ink' : 'muted', halo: t.name });
    }
  });
}
