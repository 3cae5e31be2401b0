/* space.mjs -- points in a box, seen from some direction: the drawing of figure_space.c, for
 * pages in which the box is turned. The report has it in front of report.js; the playground
 * imports it.
 *
 *     spaceLayout(space, {a, e}, {x, y, w, h}) -> what to draw, in units of the box
 *
 * space = {axes: [{name, from, to, ticks: [[value, text]]}] (3 of them), at: [x, y, z, ...],
 *          plane: [w1, w2, w3, b] or null}
 * Lines are flat lists [x0, y0, x1, y1, ...]; points come from far to near. */

const spaceDot = (p, q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];

/* Azimuth a around the third axis, elevation e above the floor: (1) of figure_space.c. */
function spaceView(a, e) {
  const ca = Math.cos(a), sa = Math.sin(a), ce = Math.cos(e), se = Math.sin(e);
  return { right: [-sa, ca, 0], up: [-ca * se, -sa * se, ce], toward: [ca * ce, sa * ce, se] };
}

/* Where a plane n.p + b = 0 cuts the edges of the cube -1 .. 1. */
function spaceCut(n, b) {
  const corners = [];
  for (let k = 0; k < 3; k++) {
    for (let i = 0; i < 4; i++) {
      const j = (k + 1) % 3, l = (k + 2) % 3, p = [0, 0, 0];
      p[j] = i % 2 ? 1 : -1;
      p[l] = i > 1 ? 1 : -1;
      p[k] = -(n[j] * p[j] + n[l] * p[l] + b) / n[k];
      if (Math.abs(p[k]) <= 1) corners.push(p);
    }
  }
  return corners;
}

/* The corners of a polygon in order around their middle. */
function spaceAround(points) {
  const mx = points.reduce((s, p) => s + p[0], 0) / points.length;
  const my = points.reduce((s, p) => s + p[1], 0) / points.length;
  const turn = (p) => Math.atan2(p[1] - my, p[0] - mx);
  return points.slice().sort((p, q) => turn(p) - turn(q));
}

/* The ticks and the name of axis k, beside an edge of the box: of the first two on the floor, in
 * front; of the third the leftmost. */
function spaceAxis(axis, k, v, screen, cube, far, box) {
  let p = [-far[0], -far[1], -1];
  if (k === 2) {
    p = [[-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 1, 0]]
      .reduce((best, c) => (screen(c)[0] < screen(best)[0] ? c : best));
  }
  p[k] = 0;
  const along = Math.hypot(v.right[k], v.up[k]) || 1, [x, y] = screen(p);
  const away = v.up[k] * (x - box.x - box.w / 2) + v.right[k] * (y - box.y - box.h / 2);
  const ux = (away < 0 ? -1 : 1) * v.up[k] / along, uy = (away < 0 ? -1 : 1) * v.right[k] / along;
  const anchor = ux > 0.3 ? 'start' : ux < -0.3 ? 'end' : 'middle';
  const at = (value) => { p[k] = value; return screen(p); };
  const texts = axis.ticks.map(([value, text]) => {
    const [tx, ty] = at(cube(k, value));
    return { x: tx + 8 * ux, y: ty + 9 * uy + 4.5, anchor, text };
  });
  const out = k === 2 ? 0 : 34, [nx, ny] = at(k === 2 ? 1 : 0);
  texts.push({ x: nx + out * ux, y: ny + out * uy - (k === 2 ? 12 : -4.5), text: axis.name,
    anchor: k === 2 ? 'middle' : anchor, name: true });
  return texts;
}

export function spaceLayout(space, view, box) {
  const v = spaceView(view.a, view.e), { axes } = space;
  const unit = Math.min((box.w - 120) / 2 / 1.42, (box.h - 70) / 2 / 1.42);
  const screen = (p) => [box.x + box.w / 2 + unit * spaceDot(p, v.right),
    box.y + box.h / 2 - unit * spaceDot(p, v.up)];
  const cube = (k, value) => 2 * (value - axes[k].from) / (axes[k].to - axes[k].from) - 1;
  const far = v.toward.map((t) => (t > 0 ? -1 : 1));
  const lines = (list, k, at) => {
    for (const j of [(k + 1) % 3, (k + 2) % 3]) {
      const p = [0, 0, 0], q = [0, 0, 0], l = 3 - k - j;
      p[k] = q[k] = at;
      p[j] = q[j] = far[j];
      p[l] = -1;
      q[l] = 1;
      list.push(...screen(p), ...screen(q));
    }
  };
  const grid = [], frame = [], drops = [], texts = [];
  axes.forEach((axis, k) => {
    for (const [value] of axis.ticks) lines(grid, k, cube(k, value));
    for (const side of [-1, 1]) lines(frame, k, side);
    texts.push(...spaceAxis(axis, k, v, screen, cube, far, box));
  });
  let normal = null, b = 0;
  if (space.plane) {
    const half = axes.map((axis) => (axis.to - axis.from) / 2);
    normal = half.map((h, k) => space.plane[k] * h);
    b = half.reduce((s, h, k) => s + space.plane[k] * (axes[k].from + h), space.plane[3]);
  }
  const points = [];
  for (let i = 0; 3 * i < space.at.length; i++) {
    const p = [0, 1, 2].map((k) => cube(k, space.at[3 * i + k])), [x, y] = screen(p);
    const behind = Boolean(normal)
      && (spaceDot(p, normal) + b) * spaceDot(v.toward, normal) < 0;
    points.push({ i, x, y, near: spaceDot(p, v.toward), behind });
    drops.push(...screen([p[0], p[1], -1]), x, y);
  }
  points.sort((p, q) => p.near - q.near);
  const corners = normal ? spaceAround(spaceCut(normal, b).map(screen)) : [];
  return { grid, frame, drops: space.at.length <= 3 * 60 ? drops : [], points, texts,
    plane: corners.length > 2 ? corners.flat() : [] };
}
