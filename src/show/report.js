// report.js -- the moving parts of a report: the theme, the animation of every update, printing.
// Everything is made with DOM calls and textContent: no text of the data becomes markup.
(function () {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const NS = "http://www.w3.org/2000/svg";

  // ----- theme: as the system has it, or light, or dark -----------------------------------
  const theme = $("theme"), themes = ["auto", "light", "dark"];
  function setTheme(name) {
    if (name === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", name);
    theme.textContent = "Theme: " + name;
    theme.value = name;
  }
  if (theme) {
    theme.hidden = false;
    setTheme("auto");
    theme.addEventListener("click", () =>
      setTheme(themes[(themes.indexOf(theme.value) + 1) % themes.length]));
  }

  // ----- paper: every table is open there ----------------------------------------------------
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = Array.from(document.querySelectorAll("details:not([open])"));
    for (const d of closed) d.open = true;
    if (film) film.print();
  });
  window.addEventListener("afterprint", () => { for (const d of closed) d.open = false; });

  // ----- numbers for people ---------------------------------------------------------------
  function num(v) {
    if (v === null || !isFinite(v)) return "–";
    if (v === 0) return "0";
    const a = Math.abs(v);
    let t = a >= 1e6 || a < 1e-4 ? a.toExponential(4) : String(Number(a.toPrecision(6)));
    return (v < 0 ? "−" : "") + t;
  }
  const inBrackets = (v) => (v < 0 ? "(" + num(v) + ")" : num(v));
  const pair = (a, b) => "(" + num(a) + ", " + num(b) + ")";
  const commas = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

  // ----- pieces of pictures ---------------------------------------------------------------
  function el(name, attributes, parent) {
    const e = document.createElementNS(NS, name);
    for (const a in attributes) e.setAttribute(a, attributes[a]);
    if (parent) parent.appendChild(e);
    return e;
  }
  // The marks of figure_svg.c: disc, square, triangle, diamond, ...
  const corners = [null,
    [[-.9, -.9], [.9, -.9], [.9, .9], [-.9, .9]], [[0, -1.25], [1.15, .8], [-1.15, .8]],
    [[0, -1.3], [1.15, 0], [0, 1.3], [-1.15, 0]], [[0, 1.25], [1.15, -.8], [-1.15, -.8]],
    [[-.4, -1.2], [.4, -1.2], [.4, -.4], [1.2, -.4], [1.2, .4], [.4, .4], [.4, 1.2], [-.4, 1.2],
     [-.4, .4], [-1.2, .4], [-1.2, -.4], [-.4, -.4]],
    [[0, -.55], [.6, -1.15], [1.15, -.6], [.55, 0], [1.15, .6], [.6, 1.15], [0, .55],
     [-.6, 1.15], [-1.15, .6], [-.55, 0], [-1.15, -.6], [-.6, -1.15]],
    [[-1.2, -1.05], [1.2, 1.05], [1.2, -1.05], [-1.2, 1.05]]];
  const f1 = (v) => v.toFixed(1);
  function disc(x, y, r) {
    return "M" + f1(x - r) + " " + f1(y) + "a" + f1(r) + " " + f1(r) + " 0 1 1 " + f1(2 * r) +
      " 0a" + f1(r) + " " + f1(r) + " 0 1 1-" + f1(2 * r) + " 0";
  }
  function mark(label, x, y, r) {
    const c = corners[(label + Math.floor(label / 8)) % 8];
    if (!c) return disc(x, y, r);
    return c.map((p, i) => (i ? "L" : "M") + f1(x + r * p[0]) + " " + f1(y + r * p[1]))
      .join("") + "z";
  }

  // ----- points in space: turned by dragging, by buttons and by arrow keys ------------------
  for (const g of document.querySelectorAll("[data-space]")) makeTurn(g);

  function makeTurn(g) {
    const space = JSON.parse(g.dataset.space), svg = g.ownerSVGElement;
    const first = { a: space.a, e: space.e }, view = { a: space.a, e: space.e };
    const w = svg.viewBox.baseVal.width, box = { x: 0, y: 14, w: w, h: 0.76 * w };
    const many = space.class.length > 200;
    const points = Array.from(g.querySelectorAll("[data-i]"));
    const lines = (xy) => {
      let d = "";
      for (let i = 0; i < xy.length; i += 4)
        d += "M" + f1(xy[i]) + " " + f1(xy[i + 1]) + "L" + f1(xy[i + 2]) + " " + f1(xy[i + 3]);
      return d;
    };
    function draw() {
      const l = spaceLayout(space, view, box), at = {};
      for (const p of points) at[p.dataset.i] = p;
      g.replaceChildren();
      el("path", { class: "f-grid", d: lines(l.grid) }, g);
      el("path", { class: "f-frame", d: lines(l.frame) }, g);
      el("path", { class: "f-frame f-drop", d: lines(l.drops) }, g);
      const place = (p) => {
        const r = (many ? 3 : 4.5) * (1 + 0.15 * p.near);
        at[p.i].setAttribute("d", mark(Math.max(0, space.class[p.i]), p.x, p.y, r));
        g.appendChild(at[p.i]);
      };
      for (const p of l.points) if (p.behind) place(p);
      let d = "";
      for (let i = 0; i < l.plane.length; i += 2)
        d += (i ? "L" : "M") + f1(l.plane[i]) + " " + f1(l.plane[i + 1]);
      if (d) el("path", { class: "f-ink f-area f-plane", d: d + "z" }, g);
      for (const p of l.points) if (!p.behind) place(p);
      for (const t of l.texts)
        el("text", { x: f1(t.x), y: f1(t.y), "text-anchor": t.anchor,
                     class: t.name ? "f-name" : "f-text f-small" }, g).textContent = t.text;
    }
    function turn(a, e) {
      view.a += a;
      view.e = Math.max(-1.4, Math.min(1.4, view.e + e));
      draw();
    }
    function reset() { Object.assign(view, first); draw(); }

    const bar = document.createElement("div");
    bar.className = "turn";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Turn the picture");
    const STEP = 0.12, ways = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP],
                                ArrowDown: [0, -STEP] };
    const button = (sign, label, act) => {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = sign;
      b.setAttribute("aria-label", label);
      b.title = label;
      b.addEventListener("click", act);
      bar.appendChild(b);
    };
    button("←", "Turn left", () => turn(...ways.ArrowLeft));
    button("→", "Turn right", () => turn(...ways.ArrowRight));
    button("↑", "Look from higher up", () => turn(...ways.ArrowUp));
    button("↓", "Look from lower down", () => turn(...ways.ArrowDown));
    button("Reset", "Turn back to the first view", reset);
    bar.addEventListener("keydown", (event) => {
      if (!ways[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      turn(...ways[event.key]);
      event.preventDefault();
    });
    svg.after(bar);
    svg.classList.add("turns");
    let last = null;
    svg.addEventListener("pointerdown", (event) => {
      last = [event.clientX, event.clientY];
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      if (!last) return;
      turn((last[0] - event.clientX) * 0.01, (event.clientY - last[1]) * 0.01);
      last = [event.clientX, event.clientY];
    });
    for (const name of ["pointerup", "pointercancel"])
      svg.addEventListener(name, () => { last = null; });
  }

  // ----- the animation --------------------------------------------------------------------
  const source = $("data");
  const film = source && $("film") ? makeFilm(JSON.parse(source.textContent)) : null;

  function makeFilm(data) {
    const W = 600, H = 460, L = 58, R = 14, T = 12, B = 66, CELLS = 60;
    // As html_text does: what is no character, or reorders the text around it, is U+FFFD.
    const clean = (s) => s.replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
    data.labels = data.labels.map(clean);
    data.axis = data.axis.map(clean);
    const [x0, y0, x1, y1] = data.box;
    const px = (x) => L + (x - x0) / (x1 - x0) * (W - L - R);
    const py = (y) => T + (y1 - y) / (y1 - y0) * (H - T - B);
    const ui = {};
    for (const id of ["run", "picture", "state", "sum", "first", "back", "play", "step", "last",
                      "speed", "at", "title", "pick"])
      ui[id] = $("film-" + id);
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    let run, steps, n, k = 0, playing = false, due = 0, frame = 0;
    let counter, field, finished, classes;

    // --- the picture, made once a run
    function ticks(from, to) {
      const raw = (to - from) / 5, unit = Math.pow(10, Math.floor(Math.log10(raw)));
      const step = unit * [1, 2, 5, 10].find((m) => m * unit >= raw);
      const list = [];
      for (let i = Math.ceil(from / step); i * step <= to; i++) list.push(i * step);
      return list;
    }
    const svg = el("svg", { viewBox: "0 0 " + W + " " + H, class: "f", role: "img",
                            "aria-labelledby": "film-title film-state" }, ui.picture);
    function axes() {
      const text = (x, y, anchor, t, c) => {
        el("text", { x: f1(x), y: f1(y), "text-anchor": anchor, class: c }, svg).textContent = t;
      };
      for (const v of ticks(x0, x1)) {
        el("path", { class: "f-grid", d: "M" + f1(px(v)) + " " + T + "V" + (H - B) }, svg);
        text(px(v), H - B + 17, "middle", num(Number(v.toPrecision(10))), "f-text");
      }
      for (const v of ticks(y0, y1)) {
        el("path", { class: "f-grid", d: "M" + L + " " + f1(py(v)) + "H" + (W - R) }, svg);
        text(L - 7, py(v) + 4, "end", num(Number(v.toPrecision(10))), "f-text");
      }
      text((L + W - R) / 2, H - 28, "middle", cut(data.axis[0], 60), "f-name");
      const name = el("text", { class: "f-name", "text-anchor": "middle",
        transform: "rotate(-90 14 " + (T + H - B) / 2 + ")", x: 14, y: (T + H - B) / 2 }, svg);
      name.textContent = cut(data.axis[1], 45);
    }
    const cut = (s, most) => { const c = Array.from(s);
                               return c.length > most ? c.slice(0, most - 1).join("") + "…" : s; };
    axes();
    const colour = (label) => (label < 0 ? "f-faint" : "f-c" + label % 8);
    // One for each label, and the last for what is none of them.
    const tint = data.labels.concat("").map((_, i) => el("path",
      { class: "f-tint " + colour(i < data.labels.length ? i : -1) }, svg));
    el("path", { class: "f-frame", d: "M" + L + " " + T + "H" + (W - R) + "V" + (H - B) + "H" + L +
                                      "z" }, svg);
    const radius = data.point.x.length > 400 ? 2.6 : 4.5;
    data.labels.forEach((name, label) => {
      let d = "";
      data.point.x.forEach((x, i) => {
        if (data.point.label[i] === label) d += mark(label, px(x), py(data.point.y[i]), radius);
      });
      if (d) el("path", { class: (radius < 4 ? "f-spot " : "f-mark ") + colour(label), d: d }, svg);
    });
    legend();
    function legend() {
      let at = L + 4;
      data.labels.forEach((name, label) => {
        const shown = cut(name, 18), width = 34 + 10 * Array.from(shown).length;
        if (at + width > W) return;
        el("path", { class: "f-mark " + colour(label), d: mark(label, at, H - 9, 4.5) }, svg);
        el("text", { x: at + 10, y: H - 4.5, class: "f-text" }, svg).textContent = shown;
        at += width;
      });
    }
    const rings = el("path", { class: "f-ring f-ink", "stroke-opacity": ".55" }, svg);
    const before = el("path", { class: "f-line f-dash f-faint" }, svg);
    const line = el("path", { class: "f-line f-ink" }, svg);
    const here = el("path", { class: "f-ring f-alert", "stroke-width": "2.6" }, svg);

    // --- lines and regions
    const inside = (w, x, y) => w[0] * x + w[1] * y + w[2];
    const corner = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    const between = (p, q, t) => [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
    const path = (points) => "M" + points.map((p) => f1(px(p[0])) + " " + f1(py(p[1]))).join("L");
    // The part of a polygon where w.x + b > 0, or with `edge` >= 0 (Sutherland and Hodgman 1974).
    function clip(polygon, w, edge) {
      const out = [], on = (v) => v > 0 || edge && v === 0;
      polygon.forEach((p, i) => {
        const q = polygon[(i + 1) % polygon.length];
        const a = inside(w, p[0], p[1]), b = inside(w, q[0], q[1]);
        if (on(a)) out.push(p);
        if (on(a) !== on(b)) out.push(between(p, q, a / (a - b)));
      });
      return out;
    }
    const filled = (polygon) => (polygon.length < 3 ? "" : path(polygon) + "z");
    const minus = (v, w) => [v[0] - w[0], v[1] - w[1], v[2] - w[2]];
    const half = (w, sign) => filled(clip(corner, w.map((v) => sign * v), false));
    function chord(w) {
      const hit = [];
      for (let i = 0; i < 4; i++) {
        const p = corner[i], q = corner[(i + 1) % 4];
        const a = inside(w, p[0], p[1]), b = inside(w, q[0], q[1]);
        if (a > 0 !== b > 0) hit.push(between(p, q, a / (a - b)));
      }
      return hit.slice(0, 2);
    }
    const across = (w) => { const hit = chord(w); return hit.length < 2 ? "" : path(hit); };
    // Of several classes the one of the largest score answers, of equals the lower.
    function answers(all, c) {
      let part = corner;
      all.forEach((w, d) => { if (w && d !== c) part = clip(part, minus(all[c], w), d > c); });
      return filled(part);
    }
    // Where classes c and d score alike, and no other more.
    function border(all, c, d) {
      let [p, q] = chord(minus(all[c], all[d]));
      for (let e = 0; q && e < all.length; e++) {
        if (e === c || e === d || !all[e]) continue;
        const w = minus(all[c], all[e]);
        const a = inside(w, p[0], p[1]), b = inside(w, q[0], q[1]);
        if (a < 0 && b < 0) return "";
        if (a < 0) p = between(p, q, a / (a - b));
        else if (b < 0) q = between(p, q, a / (a - b));
      }
      return q ? path([p, q]) : "";
    }
    function borders(all) {
      let out = "";
      for (let c = 0; c < all.length; c++)
        for (let d = c + 1; d < all.length; d++)
          if (all[c] && all[d]) out += border(all, c, d);
      return out;
    }
    // The vectors of several classes after each step; null as long as a label was not met.
    function unfold() {
      const frames = [data.labels.map(() => null)];
      let at = 0;
      steps.changed.forEach((count, i) => {
        const all = frames[i].slice();
        for (; count > 0; count--, at++)
          all[steps.class[at]] = [steps.w1[at], steps.w2[at], steps.b[at]];
        frames.push(all);
      });
      return frames;
    }
    const weights = (i) => (!run.line ? null : i > 0
      ? [steps.w1[i - 1], steps.w2[i - 1], steps.b[i - 1]] : run.numbers ? [0, 0, 0] : null);
    function kernel(ax, ay, bx, by) {
      const q = run.kernel, dot = ax * bx + ay * by, dx = ax - bx, dy = ay - by;
      switch (q.name) {
        case "poly": return Math.pow(q.gamma * dot + q.coef0, q.degree);
        case "rbf": case "gaussian": return Math.exp(-q.gamma * (dx * dx + dy * dy));
        case "sigmoid": return Math.tanh(q.gamma * dot + q.coef0);
        default: return dot;
      }
    }
    const cellX = (i) => x0 + (i + .5) / CELLS * (x1 - x0);
    const cellY = (i) => y0 + (i + .5) / CELLS * (y1 - y0);
    // Adds step i to the scores of the cells, in units of the rate; with sign -1 takes it back.
    function push(i, sign) {
      const r = steps.row[i], x = data.row.x[r], y = data.row.y[r];
      counter[r] += sign;
      if (!field) return;
      const a = sign * (data.row.label[r] === run.positive ? 1 : -1);
      for (let v = 0, c = 0; v < CELLS; v++)
        for (let u = 0; u < CELLS; u++, c++)
          field[c] += a * (kernel(x, y, cellX(u), cellY(v)) + (run.offset ? 1 : 0));
    }
    function cells(has) {
      const w = (W - L - R) / CELLS, h = (H - T - B) / CELLS;
      let d = "";
      for (let v = 0; v < CELLS; v++)
        for (let u = 0; u < CELLS; u++) {
          const from = u;
          while (u < CELLS && has(v * CELLS + u)) u++;
          if (u > from)
            d += "M" + f1(L + from * w) + " " + f1(H - B - (v + 1) * h) + "h" + f1((u - from) * w) +
              "v" + f1(h) + "h-" + f1((u - from) * w) + "z";
        }
      return d;
    }

    // --- what is told
    // The constant of w: an offset b, or a threshold θ = −b.
    const letter = data.threshold ? "θ" : "b", called = data.threshold ? "Threshold" : "Offset";
    const constant = (b) => data.threshold ? 0 - b : b;
    function item(list, name, text, bad) {
      const li = document.createElement("li"), b = document.createElement("span");
      b.textContent = name;
      li.append(b, text);
      if (bad) li.classList.add("no");
      list.appendChild(li);
    }
    function told() {
      const list = document.createElement("ul");
      list.className = "sum";
      const now = weights(k), was = k > 0 ? weights(k - 1) : null;
      if (k > 0) tellStep(list, k - 1, was, now);
      else if (run.numbers) item(list, "Weights", "w = (0, 0)" + (run.offset ? ", " + letter + " = 0" : ""));
      if (run.kernel) tellCounters(list);
      if (finished) item(list, "Tint", "what the finished model answers there");
      ui.sum.replaceChildren(list);
    }
    function tellStep(list, i, was, now) {
      const r = steps.row[i], x = data.row.x[r], y = data.row.y[r], s = steps.score[i];
      const sign = data.row.label[r] === run.positive ? 1 : -1;
      const two = run.positive !== null, margin = two ? sign * s : s, wrong = !(margin > 0);
      const plus = data.threshold ? " − " : " + ";
      const whole = run.numbers || run.kernel && run.kernel.follow;
      item(list, whole ? "Example" : "Example, in the picture",
        "x = " + pair(x, y) + (two ? ", y = " + (sign > 0 ? "+1" : "−1") : ""));
      if (run.numbers && was)
        item(list, "Score before", "s = w·x" + (run.offset ? plus + letter : "") + " = " + num(was[0]) +
          "·" + inBrackets(x) + " + " + inBrackets(was[1]) + "·" + inBrackets(y) +
          (run.offset ? plus + inBrackets(constant(was[2])) : "") + " = " + num(s));
      else item(list, two ? "Score before" : "Margin before: half the gap to the best other label",
        (two ? "s = " : "") + num(s));
      item(list, "Verdict", (two ? "y·s = " + num(margin) : num(margin)) + (wrong
        ? " ≤ 0: a mistake" : run.rest
        ? " > 0: its label is ahead, but the machine of a label, for itself, was wrong or too near"
        : " > 0: right, but by too little for this rule"), wrong);
      if (run.numbers && was && run.plain) {
        const a = run.rate * sign, times = (Math.abs(run.rate) === 1 ? "" : num(run.rate) + " ");
        item(list, "Update", "w " + (a < 0 ? "− " : "+ ") + times + "x = " + pair(was[0], was[1]) +
          (a < 0 ? " − " : " + ") + times + pair(x, y) + " = " + pair(now[0], now[1]));
        if (run.offset)
          item(list, called, letter + " = " + num(constant(was[2])) +
            (constant(a) < 0 ? " − " : " + ") + num(Math.abs(a)) + " = " + num(constant(now[2])));
      } else if (run.numbers && was)
        item(list, "Update", "w: " + pair(was[0], was[1]) + " → " + pair(now[0], now[1]) +
          tellConstant(was, now));
      else if (run.numbers && classes)
        classes[i + 1].forEach((v, c) => tellClass(list, c, classes[i][c], v));
    }
    function tellConstant(was, now) {
      return !run.offset ? "" : "; " + letter + ": " +
        (was ? num(constant(was[2])) + " → " : "") + num(constant(now[2]));
    }
    function tellClass(list, c, was, now) {
      if (now === was) return;
      item(list, "Weights of " + cut(data.labels[c], 24), "w: " +
        (was ? pair(was[0], was[1]) + " → " : "") + pair(now[0], now[1]) +
        tellConstant(was, now));
    }
    function tellCounters(list) {
      let rows = 0;
      for (const c of counter) rows += c > 0;
      if (k > 0) {
        const c = counter[steps.row[k - 1]];
        item(list, "Counter of this row", "α: " + (c - 1) + " → " + c);
      }
      item(list, "Counters", rows + (rows === 1 ? " row has" : " rows have") +
        " one above 0; their sum is " + commas(k));
    }
    function state() {
      const end = k === n ? (run.cut ? "; later updates are not kept" : ", the last") : "";
      if (k === 0) return "Before the first of " + commas(n) + " updates";
      const r = steps.row[k - 1];
      const where = data.row.line[r] === data.row.number[r] ? ""
        : " (line " + commas(data.row.line[r]) + ")";
      return "Update " + commas(k) + " of " + commas(n) + end + ": pass " + steps.epoch[k - 1] +
        ", row " + commas(data.row.number[r]) + where + ", label " +
        data.labels[data.row.label[r]];
    }

    // --- drawing
    function regions(now) {
      const two = run.positive !== null, yes = run.positive;
      const no = data.labels.length === 2 ? 1 - run.positive : data.labels.length;
      for (const t of tint) t.setAttribute("d", "");
      if (field) {
        tint[yes].setAttribute("d", cells((c) => field[c] > 1e-12));
        tint[no].setAttribute("d", cells((c) => field[c] < -1e-12));
      } else if (now && two) {
        tint[yes].setAttribute("d", half(now, 1));
        tint[no].setAttribute("d", half(now, -1));
      } else if (classes)
        classes[k].forEach((w, c) => { if (w) tint[c].setAttribute("d", answers(classes[k], c)); });
      else if (finished)
        for (const label of new Set(finished))
          tint[label < 0 ? data.labels.length : label].setAttribute("d",
            cells((c) => finished[c] === label));
      for (const t of tint) t.classList.toggle("pale", !!finished);
    }
    function draw() {
      const now = weights(k), was = k > 0 ? weights(k - 1) : null;
      const two = run.positive !== null;
      const all = classes && classes[k], old = classes && k > 0 && classes[k - 1];
      line.setAttribute("d", now ? across(now) : all ? borders(all) : "");
      before.setAttribute("d", was ? across(was) : old ? borders(old) : "");
      regions(now);
      let d = "";
      if (run.kernel || !two && !classes)
        counter.forEach((c, r) => {
          if (c > 0) d += disc(px(data.row.x[r]), py(data.row.y[r]),
            Math.min(radius + 1.5 + 1.5 * Math.sqrt(c), 16));
        });
      rings.setAttribute("d", d);
      const r = k > 0 ? steps.row[k - 1] : -1;
      here.setAttribute("d", r < 0 ? "" : disc(px(data.row.x[r]), py(data.row.y[r]), 9) +
        disc(px(data.row.x[r]), py(data.row.y[r]), 12));
      ui.state.textContent = state();
      ui.at.value = k;
      ui.at.setAttribute("aria-valuetext", state());
      told();
    }
    function go(to) {
      to = Math.max(0, Math.min(n, to));
      while (k < to) push(k++, 1);
      while (k > to) push(--k, -1);
      if (field && k === 0) field.fill(0);   // what rounding has left
      draw();
    }
    function choose(index) {
      run = data.run[index];
      steps = run.step;
      n = steps.row.length;
      k = 0;
      counter = data.row.x.map(() => 0);
      classes = steps.changed ? unfold() : null;
      field = run.kernel && run.kernel.follow ? new Float64Array(CELLS * CELLS) : null;
      finished = run.regions ? [] : null;
      for (let i = 0; finished && i < run.regions.length; i += 2)
        for (let c = 0; c < run.regions[i + 1]; c++) finished.push(run.regions[i]);
      ui.at.max = n;
      ui.title.textContent = "The machine of " + run.name + " after each update";
      stop();
      draw();
    }

    // --- time
    // The slider speaks for itself (aria-valuetext): the line beside it would say it again.
    const quiet = (yes) => ui.state.setAttribute("aria-live", yes ? "off" : "polite");
    function stop() {
      playing = false;
      cancelAnimationFrame(frame);
      ui.play.textContent = "Play";
      quiet(document.activeElement === ui.at);
    }
    function tick(time) {
      const speed = Number(ui.speed.value);
      if (time - due > 1000) due = time;   // the page was asleep
      const more = Math.floor((time - due) * speed / 1000);
      if (more > 0) {
        due += more * 1000 / speed;
        if (k + more >= n) stop();   // before the last is drawn: it is read aloud
        go(k + more);
      }
      if (playing) frame = requestAnimationFrame(tick);
    }
    function play() {
      if (playing) { stop(); return; }
      if (k >= n) go(0);
      playing = true;
      ui.play.textContent = "Pause";
      quiet(true);   // not every frame is read aloud
      due = performance.now();
      frame = requestAnimationFrame(tick);
    }
    const by = (d) => () => { stop(); go(k + d); };
    ui.first.addEventListener("click", by(-Infinity));
    ui.back.addEventListener("click", by(-1));
    ui.step.addEventListener("click", by(1));
    ui.last.addEventListener("click", by(Infinity));
    ui.play.addEventListener("click", play);
    ui.at.addEventListener("input", () => { stop(); go(Number(ui.at.value)); });
    ui.at.addEventListener("focus", () => quiet(true));
    ui.at.addEventListener("blur", () => quiet(playing));
    ui.run.addEventListener("change", () => choose(Number(ui.run.value)));
    if (calm) ui.speed.value = "1";
    ui.pick.hidden = ui.run.options.length < 2;
    $("film").hidden = false;
    choose(Number(ui.run.value));
    return { print: () => { stop(); if (k === 0) go(n); } };   // the step shown, or the last
  }
})();
