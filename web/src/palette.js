/* palette.js -- the colours, once, for light and dark.
 *
 * Classes wear the colours of Okabe and Ito (2008), told apart by people with any common kind of
 * colour blindness, and also differ by shape. On a light ground the darker ones come first, on a
 * dark ground the lighter ones; class 0 is blue and class 1 orange on both. Marks reach a contrast
 * of 3:1 with the ground and texts 4.5:1; tests/web/views.test.js checks it. */

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

const light = {
  ground: '#ffffff',
  panel: '#f6f7f9',
  ink: '#1b1f24',
  muted: '#5c636d',
  axis: '#8a919b',
  grid: '#e6e8ec',
  class: ['#0072b2', '#d55e00', '#008060', '#b0558a', '#8a6d00', '#3b3f46', '#2f86bd', '#a34700'],
  boundary: '#1b1f24',
  margin: '#5c636d',
  before: '#767d87',
  normal: '#1b1f24',
  mistake: '#b3004b',
  right: '#00704f',
  witness: '#6b3fa0',
  imported: '#00707a',
  positive: '#d55e00',
  negative: '#0072b2',
  feasible: '#008060',
  lit: '#f0b400',
  edge: '#ffffff',
  series: ['#0072b2', '#d55e00', '#008060', '#b0558a', '#8a6d00', '#3b3f46'],
};

const dark = {
  ground: '#14171c',
  panel: '#1b1f26',
  ink: '#eceef1',
  muted: '#a3abb6',
  axis: '#69717c',
  grid: '#2a2f38',
  class: ['#56b4e9', '#e69f00', '#1fc296', '#dd94bd', '#f0e442', '#c9ced6', '#8fc9ee', '#f2c14e'],
  boundary: '#f5f6f8',
  margin: '#a3abb6',
  before: '#8b93a0',
  normal: '#f5f6f8',
  mistake: '#ff7aa8',
  right: '#43d6a8',
  witness: '#c6a4ff',
  imported: '#5cd6e0',
  positive: '#e69f00',
  negative: '#56b4e9',
  feasible: '#1fc296',
  lit: '#ffd34d',
  edge: '#14171c',
  series: ['#56b4e9', '#e69f00', '#1fc296', '#dd94bd', '#f0e442', '#c9ced6'],
};

export const palettes = { light, dark };

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
