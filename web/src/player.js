/* player.js -- shows examples to the learners: one, one pass, or as many as the speed asks for.
 *
 * All runs make the same number of steps, so that they can be compared side by side; one that
 * has ended stays where it is. Nothing here learns: run.advance of the C core does. While playing,
 * a frame works for at most BUDGET_MS and then draws, however fast it is asked to be. */

const BUDGET_MS = 7, LEAST_MS = 2, FRAME_MS = 11;
/* Steps per call of the core. A call itself has a cost, so a few steps cost little less than many;
 * only the steps of a large network are expensive themselves (run.heavy). */
const LEAST_CHUNK = 16, MOST_CHUNK = 4096;
/* Examples per second, by slider position; the last is "as fast as it goes". */
export const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 250, 1000, 5000, Infinity];

export class Player {
  /* changed(what): 'step' after examples were shown, 'play' when it starts, 'pause' when it
   * stops; failed(error): a run could not go on. */
  constructor(changed, failed) {
    this.changed = changed;
    this.failed = failed;
    this.runs = [];
    this.chunk = 32;
    this.drawing = () => 0;     /* ms of drawing per frame, as the page measures it */
    this.playing = false;
    this.speed = 3;
    this.owed = 0;
    this.target = null;         /* examples that seek is heading for, or null */
    this.frame = this.frame.bind(this);
  }

  /* Takes new runs; the old ones are freed. */
  take(runs) {
    this.target = null;
    for (const run of this.runs) if (run && !runs.includes(run)) run.free();
    this.runs = runs;
  }

  get live() { return this.runs.filter((r) => r && !r.ended); }
  /* Steps of the run that has made the most: an example, a batch (mlp), or a solution (svm, lp). */
  get at() { return this.runs.reduce((most, r) => Math.max(most, r ? this.stepsOf(r) : 0), 0); }
  stepsOf(run) { return run.steps; }
  get ended() { return this.live.length === 0; }

  guard(work) {
    try {
      work();
    } catch (e) {
      this.target = null;
      this.stop();
      this.failed(e);
    }
  }

  /* Shows n examples to each run that has not ended. */
  step(n = 1) {
    this.guard(() => { for (const run of this.live) run.advance(n); });
    this.changed('step');
  }

  /* A whole pass each; a run in the middle of a pass goes to its end. */
  pass() {
    this.guard(() => { for (const run of this.live) run.advancePass(); });
    this.changed('step');
  }

  /* Takes back n examples. */
  back(n = 1) { this.seek(Math.max(0, this.at - n)); }

  /* Brings every run to `at` steps, forward or from the last earlier pass that the core has kept;
   * what takes longer than a frame goes on in the next ones. */
  seek(at) {
    this.guard(() => { for (const run of this.runs) if (run
      && this.stepsOf(run) > at) run.back(at); });
    this.target = at;
    this.catchUp();
  }

  get seeking() { return this.target !== null; }

  catchUp() {
    if (this.target === null) return;
    const until = performance.now() + 3 * BUDGET_MS;
    const behind = () => this.live.filter((r) => this.stepsOf(r) < this.target);
    let left = behind();
    this.guard(() => {
      while (left.length && performance.now() < until) {
        const from = performance.now();
        for (const run of left) run.advance(Math.min(this.chunk, this.target - this.stepsOf(run)));
        this.pace(performance.now() - from, BUDGET_MS);
        left = behind();
      }
    });
    if (left.length && this.target !== null) requestAnimationFrame(() => this.catchUp());
    else this.target = null;
    this.changed('step');
  }

  play() {
    if (this.playing || this.ended || this.seeking) return;
    this.playing = true;
    this.owed = 1;              /* the first example at once: the button responds */
    this.then = performance.now();
    this.changed('play');
    requestAnimationFrame(this.frame);
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.changed('pause');
  }

  toggle() { if (this.playing) this.stop(); else this.play(); }

  frame(now) {
    if (!this.playing) return;
    const passed = Math.min(250, Math.max(0, now - this.then));
    this.then = now;
    const speed = SPEEDS[this.speed];
    this.owed = speed === Infinity ? Infinity : this.owed + speed * passed / 1000;
    if (this.owed >= 1) {
      this.guard(() => this.slice());
      this.changed('step');
    }
    if (this.ended) this.stop();
    if (this.playing) requestAnimationFrame(this.frame);
  }

  /* Works off what is owed, in chunks, until the frame's time is used up; the rest is forgotten.
   * The time for drawing is subtracted first. */
  slice() {
    const from = performance.now();
    const time = Math.max(LEAST_MS, Math.min(BUDGET_MS, FRAME_MS - this.drawing()));
    const until = from + time;
    let live = this.live, now = from;
    while (this.owed >= 1 && live.length) {
      const n = Math.min(this.chunk, Math.floor(this.owed));
      for (const run of live) run.advance(n);
      this.owed -= n;
      live = this.live;
      const then = now;
      now = performance.now();
      if (n === this.chunk) this.pace(now - then, time);
      if (now > until - 0.5 * (now - then)) { this.owed = Math.min(this.owed, 1); return; }
    }
  }

  /* Chooses calls that take about as long as there is time for. */
  pace(ms, time) {
    const least = this.live.some((r) => r.heavy) ? 1 : LEAST_CHUNK;
    if (ms < 0.5 * time) this.chunk = Math.min(MOST_CHUNK, 2 * this.chunk);
    else if (ms > 1.2 * time) this.chunk = Math.max(least, Math.floor(this.chunk / 2));
  }
}
