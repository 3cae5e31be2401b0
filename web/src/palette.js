/* palette.js -- what the colours of src/show/palette.mjs are used for here. */
import colours from '../../src/show/palette.mjs';

export const SHAPES = [
  'circle',
  'square',
  'triangle',
  'diamond',
  'plus',
  'star',
  'down',
  'hexagon',
];

const uses = (c) => ({
  ground: c.ground,
  panel: c.card,
  ink: c.text,
  muted: c.soft,
  axis: c.faint,
  grid: c.grid,
  class: c.class,
  boundary: c.text,
  margin: c.soft,
  before: c.faint,
  normal: c.text,
  mistake: c.alert,
  right: c.good,
  witness: c.witness,
  imported: c.imported,
  positive: c.class[1],
  negative: c.class[0],
  feasible: c.good,
  lit: c.lit,
  edge: c.ground,
  series: c.class.slice(0, 6),
});

export const palettes = { light: uses(colours.light), dark: uses(colours.dark) };

/* The colour a style names: 'ink', 'class2', 'series1', or a literal '#rrggbb' or 'none'. */
export function colour(palette, name) {
  if (name === undefined || name === null) return 'none';
  const m = /^(class|series)(\d+)$/.exec(name);
  if (m) return palette[m[1]][Number(m[2]) % palette[m[1]].length];
  return typeof palette[name] === 'string' ? palette[name] : name;
}

/* [r, g, b] of '#rrggbb'. */
export const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

/* WCAG 2 contrast of two colours. */
export function contrast(a, b) {
  const lum = (hex) => {
    const [r, g, c] = rgb(hex).map(
      (v) => ((v /= 255), v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4),
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * c;
  };
  const [hi, lo] = [lum(a), lum(b)].sort((p, q) => q - p);
  return (hi + 0.05) / (lo + 0.05);
}
