// The model bytes of the page are those of the command line, however the run was cut up.
import { assert, cli, core, flags, get, put, sameBytes, stepwise, test, trained } from './t.js';

/** Sets of two and of three classes, of both formats. */
const moons = core.generate('moons', { rows: '60', spread: '0.2', seed: '3' });
put('moons.csv', moons.write('csv'));
put('moons.svm', moons.write('libsvm'));
const sets = { 'moons.csv': moons.write('csv'), 'moons.svm': moons.write('libsvm'), ':iris': null };
moons.free();

const read = (name) => core.read(sets[name] === null ? { path: name } : { text: sets[name] });

const wholly = (run) => {
  while (!run.ended) run.advance(1e9);
};
const ways = {
  'at once': wholly,
  'one by one': (run) => {
    while (!run.ended) assert.ok(run.advance(1) <= 1 || run.last === null); // null: svm
  },
  'seven by seven': (run) => {
    while (!run.ended) run.advance(7);
  },
  'pass by pass': (run) => {
    while (!run.ended) run.advancePass();
  },
  'update by update': (run) => {
    while (!run.ended) run.advanceToUpdate();
  },
  'after a restart': (run) => {
    run.advance(35);
    run.restart();
    assert.equal(run.examples, 0);
    run.advance(50);
    run.restart(20);
    wholly(run);
  },
};

/** The model of each way is the one of the command line. */
function same(set, algorithm, options, only = Object.keys(ways)) {
  const wanted = trained(set, algorithm, options), data = read(set);
  for (const way of only) {
    const run = core.run(data, algorithm, options);
    ways[way](run);
    sameBytes(run.model.bytes(), wanted, `${set} ${algorithm} ${JSON.stringify(options)} ${way}`);
    run.free();
  }
  data.free();
}

for (const algorithm of stepwise)
  test(`${algorithm} gives the bytes of the command line`, () => {
    for (const set of Object.keys(sets)) {
      same(set, algorithm, { epochs: '4' });
      same(set, algorithm, { epochs: '3', order: 'file', seed: '5' });
    }
    same('moons.csv', algorithm, { epochs: '3', offset: 'false' });
    if (algorithm !== 'voted') same('moons.csv', algorithm, { epochs: '3', init: 'random', seed: '2' });
    same('moons.csv', algorithm, { epochs: '5', updates: '11' });
    same(':iris', algorithm, { epochs: '2', multiclass: 'native' });
  });

test('rates that fall, weights of classes and rules give the bytes of the command line', () => {
  same('moons.csv', 'perceptron', { epochs: '3', schedule: '1/sqrt', rate: '0.3' });
  same('moons.csv', 'averaged', { epochs: '3', rule: 'pa1', aggressiveness: '0.1' });
  same('moons.csv', 'pocket', { epochs: '3', pocket: 'literal', 'class-weight': 'balanced' });
});

test('svm gives the bytes of the command line', () => {
  for (const set of Object.keys(sets))
    for (const options of [{}, { loss: 'hinge', C: '3' }, { solver: 'newton' }, { 'offset-free': 'true' }])
      same(set, 'svm', options, ['at once', 'one by one', 'after a restart']);
  sets[':and'] = null;
  same(':and', 'svm', { hard: 'true' }, ['at once']);
  delete sets[':and'];
});

test('kernels give the bytes of the command line', () => {
  const kernels = [{ kernel: 'rbf' }, { kernel: 'gaussian', sigma: '0.4' }, { kernel: 'poly', degree: '3' },
    { kernel: 'sigmoid', eta: '0.1' }, { kernel: 'linear' }];
  for (const algorithm of ['perceptron', 'averaged', 'voted', 'pocket'])
    for (const kernel of kernels) same('moons.csv', algorithm, { epochs: '4', ...kernel });
  same(':iris', 'perceptron', { epochs: '3', kernel: 'rbf' });
  same('moons.csv', 'perceptron', { epochs: '6', kernel: 'rbf', 'drop-after': '2' });
  same('moons.csv', 'perceptron', { epochs: '4', kernel: 'rbf', budget: '6', 'budget-policy': 'forgetron' });
});

test('networks give the bytes of the command line', () => {
  for (const activation of ['relu', 'tanh', 'sigmoid'])
    for (const optimizer of ['adam', 'momentum', 'sgd'])
      same('moons.csv', 'mlp', { epochs: '4', layers: '5', activation, optimizer, batch: '7' });
  same('moons.csv', 'mlp', { epochs: '3', layers: '6,4', batch: '1', dropout: '0.2', l2: '0.01' });
  same(':iris', 'mlp', { epochs: '4', layers: '8' });
  same('moons.csv', 'mlp', { layers: '3' }, ['at once', 'pass by pass']); // as many passes as it likes
});

test('scores are those of predict', () => {
  const learners = [['perceptron', {}], ['averaged', {}], ['voted', {}], ['pa', {}], ['svm', {}],
    ['perceptron', { kernel: 'rbf' }], ['voted', { kernel: 'poly' }], ['mlp', { layers: '4' }]];
  for (const set of Object.keys(sets))
    for (const [algorithm, more] of learners) {
      const options = { epochs: '5', ...more }, data = read(set);
      trained(set, algorithm, options);
      const lines = cli(['predict', 'm.safetensors', set, '--scores', '-q']).trim().split('\n');
      const file = core.model(get('m.safetensors'));
      const run = core.run(data, algorithm, options);
      wholly(run);
      for (const model of [run.model, file]) {
        const scores = model.scores(data.x), classes = model.classes(data.x), k = model.info.outputs;
        lines.forEach((line, i) => {
          const cells = line.split(' ');
          assert.equal(model.classLabels[classes[i]], cells[0], `${set} ${algorithm} row ${i}`);
          assert.deepEqual(Array.from(scores.subarray(i * k, i * k + k)), cells.slice(1).map(Number),
            `${set} ${algorithm} row ${i}`);
        });
      }
      run.free();
      file.free();
      data.free();
    }
});

test('generated sets are those of the command line', () => {
  for (const { name } of core.tables.generators) {
    if (name === 'sparse') continue;
    const options = { rows: '40', seed: '9', noise: '0.1' };
    const data = core.generate(name, options);
    for (const format of ['csv', 'libsvm'])
      assert.equal(data.write(format), cli(['generate', name, '--format', format, ...flags(options)]));
    data.free();
  }
});

test('a model of the page is taken by the command line', () => {
  const data = read(':iris'), run = core.run(data, 'averaged', { epochs: '3' });
  run.advance(200);
  put('page.safetensors', run.model.bytes());
  const said = JSON.parse(cli(['inspect', 'page.safetensors', '--json']));
  assert.ok(JSON.stringify(said).includes('averaged'));
  // and goes on there: the bytes are those of one run
  cli(['train', ':iris', '-q', '--resume', 'page.safetensors', '-o', 'on.safetensors']);
  sameBytes(get('on.safetensors'), trained(':iris', 'averaged', { epochs: '3' }), 'resumed');
  run.free();
  data.free();
});
