// t.js -- what the tests of the core share: the module, the command line to compare with,
// and a runner that counts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Core, CoreError } from '../../web/src/core.js';

export { assert, CoreError };

const [, , wasm, tool] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'perceptron-web-'));
const tests = [];

export const core = await Core.load(readFileSync(wasm));

/** The learners that go row by row, with a rule. */
export const stepwise = core.tables.learners.filter((t) => ['rule', 'keeper'].includes(t.family))
  .map((t) => t.name);

/** A new module, for tests about memory. */
export const freshCore = async () => Core.load(readFileSync(wasm));

/** What `perceptron ...args` prints. An exit status that is not 0 throws, unless it is `status`. */
export function cli(args, status = 0) {
  try {
    return execFileSync(tool, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (e) {
    if (e.status !== status) throw new Error(`perceptron ${args.join(' ')}: ${e.status}\n${e.stderr}`);
    return e.stdout;
  }
}

/** Writes a file for the command line; its name. */
export function put(name, content) {
  writeFileSync(join(folder, name), content);
  return name;
}

/** What the command line has written. */
export const get = (name) => readFileSync(join(folder, name));

/** {rate: '1', hard: 'true', offset: 'false'} as options of the command line. */
export function flags(options) {
  const all = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === 'true') all.push(`--${name}`);
    else if (value === 'false') all.push(`--no-${name}`);
    else all.push(`--${name}`, value);
  }
  return all;
}

/** The bytes of the model that `perceptron train` makes of the numbers as they are. */
export function trained(data, algorithm, options) {
  cli(['train', data, '-q', '-a', algorithm, '--scale', 'none', '-o', 'm.safetensors', ...flags(options)]);
  return get('m.safetensors');
}

/** Two byte strings, and where they differ: models are long. */
export function sameBytes(a, b, what) {
  const n = Math.min(a.length, b.length);
  let i = 0;
  while (i < n && a[i] === b[i]) i++;
  if (i === n && a.length === b.length) return;
  const near = (s) => Buffer.from(s.subarray(Math.max(0, i - 40), i + 40)).toString('latin1');
  assert.fail(`${what}: byte ${i} of ${a.length} and ${b.length}\n  ${near(a)}\n  ${near(b)}`);
}

/** A CoreError, with this status and, where given, place; returned. */
export function refused(run, status, line, column) {
  try {
    run();
  } catch (e) {
    assert.ok(e instanceof CoreError, `not a CoreError: ${e.stack}`);
    assert.equal(e.status, status, e.message);
    assert.ok(e.message.length > 0 && !e.message.includes('\n'));
    if (line !== undefined) assert.equal(e.line, line, e.message);
    if (column !== undefined) assert.equal(e.column, column, e.message);
    return e;
  }
  return assert.fail('nothing was refused');
}

export function test(name, run) {
  tests.push({ name, run });
}

/** Runs all tests. The exit status says whether all have passed, and there were any. */
export async function runTests() {
  let failed = 0;
  for (const { name, run } of tests) {
    try {
      await run();
      assert.deepEqual(core.residue, { files: [], open: 0, said: '' }, 'something was left behind');
    } catch (e) {
      failed++;
      console.log(`FAILED ${name}\n${e.stack}\n`);
    }
  }
  rmSync(folder, { recursive: true });
  console.log(`${tests.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || tests.length === 0 ? 1 : 0;
}
