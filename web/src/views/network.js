/* network.js -- networks: layers of an MLP, or the threshold neurons of a formula.
 *
 *     draw(pen, box, what)
 *     hit(box, what, sx, sy) -> {layer, unit} (mlp) | {source} (gate) | null
 *
 * what = {kind: 'mlp',
 *   layers: [{inputs, outputs, activation, w: [[from][to]], b: []}, ...],  // model.layers()
 *   inputs: ['x1', 'x2'],    // names of the inputs, optional
 *   outputs: ['-1', '1'],    // names of the outputs (labels), optional. One output, two names:
 *                            //   the second is the label of a positive output
 *   thumbs: [[{cols, rows, scores: Float64Array(cols*rows)}, ...] for each layer], // optional:
 *                            //   each unit's value over input space, drawn in the node
 *   view: {x0,x1,y0,y1},     // optional: the view of the plane; then each unit of the first hidden
 *                            //   layer shows its own half-planes (only for two inputs that are
 *                            //   neither scaled nor mapped: its line is w.x + b = 0)
 *   positive: 1}             // label number that is +1, for the colours of thumbs
 * what = {kind: 'gate',
 *   gate: {inputs: [names], states: [names], outputs: [{name, source}],
 *          neurons: [{sources: [], weights: [], threshold}]},  // core.gate(formula)
 *                            // sources count inputs, then states, then neurons
 *   bits: [0|1 a input],     // optional: the inputs that are lit (click them to change)
 *   out: [0|1 a output],     // optional: gate.run(bits): lights the neurons they come from
 *   lit: [0|1|null a source]}  // optional: every source, if the core gives it; beats bits, out
 *
 * Edges: colour and dash by sign (negative weights are dashed), width by size. */
import { typeSize, textWidth, short, cut } from './scale.js';
import { cutHalf } from './geometry.js';

export function draw(pen, box, what) {
  const net = what.kind === 'gate' ? gateNet(what) : mlpNet(what);
  const place = layout(box, net);
  pen.group('network', () => {
    edges(pen, net, place);
    net.nodes.forEach((n, i) => node(pen, n, place.at[i], place, what));
    weightTexts(pen, net, place);
    for (const n of net.notes || []) note(pen, net, place, n);
  });
  return place;
}

export function hit(box, what, sx, sy) {
  const net = what.kind === 'gate' ? gateNet(what) : mlpNet(what),
    place = layout(box, net);
  let best = null,
    least = Infinity;
  net.nodes.forEach((n, i) => {
    const d = Math.hypot(place.at[i][0] - sx, place.at[i][1] - sy);
    if (n.key && d < Math.max(place.r, 14) && d < least) {
      least = d;
      best = n.key;
    }
  });
  return best;
}

/* ----- what to draw: nodes {column, slot, of, ...} and edges {from, to, weight} --------- */

const SHOWN = 12; /* units drawn per layer; the rest is mentioned in words */

function mlpNet(what) {
  const nodes = [],
    edges = [],
    counts = [what.layers[0].inputs, ...what.layers.map((l) => l.outputs)];
  const seen = counts.map((n) => Math.min(n, SHOWN)),
    first = [];
  counts.forEach((n, c) => {
    first.push(nodes.length);
    for (let u = 0; u < seen[c]; u++) nodes.push(mlpNode(what, counts, c, u, seen[c]));
  });
  what.layers.forEach((l, k) => {
    for (let i = 0; i < seen[k]; i++)
      for (let o = 0; o < seen[k + 1]; o++)
        edges.push({ from: first[k] + i, to: first[k + 1] + o, weight: l.w[i][o] });
  });
  const notes = counts.map((n, c) => ({ column: c, text: columnText(what, counts, seen, c) }));
  return { nodes, edges, notes, columns: counts.length };
}

function columnText(what, counts, seen, c) {
  const more = counts[c] > seen[c] ? `${seen[c]} of ${counts[c]}` : '';
  if (c === 0) return more || 'inputs';
  const act = what.layers[c - 1].activation || '';
  return [more, act === 'identity' || act === 'linear' ? '' : act].filter(Boolean).join(', ');
}

function mlpNode(what, counts, c, u, of) {
  const input = c === 0,
    output = c === counts.length - 1,
    names = input ? what.inputs : output ? what.outputs : null;
  const single = output && counts[c] === 1;
  const name = single
    ? names && names.length === 2
      ? `> 0: ${names[1]}`
      : (names?.[0] ?? '')
    : (names?.[u] ?? (input ? `x${u + 1}` : ''));
  return {
    column: c,
    slot: u,
    of,
    name,
    side: input ? 'left' : output ? 'right' : null,
    input,
    key: { layer: c - 1, unit: u },
    offset: input ? null : what.layers[c - 1].b?.[u],
    fill: output && !single ? `class${u}` : null,
    thumb: input ? null : what.thumbs?.[c - 1]?.[u],
    half: halfOf(what, c, u, output),
  };
}

/* The line of a unit that gets the two inputs directly. */
function halfOf(what, c, u, output) {
  const l = what.layers[0];
  return c === 1 && !output && what.view && l.inputs === 2 && l.b
    ? { a: l.w[0][u], b: l.w[1][u], c: l.b[u] }
    : null;
}

function gateNet(what) {
  const g = what.gate,
    states = g.states || [],
    base = g.inputs.length + states.length;
  const depth = new Array(base).fill(0);
  g.neurons.forEach((n, k) => {
    depth[base + k] = 1 + Math.max(0, ...n.sources.map((s) => depth[s]));
  });
  const deepest = Math.max(1, ...depth),
    lit = litOf(what, base);
  const counts = [],
    nodes = depth.map((d, s) => {
      const slot = (counts[d] = (counts[d] ?? -1) + 1);
      const input = s < base,
        name = input
          ? [...g.inputs, ...states.map((t) => (typeof t === 'string' ? t : t.name))][s]
          : '';
      return {
        column: d,
        slot,
        input,
        name,
        side: input ? 'left' : null,
        key: { source: s },
        lit: lit[s],
        state: s >= g.inputs.length && input,
        threshold: input ? undefined : g.neurons[s - base].threshold,
      };
    });
  nodes.forEach((n) => {
    n.of = counts[n.column] + 1;
    n.last = n.column === deepest;
  });
  const edges = g.neurons.flatMap((n, k) =>
    n.sources.map((s, i) => ({ from: s, to: base + k, weight: n.weights[i], lit: lit[s] })),
  );
  for (const o of g.outputs)
    if (nodes[o.source])
      nodes[o.source].out = [nodes[o.source].out, o.name].filter(Boolean).join(', ');
  return { nodes, edges, columns: deepest + 1, gate: true };
}

function litOf(what, base) {
  if (what.lit) return what.lit;
  const lit = [];
  (what.bits || []).forEach((b, i) => {
    lit[i] = b;
  });
  (what.out || []).forEach((b, o) => {
    const s = what.gate.outputs[o]?.source;
    if (s >= base) lit[s] = b;
  });
  return lit;
}

/* ----- where ---------------------------------------------------------------------------- */

function layout(box, net) {
  const size = typeSize(box);
  const widest = (side) =>
    Math.max(
      0,
      ...net.nodes
        .filter(
          (n) => n.side === side || (side === 'right' && n.out && n.column === net.columns - 1),
        )
        .map((n) => textWidth(n.out || n.name, size)),
    );
  const limit = box.w * 0.22;
  const left = Math.min(widest('left'), limit) + 12,
    right = Math.min(widest('right'), limit) + 12;
  const most = Math.max(...net.nodes.map((n) => n.of)),
    foot = net.notes ? size * 1.8 : 0;
  const pitchY = (box.h - foot) / most;
  const pitchX = (box.w - left - right) / net.columns;
  const r = Math.max(
    5,
    Math.min(net.gate ? 26 : Math.max(20, box.w / 26), pitchY * 0.36, pitchX * 0.3),
  );
  const span = box.w - left - right - 2 * r - 4;
  const at = net.nodes.map((n) => [
    box.x + left + r + 2 + span * (net.columns > 1 ? n.column / (net.columns - 1) : 0.5),
    box.y + ((box.h - foot) * (n.slot + 0.5)) / n.of,
  ]);
  if (net.gate) stepAside(net, at, r, box);
  const top = Math.max(1e-300, ...net.edges.map((e) => Math.abs(e.weight)));
  return { at, r, size, top, box, left, right, limit };
}

/* An edge that skips a column must not run through a neuron there: the neuron moves to the nearest
 * place that is clear of such edges and of its neighbours, or to the clearest one. */
function stepAside(net, at, r, box) {
  const gap = r + 8;
  net.nodes.forEach((n, i) => {
    const passing = net.edges.filter(
      (e) => n.column > net.nodes[e.from].column && n.column < net.nodes[e.to].column,
    );
    const room = (y) =>
      Math.min(
        gap,
        ...passing.map((e) => {
          const [x0, y0] = at[e.from],
            [x1, y1] = at[e.to];
          return Math.abs(y - y0 - ((y1 - y0) * (at[i][0] - x0)) / (x1 - x0));
        }),
        ...net.nodes.map((m, j) =>
          j !== i && m.column === n.column ? Math.abs(y - at[j][1]) - r + 2 : gap,
        ),
      );
    let best = at[i][1],
      most = room(best);
    for (let d = 2; most < gap && d < box.h; d += 2)
      for (const y of [at[i][1] + d, at[i][1] - d])
        if (y > box.y + r + 2 && y < box.y + box.h - r - 2 && room(y) > most) {
          most = room(y);
          best = y;
        }
    at[i][1] = best;
  });
}

/* ----- drawing ---------------------------------------------------------------------------- */

function ends(net, place, e) {
  const [x0, y0] = place.at[e.from],
    [x1, y1] = place.at[e.to];
  const d = Math.hypot(x1 - x0, y1 - y0) || 1,
    ux = ((x1 - x0) / d) * place.r,
    uy = ((y1 - y0) / d) * place.r;
  return [x0 + ux, y0 + uy, x1 - ux, y1 - uy];
}

function edges(pen, net, place) {
  const busy = net.edges.length > 60;
  for (const e of net.edges) {
    if (!e.weight) continue;
    const share = Math.abs(e.weight) / place.top,
      [x0, y0, x1, y1] = ends(net, place, e);
    pen.line(x0, y0, x1, y1, {
      stroke: e.weight > 0 ? 'positive' : 'negative',
      width: 0.6 + (busy ? 2.6 : 3.6) * share,
      alpha: net.gate && e.lit === 0 ? 0.35 : 0.3 + 0.7 * share,
      dash: e.weight < 0 ? [5, 3] : undefined,
    });
  }
}

function node(pen, n, [x, y], place, what) {
  const { r, size } = place,
    stroke = n.fill || (n.lit ? 'ink' : 'axis');
  const paint = { fill: n.lit ? 'lit' : 'ground', stroke, width: n.fill ? 2.4 : 1.6 };
  if (n.input && net2(what)) pen.square(x, y, r * 0.86, paint);
  else pen.circle(x, y, r, paint);
  if (n.thumb) thumb(pen, n.thumb, x, y, r, what);
  else if (n.half) halves(pen, n.half, x, y, r, what);
  inside(pen, n, x, y, place);
  if (n.side === 'left')
    pen.text(x - r - 6, y, cut(n.name, place.limit, size), { size, anchor: 'end', base: 'middle' });
  if (n.side === 'right' && n.name)
    pen.text(x + r + 6, y, cut(n.name, place.limit, size), { size, base: 'middle' });
  if (n.out && !n.last)
    pen.text(x, y + r + size, cut(n.out, Math.max(place.limit, 40), size), {
      size,
      anchor: 'middle',
      bold: true,
      halo: true,
    });
  else if (n.out)
    pen.text(x + r + 6, y, cut(n.out, Math.max(place.limit, 40), size), {
      size,
      base: 'middle',
      bold: true,
      halo: true,
    });
}

const net2 = (what) => what.kind === 'gate';

function inside(pen, n, x, y, place) {
  const { r, size } = place,
    fill = n.lit ? '#1b1f24' : 'ink';
  if (n.threshold !== undefined) {
    const text = `≥ ${short(n.threshold, 4)}`,
      fit = Math.min(size, (size * 1.75 * r) / Math.max(1, textWidth(text, size)));
    pen.text(x, y, text, { size: Math.max(8, fit), anchor: 'middle', base: 'middle', fill });
  } else if (n.input && n.lit !== undefined && n.lit !== null) {
    pen.text(x, y, String(n.lit), { size, anchor: 'middle', base: 'middle', fill, bold: !!n.lit });
  } else if (Number.isFinite(n.offset) && r > 13 && !n.thumb && !n.half) {
    const text = short(n.offset, 2),
      fit = Math.min(size - 1, (size * 1.7 * r) / Math.max(1, textWidth(text, size)));
    pen.text(x, y, text, {
      size: Math.max(8, fit),
      anchor: 'middle',
      base: 'middle',
      fill: 'muted',
    });
  }
}

/* The unit's value over input space; level 0 is not drawn: the change of colour shows it. */
function thumb(pen, t, x, y, r, what) {
  const half = r * 0.7,
    sizes = Math.max(
      1e-300,
      ...Array.from(t.scores, (v) => (Number.isFinite(v) ? Math.abs(v) : 0)),
    );
  const STEPS = 5,
    cell = Uint8Array.from(t.scores, (v) => {
      const step = Math.min(STEPS - 1, Math.floor((Math.abs(v) / sizes) * STEPS)) || 0;
      return v > 0 ? step : STEPS + step;
    });
  const shade = (name) => Array.from({ length: STEPS }, (_, i) => [name, 0.15 + 0.17 * i]);
  const positive = what.positive ?? 1;
  pen.raster(x - half, y - half, 2 * half, 2 * half, {
    cols: t.cols,
    rows: t.rows,
    cell,
    paints: [...shade(`class${positive}`), ...shade(`class${positive ? 0 : 1}`)],
  });
}

/* Both sides of the unit's line, in a round window on input space around the centre of the view. */
function halves(pen, { a, b, c }, x, y, r, what) {
  const v = what.view,
    cx = (v.x0 + v.x1) / 2,
    cy = (v.y0 + v.y1) / 2;
  const unit = Math.max(v.x1 - v.x0, v.y1 - v.y0) / 2 / r; /* data units per pixel */
  const disc = Array.from({ length: 32 }, (_, i) => [
    x + (r - 1) * Math.cos((i * Math.PI) / 16),
    y + (r - 1) * Math.sin((i * Math.PI) / 16),
  ]).flat();
  const [p, q] = [a * unit, -b * unit],
    o = a * cx + b * cy + c - p * x - q * y;
  if (!Number.isFinite(p + q + o)) return;
  const positive = what.positive ?? 1,
    sides = [
      [1, positive],
      [-1, positive ? 0 : 1],
    ];
  for (const [s, label] of sides) {
    const part = cutHalf(disc, s * p, s * q, s * o);
    if (part.length >= 6) pen.polygon(part, { fill: `class${label}`, fillAlpha: 0.5 });
  }
}

/* Weights as numbers where there is room. Each stands on its edge, nearer to the end where fewer
 * edges meet. */
function weightTexts(pen, net, place) {
  const { size } = place;
  if (net.edges.length > (place.box.w < 420 ? 8 : 18)) return;
  const taken = [],
    into = new Map(),
    from = new Map();
  for (const e of net.edges) {
    into.set(e.to, (into.get(e.to) || 0) + 1);
    from.set(e.from, (from.get(e.from) || 0) + 1);
  }
  for (const e of net.edges) {
    const [x0, y0, x1, y1] = ends(net, place, e),
      text = short(e.weight, 2);
    const w = textWidth(text, size - 1);
    const near =
      into.get(e.to) < from.get(e.from)
        ? [0.7, 0.6, 0.8, 0.5, 0.4, 0.3]
        : [0.3, 0.4, 0.2, 0.5, 0.6, 0.7];
    const spot = near
      .map((t) => [x0 + t * (x1 - x0), y0 + t * (y1 - y0)])
      .find(([x, y]) =>
        taken.every(([a, b, v]) => Math.abs(a - x) > (v + w) / 2 + 5 || Math.abs(b - y) > size + 1),
      );
    if (!spot) continue;
    taken.push([...spot, w]);
    pen.text(spot[0], spot[1], text, {
      size: size - 1,
      anchor: 'middle',
      base: 'middle',
      halo: true,
      fill: 'ink',
    });
  }
}

function note(pen, net, place, { column, text }) {
  const i = net.nodes.findIndex((n) => n.column === column);
  if (text && i >= 0)
    pen.text(place.at[i][0], place.box.y + place.box.h - 4, text, {
      size: place.size,
      fill: 'muted',
      anchor: 'middle',
    });
}
