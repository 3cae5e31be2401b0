/* sharepanel.js -- the link, the command line, and what is saved and imported. */
import { $, fill, put, debounce, plural } from './dom.js';
import { encodeState } from './state.js';
import { commandLine } from './command.js';
import { saveCSV, saveModel, savePNG, saveSVG, copyText } from './exports.js';
import { attachImports, readFile } from './imports.js';
import { learnerTitle } from './nowpanel.js';
import { lenient } from './datapanel.js';

/* The link follows the state once that has settled: browsers limit how often it may change. */
function followLink(app) {
  let number = 0;
  const write = debounce(250, async () => {
    const mine = ++number;
    const fragment = await encodeState(app.state);
    if (mine !== number) return;
    app.fragment = fragment;
    const url = `${location.pathname}${location.search}${fragment ? `#${fragment}` : ''}`;
    try {
      history.replaceState(null, '', url);
    } catch { /* too often, or not allowed here: the field still has it */ }
    $('link').value = `${location.href.split('#')[0]}${fragment ? `#${fragment}` : ''}`;
  });
  app.on('any', write);
}

function showCommand(app) {
  let text;
  try {
    text = commandLine(app.wholeState(), app.state.focus, { core: app.core, set: app.set });
  } catch (e) {
    text = `# ${e.message}`;
  }
  const area = $('export-command');
  area.value = text.trimEnd();
  area.style.height = 'auto'; /* then as high as its lines need, up to a limit */
  area.style.height = `${Math.min(260, Math.max(60, area.scrollHeight + 2))}px`;
}

async function copied(app, text, what) {
  const done = await copyText(text);
  app.say(done ? `${what} copied.` : `${what} could not be copied: select it and copy by hand.`);
}

const exported = (app) => app.exported[app.state.mode];

const titleOf = ({ state }) => (state.mode === 'formula' ? state.formula
  : learnerTitle(state.mode === 'teacher' ? state.pupil : state.learners[state.focus]));

function buttons(app) {
  $('copy-link').addEventListener('click', () => copied(app, $('link').value || location.href,
    'The link'));
  $('copy-command').addEventListener('click', () => {
    showCommand(app);
    copied(app, $('export-command').value, 'The command line');
  });
  $('export-csv').addEventListener('click',
    () => { saveCSV(app.set); app.say('Saved data.csv.'); });
  $('export-model').addEventListener('click', () => {
    try {
      const model = exported(app).model();
      if (!model) { app.showError('There is no model yet: show an example first.'); return; }
      saveModel(model);
      model.free();               /* does nothing to the model of a run */
      app.say('Saved model.safetensors: perceptron predict takes it.');
    } catch (e) {
      app.fail(e);
    }
  });
  $('export-png').addEventListener('click', () => {
    const [id, , picture] = chosen(app);
    savePNG(app.gallery.fresh(picture), `${id}.png`)
      .then(() => app.say(`Saved ${id}.png.`), (e) => app.fail(e));
  });
  $('export-svg').addEventListener('click', () => {
    const [id, , picture] = chosen(app);
    saveSVG(app.gallery.svg(picture, titleOf(app)), `${id}.svg`);
    app.say(`Saved ${id}.svg.`);
  });
  app.on('any', () => { if (app.set) choices(app); });
}

/* The pictures of the mode that can be saved; keeps the choice if it is still there. */
function choices(app) {
  const all = exported(app).pictures();
  fill($('export-picture'), all.map(([id, name]) => [id, name]));
  return all;
}

const chosen = (app) => {
  const all = choices(app);
  return all.find(([id]) => id === $('export-picture').value) || all[0];
};

/* ----- a model from elsewhere ----- */

export function letGo(app) {
  if (app.imported) app.imported.model.free();
  app.imported = null;
}

function takeModel(app, { model, name }) {
  letGo(app);
  app.imported = { model, name, fits: model.info.features === 2 || model.inputs === 2 };
  if (app.state.mode !== 'watch') app.setMode('watch');
  app.emit('model');
  app.say($('imported').firstElementChild.textContent);
}

function describeModel(app) {
  const { imported } = app, box = $('imported');
  box.hidden = !imported;
  if (!imported) return;
  const { info } = imported.model;
  let how = `It expects ${plural(info.features, 'feature')}: the plane has two, so it cannot be `
    + 'drawn here.';
  if (imported.fits && app.data) {
    try {
      const e = app.core.evaluate(imported.model, app.data);
      const wrong = e.errors ?? Math.round(e.error * app.set.y.length);
      how = `On these points: ${(100 * e.accuracy).toFixed(1)} % right `
        + `(${wrong} of ${app.set.y.length} wrong).`;
    } catch (e) {
      how = `It cannot judge these points: ${e.message}`;
    }
  }
  put(box.firstElementChild,
    `${imported.name}: ${info.algorithm}, ${plural(info.updates ?? 0, 'update')}. ${how}`);
}

function imports(app, own) {
  const handlers = {
    core: lenient(app.core),
    onData: ({ columns, name }) => { own.choose(columns,
      name); if (app.state.mode === 'formula') app.setMode('watch'); },
    onModel: (m) => takeModel(app, m),
    onError: (message) => { own.forget(); app.showError(message); },
    onOver: (on) => document.body.classList.toggle('dropping', on),
  };
  attachImports(document.body, handlers);
  for (const id of ['import-file', 'open-file']) {
    $(id).addEventListener('change', () => {
      const [file] = $(id).files;
      if (file) readFile(file, handlers);
      $(id).value = '';
    });
  }
}

export function sharePanel(app, own) {
  followLink(app);
  buttons(app);
  imports(app, own);
  const command = debounce(150, () => { if (app.set) showCommand(app); });
  app.on('data learners focus mode', command);
  app.on('data model', () => describeModel(app));
  app.on('any', (what) => { if (['taught', 'pupil', 'formula'].includes(what)) command(); });
  $('imported-drop').addEventListener('click', () => { letGo(app); app.emit('model'); });
}
