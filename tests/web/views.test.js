/* views.test.js -- the pictures of the page: what they show, and where. Run: node --test */
import test from 'node:test';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { elements } from './xml.js';
import { SvgPen, CanvasPen, escapeText } from '../../web/src/pen.js';
import { palettes, contrast, SHAPES } from '../../web/src/palette.js';
import * as scale from '../../web/src/views/scale.js';
import * as geometry from '../../web/src/views/geometry.js';
import * as plane from '../../web/src/views/plane.js';
import * as weights from '../../web/src/views/weights.js';
import * as curves from '../../web/src/views/curves.js';
import * as counters from '../../web/src/views/counters.js';
import * as lift from '../../web/src/views/lift.js';
import * as network from '../../web/src/views/network.js';
import * as arithmetic from '../../web/src/views/arithmetic.js';

const BOX = { x: 0, y: 0, w: 500, h: 400 };
const close = (a, b, by = 0.02) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);

function svg(view, what, box = BOX, theme = 'light') {
  const pen = new SvgPen({ width: box.w, height: box.h, theme, title: 'a <title>' });
  view.draw(pen, box, what);
  return elements(String(pen));
}
const named = (list, name) => list.filter((e) => e.name === name);
const texts = (list) => named(list, 'text').map((e) => e.text);
const n = (e, ...names) => names.map((k) => Number(e.attributes[k]));

const AND = {
  x: Float64Array.from([0, 0, 0, 1, 1, 0, 1, 1]),
  y: Int32Array.from([0, 0, 0, 1]),
  names: ['a', 'b'],
  labels: ['-1', '1'],
};
const XOR = { ...AND, y: Int32Array.from([0, 1, 1, 0]) };
const LAST = {
  epoch: 4,
  row: 3,
  label: '1',
  y: 1,
  score: -1,
  mistake: true,
  updated: true,
  w: [2, 2],
  b: -2,
  before: { w: [1, 1], b: -3 },
};
const PATH = [
  [0, 0, -1],
  [1, 1, 0],
  [1, 1, -1],
  [1, 0, -2],
  [2, 1, -1],
];
const LAYERS = [
  {
    inputs: 2,
    outputs: 3,
    activation: 'tanh',
    w: [
      [1, -2, 0.5],
      [-1, 2, 1],
    ],
    b: [0, 1, 2],
  },
  {
    inputs: 3,
    outputs: 2,
    activation: 'softmax',
    w: [
      [1, 2],
      [3, -4],
      [5, 6],
    ],
    b: [0, 0],
  },
];
const GATE = {
  inputs: ['a', 'b'],
  states: [],
  outputs: [{ name: 'out', source: 3 }],
  neurons: [
    { sources: [0, 1], weights: [1, 1], threshold: 2 },
    { sources: [0, 1, 2], weights: [1, 1, -2], threshold: 1 },
  ],
};
const BOUND = {
  kind: 'bound',
  k: [1, 2, 3, 4, 5],
  norm2: PATH.map((w) => w.reduce((s, v) => s + v * v, 0)),
  w: PATH,
  u: [2 / 3, 1 / 3, -2 / 3],
  R: Math.sqrt(3),
  gamma: 0.25,
};

function rasterOf(what, f, outputs = 1) {
  const g = plane.gridFor(BOX, what, 10),
    scores = new Float64Array(g.cols * g.rows * outputs);
  for (let i = 0; i < g.cols * g.rows; i++)
    scores.set([].concat(f(g.x[2 * i], g.x[2 * i + 1])), i * outputs);
  return { ...g, outputs, scores };
}

/* Every view in its main forms; the names try to be markup. */
function scenes() {
  const evil = {
    ...AND,
    names: ['<script>alert(1)</script>', '"&\u0000\''],
    labels: ['<b>', ']]>&amp;'],
  };
  const all = {
    set: evil,
    linear: { w: [1, 2], b: -1, margin: 1 },
    before: { w: [1, 1], b: -1 },
    hulls: true,
    wrong: [1],
    current: { row: 3, mistake: true },
    supports: [{ row: 0, counter: 2 }],
    selected: 1,
    hover: 2,
    cursor: { x: 0, y: 0 },
    lines: [{ w: [1, 0], b: -0.5, name: '<imported>' }],
    witness: [
      { row: 0, weight: 1 },
      { row: 3, weight: 1 },
    ],
  };
  const kernel = { set: XOR },
    many = { set: evil },
    votes = { set: XOR };
  kernel.raster = { ...rasterOf(kernel, (a, b) => a * b - 0.2), margin: 0.3 };
  many.raster = rasterOf(many, (a, b) => [a, b, -a - b], 3);
  const { cols, rows, view, scores } = rasterOf(votes, (a, b) => a - b);
  votes.raster = { cols, rows, view, classes: Int32Array.from(scores, (s) => (s > 0 ? 1 : 0)) };
  return [
    [plane, all],
    [plane, kernel],
    [plane, many],
    [plane, votes],
    [
      plane,
      {
        set: evil,
        multi: {
          w: [
            [1, 0],
            [0, 1],
            [-1, -1],
          ],
          b: [0, 0, 0],
        },
      },
    ],
    [plane, { set: { x: new Float64Array(0), y: new Int32Array(0), names: null, labels: [] } }],
    [
      plane,
      {
        set: XOR,
        witness: [
          { row: 0, weight: 1 },
          { row: 1, weight: 1 },
        ],
        witnessOffset: false,
      },
    ],
    [weights, { path: [] }],
    [weights, { path: PATH.map((w) => w.slice(0, 2)), names: ['<w>', '&', 'b'] }],
    [
      weights,
      {
        path: PATH,
        before: [1, 0, -2],
        example: { row: 3, x: [1, 1, 1], y: 1, mistake: true, updated: true },
        answer: [1, 1, -1],
        rows: { x: AND.x, sign: [-1, -1, -1, 1], offset: true },
      },
    ],
    [
      curves,
      {
        kind: 'mistakes',
        series: [
          { name: '<a>', values: [3, 2, NaN, 0] },
          { name: 'b', values: [] },
        ],
      },
    ],
    [curves, { kind: 'loss', series: [{ values: [1e-9, 1e-8] }] }],
    [curves, { kind: 'error', series: [{ values: [] }] }],
    [curves, BOUND],
    [curves, { ...BOUND, gamma: 0.01 }],
    [curves, { ...BOUND, R: null, gamma: null, k: [], norm2: [], w: [] }],
    [counters, { counters: [] }],
    [counters, { counters: [{ row: 4, counter: 3, label: 1 }], current: 4, rows: 10 }],
    [
      counters,
      {
        counters: Array.from({ length: 999 }, (_, row) => ({
          row,
          coefficient: -0.5 * row,
          label: row % 3,
        })),
      },
    ],
    [
      network,
      {
        kind: 'mlp',
        layers: LAYERS,
        inputs: ['<x>', '&'],
        outputs: ['"', "'"],
        thumbs: [[{ cols: 2, rows: 2, scores: Float64Array.of(1, -1, 0, NaN) }]],
      },
    ],
    [network, { kind: 'gate', gate: { ...GATE, inputs: ['<a>', '&b'] }, bits: [1, 0], out: [1] }],
    [arithmetic, { last: { ...LAST, label: '<script>' }, x: [1, 1] }],
  ];
}

test('numbers are those of printf("%.6g")', () => {
  for (const [v, text] of [
    [0.1, '0.1'],
    [-0, '0'],
    [100000.5, '100000'],
    [100001.5, '100002'],
    [-100000.5, '-100000'],
    [123456.5, '123456'],
    [999999.5, '1e+06'],
    [1e6, '1e+06'],
    [1234565, '1.23456e+06'],
    [1e-5, '1e-05'],
    [0.0001, '0.0001'],
    [0.00012345678, '0.000123457'],
    [2.5e-310, '2.5e-310'],
    [1e100, '1e+100'],
    [0.1 + 0.2, '0.3'],
    [1 / 3, '0.333333'],
    [0.0001220703125, '0.00012207'],
    [1e22 / 7, '1.42857e+21'],
    [NaN, 'nan'],
    [-Infinity, '-inf'],
    [-2.5, '-2.5'],
  ])
    assert.equal(scale.g6(v), text);
  assert.equal(scale.vectorText([1, -0.5, 1e7]), '(1, -0.5, 1e+07)');
  assert.equal(scale.signed(1), '+1');
});

test('ticks are round, inside, and few', () => {
  assert.deepEqual(
    scale.ticks(-1, 1, 4).map((t) => t.text),
    ['−1.0', '−0.5', '0', '0.5', '1.0'],
  );
  assert.deepEqual(
    scale.ticks(0, 10, 6).map((t) => t.value),
    [0, 2, 4, 6, 8, 10],
  );
  assert.deepEqual(
    scale.ticks(0, 3, 8, true).map((t) => t.text),
    ['0', '1', '2', '3'],
  );
  assert.deepEqual(
    scale.logTicks(1, 1000, 4).map((t) => t.text),
    ['1', '10', '100', '1000'],
  );
  for (const [lo, hi] of [
    [-3.7, 12],
    [1e-9, 2e-9],
    [1e8, 3e8],
    [0, 1e-300],
    [5, 5.0001],
  ])
    for (const count of [2, 5, 10]) {
      const list = scale.ticks(lo, hi, count);
      assert.ok(
        list.length >= 1 && list.length <= count + 2,
        `${lo} ${hi} ${count}: ${list.length}`,
      );
      for (const t of list)
        assert.ok(t.value >= lo - 1e-9 * (hi - lo) && t.value <= hi + 1e-9 * (hi - lo));
      assert.equal(
        new Set(list.map((t) => t.text)).size,
        list.length,
        `two ticks read the same in ${lo} ${hi}`,
      );
    }
});

test('colours are readable in light and dark, and shapes are enough', () => {
  for (const p of Object.values(palettes)) {
    for (const name of [
      'ink',
      'muted',
      'mistake',
      'right',
      'witness',
      'imported',
      'feasible',
      'boundary',
      'margin',
    ])
      assert.ok(contrast(p[name], p.ground) >= 4.5, `${name} ${contrast(p[name], p.ground)}`);
    for (const c of [...p.class, ...p.series])
      assert.ok(contrast(c, p.ground) >= 3, `${c} ${contrast(c, p.ground)}`);
    for (const c of [p.axis, p.before])
      assert.ok(contrast(c, p.ground) >= 3, `${c} ${contrast(c, p.ground)}`);
    assert.ok(contrast('#1b1f24', p.lit) >= 4.5);
  }
  assert.equal(new Set(SHAPES).size, SHAPES.length);
});

test('every view is well-formed XML with finite numbers, in both themes and three sizes', () => {
  for (const [view, what] of scenes())
    for (const theme of ['light', 'dark'])
      for (const [w, h] of [
        [300, 220],
        [500, 400],
        [900, 600],
      ]) {
        const list = svg(view, what, { x: 0, y: 0, w, h }, theme);
        assert.ok(list.length > 2);
        assert.ok(!list.some((e) => e.name === 'script'));
        for (const e of list)
          for (const [k, v] of Object.entries(e.attributes))
            assert.ok(!/NaN|undefined|Infinity/.test(v), `${k}="${v}"`);
      }
});

test('the check of XML can fail', () => {
  for (const bad of [
    '<a><b></a>',
    '<a>&</a>',
    '<a b="<"/>',
    '<a/><a/>',
    '<a>\u0001</a>',
    '<a',
    '<a b="1" b="2"/>',
  ])
    assert.throws(() => elements(bad), undefined, bad);
  assert.equal(elements('<a>&lt;</a>')[0].text, '<');
  assert.equal(escapeText('<&>"\'\u0000'), '&lt;&amp;&gt;&quot;&#39;\uFFFD');
});

/* A context that notes what it is asked to draw, for the pen that needs a browser. */
class Context {
  constructor(canvas) {
    this.canvas = canvas;
    this.calls = [];
  }
  getImageData(x, y, w, h) {
    /* a mark is the pixel in its middle */
    const d = new ImageData_(w, h);
    d.data[4 * ((h >> 1) * w + (w >> 1)) + 3] = 255;
    return d;
  }
  createImageData(w, h) {
    return new ImageData_(w, h);
  }
}
for (const f of [
  'setTransform',
  'clearRect',
  'beginPath',
  'moveTo',
  'lineTo',
  'closePath',
  'arc',
  'rect',
  'fill',
  'stroke',
  'setLineDash',
  'fillText',
  'strokeText',
  'drawImage',
  'putImageData',
  'save',
  'restore',
  'clip',
])
  Context.prototype[f] = function (...a) {
    this.calls.push([f, ...a]);
  };
class ImageData_ {
  constructor(w, h) {
    this.width = w;
    this.height = h;
    this.data = new Uint8ClampedArray(4 * w * h);
  }
}
class Canvas {
  constructor(w = 1, h = 1) {
    this.width = w;
    this.height = h;
    this.context = new Context(this);
  }
  getContext() {
    return this.context;
  }
}

test('the canvas gets the same texts as the SVG, and its calls are balanced', () => {
  globalThis.OffscreenCanvas = Canvas;
  globalThis.ImageData = ImageData_;
  for (const [view, what] of scenes()) {
    const canvas = new Canvas(),
      pen = CanvasPen.on(canvas, BOX.w, BOX.h, { theme: 'dark', ratio: 2 });
    assert.equal(canvas.width, 2 * BOX.w);
    view.draw(pen, BOX, what);
    const { calls } = canvas.context,
      count = (f) => calls.filter((c) => c[0] === f).length;
    assert.deepEqual(
      calls.filter((c) => c[0] === 'fillText').map((c) => escapeText(c[1])),
      texts(svg(view, what)).map(escapeText),
    );
    assert.equal(count('save'), count('restore'));
    for (const c of calls)
      for (const a of c.slice(1)) assert.ok(typeof a !== 'number' || Number.isFinite(a), `${c}`);
  }
});

test('2,000 points: a second drawing only copies the layer, a moved point renews it', () => {
  globalThis.OffscreenCanvas = Canvas;
  globalThis.ImageData = ImageData_;
  const set = {
    x: Float64Array.from({ length: 4000 }, (_, i) => Math.sin(i * 1.7)),
    y: new Int32Array(2000),
    names: null,
    labels: ['a'],
  };
  const canvas = new Canvas(),
    images = () => canvas.context.calls.filter((c) => c[0] === 'drawImage').map((c) => c[1]);
  const draw = () =>
    plane.draw(CanvasPen.on(canvas, 500, 400, { ratio: 1 }), BOX, {
      set,
      view: { x0: -1, x1: 1, y0: -1, y1: 1 },
    });
  const made = () =>
    images()
      .at(-1)
      .context.calls.filter((c) => c[0] === 'putImageData').length;
  draw();
  draw();
  assert.equal(images().length, 2);
  assert.equal(images()[0], images()[1]);
  assert.equal(made(), 1);
  const [, pixels] = images()[1].context.calls.find((c) => c[0] === 'putImageData'),
    f = plane.frameOf(BOX, { set, view: { x0: -1, x1: 1, y0: -1, y1: 1 } });
  const [, , left, top] = canvas.context.calls.find((c) => c[0] === 'drawImage');
  for (let i = 0; i < 2000; i++) {
    const [x, y] = f.toScreen(set.x[2 * i], set.x[2 * i + 1]);
    assert.equal(
      pixels.data[4 * (Math.floor(y - top) * pixels.width + Math.floor(x - left)) + 3],
      255,
    );
  }
  set.x[3] += 0.05;
  draw();
  assert.notEqual(images()[2], images()[1]);
});

test('plane: one mark a point, each shape its class, where toScreen says', () => {
  const list = svg(plane, { set: AND, legend: false }),
    f = plane.frameOf(BOX, { set: AND });
  const circles = named(list, 'circle'),
    squares = named(list, 'polygon');
  assert.equal(circles.length, 3);
  assert.equal(squares.length, 1);
  AND.y.forEach((label, i) => {
    const [x, y] = f.toScreen(AND.x[2 * i], AND.x[2 * i + 1]);
    if (label === 0)
      assert.ok(circles.some((e) => Math.hypot(n(e, 'cx')[0] - x, n(e, 'cy')[0] - y) < 0.02));
    const [a, b] = f.toData(x, y);
    close(a, AND.x[2 * i], 1e-9);
    close(b, AND.x[2 * i + 1], 1e-9);
  });
  assert.deepEqual(
    [circles[0].attributes.fill, squares[0].attributes.fill],
    palettes.light.class.slice(0, 2),
  );
  const t = texts(list);
  assert.ok(t.includes('a') && t.includes('b'));
});

test('plane: every point is inside the plot, whatever the shape of the box', () => {
  for (const [w, h] of [
    [300, 900],
    [900, 300],
    [320, 320],
  ]) {
    const f = plane.frameOf({ x: 10, y: 20, w, h }, { set: AND });
    close((f.x.to(1) - f.x.to(0)) / (f.y.to(0) - f.y.to(1)), 1, 1e-9);
    for (let i = 0; i < 4; i++) {
      const [x, y] = f.toScreen(AND.x[2 * i], AND.x[2 * i + 1]);
      assert.ok(x > f.plot.x && x < f.plot.x + f.plot.w && y > f.plot.y && y < f.plot.y + f.plot.h);
    }
    assert.ok(
      f.plot.x >= 10 &&
        f.plot.x + f.plot.w <= 10 + w &&
        f.plot.y >= 20 &&
        f.plot.y + f.plot.h <= 20 + h,
    );
  }
});

test('plane: linear regions of three classes are where their score is largest', () => {
  const multi = {
      w: [
        [1, 0],
        [0, 1],
        [-1, -1],
      ],
      b: [0, 0.1, 0.2],
    },
    what = { set: AND, multi };
  const f = plane.frameOf(BOX, what),
    regions = named(svg(plane, what), 'polygon').filter((e) => e.attributes['fill-opacity']);
  assert.equal(regions.length, 3);
  regions.forEach((e) => {
    const c = palettes.light.class.indexOf(e.attributes.fill),
      at = e.attributes.points.split(' ').map((q) => f.toData(...q.split(',').map(Number)));
    const mid = [0, 1].map((j) => at.reduce((s, p) => s + p[j], 0) / at.length);
    const scores = multi.w.map((w, k) => w[0] * mid[0] + w[1] * mid[1] + multi.b[k]);
    assert.equal(scores.indexOf(Math.max(...scores)), c);
  });
});

test('plane: the line lies where w.x + b = 0, margins where it is +-1, before dashed', () => {
  const what = { set: AND, linear: { w: [2, 1], b: -2, margin: 1 }, before: { w: [1, 1], b: -1 } };
  const list = svg(plane, what),
    f = plane.frameOf(BOX, what),
    p = palettes.light;
  const value = (e, w, b) =>
    [
      ['x1', 'y1'],
      ['x2', 'y2'],
    ].map((k) => {
      const [x, y] = f.toData(...n(e, ...k));
      return w[0] * x + w[1] * y + b;
    });
  const lines = named(list, 'line').filter((e) => !e.within.includes('axes'));
  const main = lines.find(
    (e) =>
      e.attributes.stroke === p.boundary &&
      !e.attributes['stroke-dasharray'] &&
      e.attributes['stroke-width'] === '2.2',
  );
  value(main, [2, 1], -2).forEach((v) => close(v, 0));
  const margins = lines.filter(
    (e) => e.attributes.stroke === p.margin && e.attributes['stroke-width'] === '1.2',
  );
  assert.deepEqual(margins.map((e) => Math.round(value(e, [2, 1], -2)[0])).sort(), [-1, 1]);
  const before = lines.find(
    (e) => e.attributes.stroke === p.before && e.attributes['stroke-width'] === '1.6',
  );
  assert.ok(before.attributes['stroke-dasharray']);
  value(before, [1, 1], -1).forEach((v) => close(v, 0));
  /* one unit is as long on both axes, so the arrow is at a right angle to its line */
  close(f.x.to(1) - f.x.to(0), f.y.to(0) - f.y.to(1), 1e-6);
  const arrow = lines.find((e) => e.attributes['stroke-width'] === '2'),
    [x0, y0, x1, y1] = n(arrow, 'x1', 'y1', 'x2', 'y2');
  const [a0, b0, a1, b1] = n(main, 'x1', 'y1', 'x2', 'y2');
  close(((x1 - x0) * (a1 - a0) + (y1 - y0) * (b1 - b0)) / Math.hypot(a1 - a0, b1 - b0), 0, 0.1);
  assert.ok((x1 - x0) * 2 - (y1 - y0) * 1 > 0, 'it points to the positive side');
});

test('plane: the half-planes have the colours of their labels, also when label 0 is +1', () => {
  for (const positive of [0, 1]) {
    const what = { set: AND, linear: { w: [1, 0], b: -0.5 }, positive },
      list = svg(plane, what),
      f = plane.frameOf(BOX, what);
    const half = named(list, 'polygon').filter((e) => e.attributes['fill-opacity']);
    assert.equal(half.length, 2);
    for (const e of half) {
      const xs = e.attributes.points
        .split(' ')
        .map((q) => f.toData(...q.split(',').map(Number))[0]);
      const right = Math.min(...xs) > 0.49;
      assert.equal(e.attributes.fill, palettes.light.class[right ? positive : 1 - positive]);
    }
  }
  assert.ok(
    texts(svg(plane, { set: AND, linear: { w: [0, 0], b: -1 } })).some((t) =>
      t.includes('no line yet'),
    ),
  );
  assert.ok(
    texts(svg(plane, { set: AND, linear: { w: [1, 1], b: -30 } })).some((t) =>
      t.includes('outside ↗'),
    ),
  );
  assert.ok(
    texts(svg(plane, { set: AND, linear: { w: [1, 1], b: 30 } })).some((t) =>
      t.includes('outside ↙'),
    ),
  );
  assert.ok(
    texts(svg(plane, { set: AND, linear: { w: [-1, 0], b: 30 } })).some((t) =>
      t.includes('outside →'),
    ),
  );
});

test('plane: the mistake is ringed and named, supports grow with their counters', () => {
  const what = {
    set: AND,
    current: { row: 3, mistake: true },
    supports: [
      { row: 0, counter: 1 },
      { row: 1, counter: 4 },
    ],
  };
  const list = svg(plane, what),
    [x, y] = plane.frameOf(BOX, what).toScreen(1, 1);
  assert.ok(texts(list).includes('mistake'));
  assert.ok(
    named(list, 'circle').some(
      (e) =>
        e.attributes.stroke === palettes.light.mistake &&
        Math.hypot(n(e, 'cx')[0] - x, n(e, 'cy')[0] - y) < 0.02,
    ),
  );
  assert.ok(
    !texts(svg(plane, { ...what, current: { row: 3, mistake: false } })).includes('mistake'),
  );
  const discs = named(list, 'circle')
    .filter((e) => e.attributes['fill-opacity'] === '0.2')
    .map((e) => n(e, 'r')[0]);
  assert.equal(discs.length, 2);
  assert.ok(discs[1] > discs[0]);
});

test('plane: the crossing point of xor is the middle, with weights 0.5', () => {
  const what = { set: XOR, witness: [0, 1, 2, 3].map((row) => ({ row, weight: 3 })) };
  const c = plane.crossing(what);
  assert.deepEqual(c.point, [0.5, 0.5]);
  assert.deepEqual(
    c.shares.map((s) => s.share),
    [0.5, 0.5, 0.5, 0.5],
  );
  const list = svg(plane, what),
    [x, y] = plane.frameOf(BOX, what).toScreen(0.5, 0.5);
  assert.equal(texts(list).filter((t) => t === '0.5').length >= 4, true);
  const meet = named(list, 'circle').find((e) => e.attributes.stroke === palettes.light.witness);
  close(n(meet, 'cx')[0], x);
  close(n(meet, 'cy')[0], y);
  const diagonals = named(list, 'polygon').filter((e) => e.attributes['stroke-width'] === '2.2');
  assert.equal(diagonals.length, 2);
  for (const d of diagonals) assert.equal(d.attributes.points.split(' ').length, 2);
});

test('plane: hit finds the nearest point within reach', () => {
  const what = { set: AND },
    f = plane.frameOf(BOX, what);
  for (let i = 0; i < 4; i++) {
    const [x, y] = f.toScreen(AND.x[2 * i], AND.x[2 * i + 1]);
    assert.equal(plane.hit(BOX, what, x + 5, y - 5), i);
    assert.equal(plane.hit(BOX, what, x + 20, y), -1);
  }
  const twice = { set: { ...AND, x: Float64Array.from([0, 0, 1, 1, 1, 1, 0, 1]) } };
  assert.equal(
    plane.hit(BOX, twice, ...plane.frameOf(BOX, twice).toScreen(1, 1)),
    2,
    'the one on top',
  );
});

test('plane: the raster asks for the middles of cells, top row first; score 0 is outlined', () => {
  const what = { set: XOR },
    g = plane.gridFor(BOX, what, 10),
    f = plane.frameOf(BOX, what);
  assert.equal(g.x.length, 2 * g.cols * g.rows);
  const [sx, sy] = f.toScreen(g.x[0], g.x[1]);
  close(sx, f.plot.x + f.plot.w / g.cols / 2, 1e-6);
  close(sy, f.plot.y + f.plot.h / g.rows / 2, 1e-6);
  what.raster = rasterOf(what, (a, b) => 0.16 - (a - 0.5) ** 2 - (b - 0.5) ** 2);
  const edge = named(svg(plane, what), 'path').find(
    (e) => e.attributes.stroke === palettes.light.boundary,
  );
  const at = [...edge.attributes.d.matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)].map((m) =>
    f.toData(Number(m[1]), Number(m[2])),
  );
  assert.ok(at.length > 20);
  for (const [a, b] of at) close(Math.hypot(a - 0.5, b - 0.5), 0.4, 0.01);
});

test('geometry: half-planes, lines, hulls', () => {
  const view = { x0: 0, x1: 4, y0: 0, y1: 2 };
  assert.deepEqual(
    geometry.cutHalf(geometry.viewPolygon(view), 1, 0, -1),
    [1, 0, 4, 0, 4, 2, 1, 2],
  );
  assert.deepEqual(geometry.cutHalf(geometry.viewPolygon(view), 1, 0, -9), []);
  for (const [a, b, c] of [
    [1, 1, -1],
    [0, 1, -1],
    [1, 0, -2],
    [-3, 0.5, 2],
    [1e-9, 1e-9, -2e-9],
  ]) {
    const l = geometry.lineIn(view, a, b, c);
    for (const i of [0, 2]) close((a * l[i] + b * l[i + 1] + c) / Math.hypot(a, b), 0, 1e-9);
    assert.ok(l.every((v, i) => v >= -1e-9 && v <= (i % 2 ? 2 : 4) + 1e-9));
  }
  assert.equal(geometry.lineIn(view, 1, 1, 1), null);
  assert.equal(geometry.lineIn(view, 0, 0, 1), null);
  assert.equal(geometry.lineIn(view, NaN, 0, 1), null);
  assert.equal(
    geometry.hull([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0.5, 0.5],
      [0.5, 0],
    ]).length,
    4,
  );
  assert.equal(
    geometry.hull([
      [0, 0],
      [1, 1],
      [2, 2],
    ]).length,
    2,
    'points on one line',
  );
  assert.equal(
    geometry.hull([
      [1, 1],
      [1, 1],
      [1, 1],
    ]).length,
    1,
    'one place',
  );
});

test('weights: the path, and the line of the example in the slice of b before', () => {
  const what = {
    path: PATH,
    before: [1, 0, -2],
    now: [2, 1, -1],
    example: { row: 3, x: [1, 1, 1], y: 1, mistake: true, updated: true },
  };
  const list = svg(weights, what),
    f = weights.frameOf(BOX, what);
  const path = named(list, 'polyline')[0]
    .attributes.points.split(' ')
    .map((q) => f.toData(...q.split(',').map(Number)));
  assert.equal(path.length, PATH.length + 1);
  [[0, 0, 0], ...PATH].forEach((w, i) => {
    close(path[i][0], w[0]);
    close(path[i][1], w[1]);
  });
  const line = named(list, 'line').find(
    (e) => e.attributes.stroke === palettes.light.mistake && e.attributes['stroke-width'] === '1.6',
  );
  for (const k of [
    ['x1', 'y1'],
    ['x2', 'y2'],
  ]) {
    const [a, b] = f.toData(...n(line, ...k));
    close(a + b - 2, 0);
  }
  assert.ok(texts(list).includes('row 4: w·x + b = 0'));
  assert.ok(texts(list).includes('w′'));
});

test('weights: the feasible region holds solutions and nothing else', () => {
  const what = { path: [[3, 2, -4]], rows: { x: AND.x, sign: [-1, -1, -1, 1], offset: true } };
  const f = weights.frameOf(BOX, what),
    region = named(svg(weights, what), 'polygon').find(
      (e) => e.attributes.fill === palettes.light.feasible,
    );
  const at = region.attributes.points.split(' ').map((q) => f.toData(...q.split(',').map(Number)));
  for (const [w1, w2] of at)
    /* b = -4 in this slice */
    assert.ok(w1 <= 4.02 && w2 <= 4.02 && w1 + w2 >= 3.98, `${w1} ${w2}`);
  const none = { ...what, rows: { x: XOR.x, sign: [-1, 1, 1, -1], offset: true } };
  assert.ok(
    !named(svg(weights, none), 'polygon').some(
      (e) => e.attributes.fill === palettes.light.feasible,
    ),
  );
});

test('curves: one polyline a learner with the values, the bound where the limits meet', () => {
  const what = {
    kind: 'mistakes',
    series: [
      { name: 'perceptron', values: [4, 2, 0] },
      { name: 'pa', values: [3, 1, 1] },
    ],
  };
  const pen = new SvgPen({ width: 500, height: 400 }),
    f = curves.draw(pen, BOX, what),
    list = elements(String(pen));
  const lines = named(list, 'polyline').map((e) =>
    e.attributes.points.split(' ').map((q) => f.toData(...q.split(',').map(Number))),
  );
  lines.forEach((line, i) =>
    line.forEach(([x, y], k) => {
      close(x, k + 1);
      close(y, what.series[i].values[k]);
    }),
  );
  assert.equal(lines.length, 2);
  assert.ok(texts(list).includes('perceptron'));
  assert.deepEqual(curves.hit(BOX, what, f.x.to(2) + 3), { k: 2, index: 1 });
  assert.equal(curves.hit(BOX, what, f.x.to(3) + 400), null);
  for (const log of [false, true]) {
    const p = new SvgPen({ width: 500, height: 400 }),
      g = curves.draw(p, BOX, { ...BOUND, log });
    const all = elements(String(p)),
      meet = named(all, 'circle').find((e) => e.attributes.fill === palettes.light.ground);
    const [k, v] = g.toData(...n(meet, 'cx', 'cy'));
    close(k, 48, log ? 0.3 : 0.1);
    close(v, 144, log ? 1 : 0.5);
    const limit = (dash) =>
      named(all, 'polyline')
        .find((e) => e.attributes['stroke-dasharray'] === dash)
        .attributes.points.split(' ')
        .map((q) => g.toData(...q.split(',').map(Number)));
    for (const [a, b] of limit('2 3').slice(20)) close(b / ((a * a) / 16), 1, 0.02);
    for (const [a, b] of limit('6 4').slice(20)) close(b / (3 * a), 1, 0.02);
    assert.ok(texts(all).includes('k ≤ R²/γ′² = 48'));
    assert.ok(texts(all).includes('|w|² = 6'));
  }
});

test('counters: a bar a row, as high as its counter', () => {
  const what = {
    counters: [
      { row: 0, counter: 1, label: 0 },
      { row: 7, counter: 4, label: 1 },
      { row: 9, counter: 0, label: 1 },
    ],
    current: 7,
  };
  const pen = new SvgPen({ width: 500, height: 400 }),
    f = counters.draw(pen, BOX, what),
    list = elements(String(pen));
  const bars = named(list, 'rect').filter((e) => e.within.includes('counters'));
  assert.equal(bars.length, 2);
  bars.forEach((e, i) => close(f.y.from(n(e, 'y')[0]), [1, 4][i], 0.01));
  assert.deepEqual(
    bars.map((e) => e.attributes.fill),
    palettes.light.class.slice(0, 2),
  );
  assert.ok(texts(list).includes('8'), 'rows count from 1');
  const [x, w] = n(bars[1], 'x', 'width');
  assert.equal(counters.hit(BOX, what, x + w / 2, 200), 7);
  assert.equal(counters.hit(BOX, what, 480, 200), -1);
});

test('lift: xor in (x1², √2 x1 x2, x2²), and the plane between its classes', () => {
  const images = { columns: 3, names: ['x1^2', 'sqrt(2)*x1*x2', 'x2^2'], at: [] };
  for (let i = 0; i < 4; i++) {
    const [a, b] = XOR.x.slice(2 * i, 2 * i + 2);
    images.at.push(a * a, Math.SQRT2 * a * b, b * b);
  }
  const machine = { w: [2, -2 * Math.SQRT2, 2], b: -1 };
  const what = lift.scene(images, machine, XOR.y);
  assert.deepEqual(what.space.axes.map((a) => a.name), ['x1²', '√2·x1·x2', 'x2²']);
  for (const view of [lift.FIRST, { a: 2, e: -0.5 }, { a: 0.3, e: 1.2 }]) {
    const list = svg(lift, { ...what, view });
    for (const name of ['x1²', '√2·x1·x2', 'x2²']) assert.ok(texts(list).includes(name), name);
    /* By the definition of the view: right and up, of the point in a cube. */
    const cube = (k, v) => {
      const { from, to } = what.space.axes[k];
      return 2 * (v - from) / (to - from) - 1;
    };
    const unit = Math.min((BOX.w - 120) / 2.84, (BOX.h - 70) / 2.84), { a, e } = view;
    const place = (p) => {
      const [x, y, z] = p.map((v, k) => cube(k, v));
      return [250 + unit * (-Math.sin(a) * x + Math.cos(a) * y),
        200 - unit * (-Math.sin(e) * (Math.cos(a) * x + Math.sin(a) * y) + Math.cos(e) * z)];
    };
    const discs = named(list, 'circle').map((c) => n(c, 'cx', 'cy'));
    for (const i of [0, 3]) {
      const at = place(images.at.slice(3 * i, 3 * i + 3));
      assert.ok(discs.some(([x, y]) => Math.abs(x - at[0]) + Math.abs(y - at[1]) < 0.05), `${i}`);
    }
  }
  /* Of more than three numbers: the distance from the plane, which is at 0. */
  const more = lift.scene({ columns: 5, names: ['x1', 'x1^2', 'x2', 'x1*x2', 'x2^2'],
    at: Array.from(XOR.y, (_, i) => {
      const [a, b] = XOR.x.slice(2 * i, 2 * i + 2);
      return [a, a * a, b, a * b, b * b];
    }).flat() }, { w: [0, 3, 0, -6, 3], b: -1.5 }, XOR.y);
  assert.deepEqual(more.space.axes.map((a) => a.name), ['x1', 'x2', 'distance']);
  assert.deepEqual(more.space.plane, [0, 0, 1, 0]);
  [-1.5, 1.5, 1.5, -1.5].forEach((s, i) => close(more.space.at[3 * i + 2], s / Math.sqrt(54), 1e-12));
});

test('network: all units and weights of an MLP, all neurons of a formula', () => {
  const what = { kind: 'mlp', layers: LAYERS, inputs: ['x1', 'x2'], outputs: ['no', 'yes'] };
  const pen = new SvgPen({ width: 500, height: 400 }),
    place = network.draw(pen, BOX, what),
    list = elements(String(pen));
  assert.equal(named(list, 'circle').length, 2 + 3 + 2);
  assert.equal(named(list, 'line').length, 2 * 3 + 3 * 2);
  assert.equal(
    named(list, 'line').filter((e) => e.attributes['stroke-dasharray']).length,
    3,
    'negative weights are dashed',
  );
  assert.ok(texts(list).includes('yes') && texts(list).includes('−4'));
  assert.deepEqual(network.hit(BOX, what, ...place.at[3]), { layer: 0, unit: 1 });
  const gate = { kind: 'gate', gate: GATE, bits: [1, 0], out: [1] };
  const other = new SvgPen({ width: 500, height: 400 }),
    at = network.draw(other, BOX, gate).at,
    drawn = elements(String(other));
  assert.equal(named(drawn, 'line').length, 5);
  assert.ok(['≥ 2', '≥ 1', 'a', 'b', 'out', '−2'].every((t) => texts(drawn).includes(t)));
  assert.deepEqual(network.hit(BOX, gate, ...at[1]), { source: 1 });
  const lit = [...named(drawn, 'rect').slice(1), ...named(drawn, 'circle')].filter(
    (e) => e.attributes.fill === palettes.light.lit,
  );
  assert.equal(lit.length, 2, 'input a and the output');
});

test('network: a hidden unit shows its half-planes; no edge runs through a neuron', () => {
  const layers = [
    { inputs: 2, outputs: 1, activation: 'tanh', w: [[0], [1]], b: [0] },
    { inputs: 1, outputs: 2, w: [[1, -1]], b: [0, 0] },
  ];
  const what = { kind: 'mlp', layers, view: { x0: -1, x1: 1, y0: -1, y1: 1 } };
  const pen = new SvgPen({ width: 500, height: 400 }),
    { at } = network.draw(pen, BOX, what);
  const up = named(elements(String(pen)), 'polygon').find(
    (e) => e.attributes.fill === palettes.light.class[1],
  );
  assert.ok(
    up.attributes.points.split(' ').every((q) => Number(q.split(',')[1]) <= at[2][1] + 0.02),
    'positive above y = 0',
  );
  const adder = {
    kind: 'gate',
    gate: {
      inputs: ['a', 'b', 'c'],
      outputs: [{ name: 'sum', source: 4 }],
      neurons: [
        { sources: [0, 1, 2], weights: [1, 1, 1], threshold: 2 },
        { sources: [0, 1, 2, 3], weights: [1, 1, 1, -2], threshold: 1 },
      ],
    },
  };
  for (const h of [190, 300, 600]) {
    const p = network.draw(new SvgPen({ width: 420, height: h }), { x: 0, y: 0, w: 420, h }, adder),
      [x, y] = p.at[3];
    for (let i = 0; i < 3; i++) {
      const [[x0, y0], [x1, y1]] = [p.at[i], p.at[4]];
      assert.ok(Math.abs(y - y0 - ((y1 - y0) * (x - x0)) / (x1 - x0)) > p.r, `${h}`);
    }
  }
});

test('arithmetic: an update in the numbers of the trace', () => {
  const lines = arithmetic.lines({ last: LAST, x: [1, 1], labels: ['-1', '1'] });
  assert.deepEqual(
    lines.map((l) => l.text),
    [
      'pass 4, row 4: x = (1, 1), y = +1',
      's = w·x + b = 1·1 + 1·1 + (-3) = -1',
      'y s = -1 ≤ 0: a mistake',
      'w′ = w + η y x = (1, 1) + 1·(+1)·(1, 1) = (2, 2)',
      'b′ = b + η y = -3 + 1·(+1) = -2',
    ],
  );
  const down = arithmetic.lines({
    last: { ...LAST, y: -1, score: 0, w: [0.5, 1], b: -3.5 },
    x: [1, 0],
  });
  assert.deepEqual(
    down.slice(2).map((l) => l.text),
    [
      'y s = 0 ≤ 0: a mistake',
      'w′ = w + η y x = (1, 1) + 0.5·(-1)·(1, 0) = (0.5, 1)',
      'b′ = b + η y = -3 + 0.5·(-1) = -3.5',
    ],
  );
  const right = arithmetic.lines({
    last: { ...LAST, y: -1, label: '-1', mistake: false, updated: false },
    x: [0, 0.5],
  });
  assert.deepEqual(
    right.map((l) => l.kind),
    ['example', 'score', 'test'],
  );
  assert.equal(right[2].text, 'y s = 1 > 0: right, nothing changes');
  const pa = arithmetic.lines({
    last: { ...LAST, score: 0.5, mistake: false, step: 0.25, w: [1.25, 1.25], b: -2.75 },
    x: [1, 1],
    rule: 'pa',
  });
  assert.equal(pa[2].text, 'y s = 0.5 > 0: right, but by too little');
  assert.equal(pa[3].text, 'w′ = w + τ y x = (1, 1) + 0.25·(+1)·(1, 1) = (1.25, 1.25)');
  const kernel = arithmetic.lines({
    last: {
      epoch: 1,
      row: 3,
      y: -1,
      score: 8,
      mistake: true,
      updated: true,
      counter: 1,
      b: 0,
      w: null,
    },
    x: [1, 1],
  });
  assert.deepEqual(
    kernel.slice(1).map((l) => l.text),
    ['s = Σ αᵢ yᵢ K(xᵢ, x) + b = 8', 'y s = -8 ≤ 0: a mistake', 'α of row 4 is now 1, b = 0'],
  );
  assert.deepEqual(arithmetic.lines({ last: null }), []);
  assert.equal(
    arithmetic.html([{ kind: 'test', text: '<script>' }]),
    '<p class="test">&lt;script&gt;</p>',
  );
  assert.equal(
    arithmetic.sentence({ last: LAST, x: [1, 1] }),
    'Pass 4, row 4: a mistake, score -1. w is now (2, 2), b -2.',
  );
});

/* The cells are compared with the table that the command line prints, where it is built. */
const COMMAND =
  process.env.PERCEPTRON || new URL('../../build/perceptron', import.meta.url).pathname;
for (const data of [':and', ':blobs85', ':xor --kernel poly', ':or --rate 0.1', ':and -a pa'])
  test(
    `arithmetic: the cells of trace ${data}`,
    { skip: !existsSync(COMMAND) && 'the command line is not built' },
    () => {
      const run = (...more) =>
        execFileSync(COMMAND, ['trace', ...data.split(' '), '--epochs', '3', ...more], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
          timeout: 600000,
        });
      const [, head, ...rows] = run() // the first line names the algorithm
          .split('\n')
          .map((l) => l.trim().split(/ {2,}/)),
        { steps } = JSON.parse(run('--json'));
      assert.ok(steps.length > 3);
      steps.forEach((s, i) => {
        const cells = arithmetic.traceCells({ last: { ...s, row: s.row - 1 }, x: s.x });
        head.forEach((name, c) => {
          if (name !== 'updated') assert.equal(cells[name], rows[i][c], `${name} of step ${i + 1}`);
        });
      });
    },
  );

test('axes: the longest number beside an axis has room, however many ticks there are', () => {
  for (const top of [0.2, 0.21, 0.25, 3, 45, 12345])
    for (const h of [120, 200, 240, 320, 420]) {
      const box = { x: 0, y: 0, w: 260, h },
        f = scale.frame(box, { x0: 0, x1: 1, y0: 0, y1: top }),
        pen = new SvgPen({ width: box.w, height: box.h, theme: 'light', title: 't' });
      const widths = [];
      const text = pen.text.bind(pen);
      pen.text = (x, y, s, style) => {
        const beside = style && style.anchor === 'end' && x < f.plot.x;
        if (beside) widths.push(x - scale.textWidth(s, f.size));
        text(x, y, s, style);
      };
      scale.drawAxes(pen, f, { xName: '', yName: '' });
      assert.ok(widths.length > 0, 'numbers beside the axis');
      assert.ok(Math.min(...widths) >= 0, `${top} at ${h}: ${Math.min(...widths)}`);
    }
});
