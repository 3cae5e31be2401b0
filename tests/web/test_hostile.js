// Input that means harm, and what is left of the page after the worst.
import { assert, cli, core, freshCore, get, refused, sameBytes, test, CoreError } from './t.js';
import { fuzz } from './test_fuzz.js';
import { opened, sealed } from './t_seal.js';

test('accidents: always a value or a CoreError', async () => {
  const { count } = await fuzz(await freshCore(), { seed: 8, rounds: 300 });
  for (const [name, { values, refusals }] of Object.entries(count))
    assert.ok(values > 2 && refusals > 10, `${name}: ${values} values, ${refusals} refusals`); // a guard: both occur
});

test('a seal is the one that the library sets', () => {
  const data = core.read(':iris'), file = data.write('blocks');
  sameBytes(sealed(opened(file)), file, 'sealed again');
  cli(['convert', ':iris', 'iris.blocks', '-q']);
  sameBytes(file, get('iris.blocks'), 'blocks');
  data.free();
});

test('numbers of columns that nobody can hold are refused', () => {
  for (const columns of ['4294967295', '268435457', '100001']) {
    const from = core.read(':iris'), parts = opened(from.write('blocks'));
    from.free();
    parts.header = new TextEncoder().encode(new TextDecoder().decode(parts.header).replace('"columns":"4"', `"columns":"${columns}"`));
    try {
      const data = core.read({ text: sealed(parts) });
      assert.equal(data.names, null);
      if (columns !== '100001') refused(() => data.x, 'ENOMEM');
      data.free();
    } catch (e) {
      assert.ok(e instanceof CoreError && e.status !== 'ETRAP', e.stack);
    }
  }
  for (const text of ['1 1073741825:1\n2 1:1\n3 1:1\n4 2:1\n', '1 4294967295:1\n2 0:1\n', '1 2147483649:1\n2 1:1\n'])
    for (const [algorithm, options] of [['perceptron', {}], ['perceptron', { multiclass: 'native' }], ['pocket', {}], ['voted', {}],
      ['svm', {}], ['svm', { hard: 'true' }], ['mlp', { layers: '4' }]]) {
      const data = core.read({ text });
      try {
        refused(() => core.run(data, algorithm, options).advance(5), 'ENOMEM');
      } catch (e) {
        if (!/EARG|EDATA/.test(e.message)) throw new Error(`${JSON.stringify(text)} ${algorithm}: ${e.stack}`);
      }
      data.free();
    }
});

test('a core that has failed says so, and comes back', async () => {
  const fresh = await freshCore(), data = fresh.read(':and'), run = fresh.run(data, 'perceptron', { order: 'file' });
  run.advance(3);
  const wanted = run.model.bytes();
  const heard = [];
  fresh.onTrap = (e) => heard.push(e.status);
  fresh.breakForTests();
  assert.equal(fresh.broken, true);
  refused(() => run.advance(1), 'ETRAP');
  refused(() => fresh.read(':and'), 'ETRAP');
  run.free(); // all of these do nothing now
  data.free();
  await fresh.revive();
  fresh.breakForTests();
  await fresh.revive();
  assert.deepEqual(heard, ['ETRAP', 'ETRAP']); // once for each
  assert.equal(fresh.broken, false);
  const again = fresh.read(':and'), other = fresh.run(again, 'perceptron', { order: 'file' });
  other.advance(3);
  sameBytes(other.model.bytes(), wanted, 'after the core came back');
  refused(() => data.x, 'ETRAP'); // what was made before is gone
  other.free();
  again.free();
  assert.deepEqual(fresh.residue, { files: [], open: 0, said: '' });
});
