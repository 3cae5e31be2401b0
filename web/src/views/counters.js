/* counters.js -- how often each row was corrected: the counters of a kernel perceptron as bars.
 *
 *     draw(pen, box, what)
 *     hit(box, what, sx, sy) -> row | -1
 *
 * what = {
 *   counters: [{row, counter, label}, ...],  // label: its number, for the colour. Models without
 *                                        //   counters (svm): coefficient in place of counter
 *   current: row,                        // optional: marked
 *   rows: n,                             // optional: of how many rows, for the note
 *   name: 'α: updates of each row',      // optional: above the axis
 * }
 * In the order of the rows. Where there is no room, the largest are shown, and it is said. */
import { frame, drawAxes, ticks, short } from './scale.js';

const sizeOf = (c) => Math.abs(c.counter ?? c.coefficient ?? 0);

function layout(box, what) {
  const all = what.counters.filter((c) => sizeOf(c) > 0);
  const whole = all.every((c) => Number.isInteger(sizeOf(c)));
  const top = Math.max(whole ? 4 : 0, ...all.map(sizeOf)) || 1;
  const f = frame(box, { x0: 0, x1: 1, y0: 0, y1: top * 1.06 }, { wholeY: whole, right: 6 });
  const room = Math.max(1, Math.floor(f.plot.w / 4));
  let bars = all;
  if (all.length > room) bars = [...all].sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, room);
  bars = [...bars].sort((a, b) => a.row - b.row);
  const step = f.plot.w / Math.max(bars.length, 1),
    width = Math.min(step * 0.78, 34);
  const left = f.plot.x,
    pitch = Math.min(step, 44);
  return { f, all, bars, whole, pitch, width: Math.min(width, pitch * 0.78), left };
}

export function draw(pen, box, what) {
  const { f, all, bars, whole, pitch, width, left } = layout(box, what),
    { plot, size } = f;
  const bottom = plot.y + plot.h;
  pen.group('counters', () => {
    drawAxes(pen, f, {
      yName: what.name || 'α: updates of each row',
      xTicks: [],
      wholeY: whole,
      grid: true,
      yTicks: ticks(0, f.view.y1, Math.max(2, plot.h / (size * 3.6)), whole),
    });
    const every = Math.max(1, Math.ceil((size * 2.6) / pitch));
    bars.forEach((c, i) => {
      const x = left + i * pitch + (pitch - width) / 2,
        y = f.y.to(sizeOf(c)),
        now = c.row === what.current;
      pen.rect(x, y, width, bottom - y, {
        fill: `class${c.label ?? 0}`,
        stroke: now ? 'ink' : undefined,
        width: 2,
      });
      if (now || (i % every === 0 && !near(bars, i, what.current, every)))
        pen.text(x + width / 2, bottom + 5, String(c.row + 1), {
          fill: now ? 'ink' : 'muted',
          size,
          anchor: 'middle',
          base: 'top',
          bold: now,
        });
      if (pitch > size * 2.4)
        pen.text(x + width / 2, y - 4, short(sizeOf(c), 3), {
          fill: 'ink',
          size,
          anchor: 'middle',
          halo: true,
        });
    });
    pen.text(plot.x + plot.w, bottom + 6 + size * 1.25, note(what, all, bars), {
      fill: 'muted',
      size,
      anchor: 'end',
      base: 'top',
    });
  });
  return f;
}

/* No number where it would touch that of the current row. */
function near(bars, i, current, every) {
  const at = bars.findIndex((c) => c.row === current);
  return at >= 0 && Math.abs(at - i) < every;
}

function note(what, all, bars) {
  const of = what.rows ? ` of ${what.rows}` : '';
  if (!all.length) return `row: none${of} has been corrected`;
  return bars.length < all.length
    ? `row: the ${bars.length} largest of ${all.length}`
    : `row: ${all.length}${of}`;
}

export function hit(box, what, sx, sy) {
  const { f, bars, pitch, left } = layout(box, what);
  if (sy < f.plot.y || sy > f.plot.y + f.plot.h + f.size * 2) return -1;
  const i = Math.floor((sx - left) / pitch);
  return i >= 0 && i < bars.length ? bars[i].row : -1;
}
