/* main.js -- starts the page: loads the core, puts the panels together, reads the link. */
import { $, put } from './dom.js';
import { loadCore } from './load.js';
import { App } from './app.js';
import { decodeState, defaultState } from './state.js';
import { transport } from './transport.js';
import { dataPanel } from './datapanel.js';
import { Cards } from './cards.js';
import { nowPanel } from './nowpanel.js';
import { curvesPanel } from './curvespanel.js';
import { provePanel, Bounds } from './provepanel.js';
import { teachPanel } from './teachpanel.js';
import { formulaPanel } from './formulapanel.js';
import { sharePanel } from './sharepanel.js';

function showError(text) {
  put($('error').firstElementChild, text);
  $('error').hidden = !text;
}

/* ----- light and dark ----- */

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

function themeOf(choice) {
  return choice === 'auto' ? (darkSystem.matches ? 'dark' : 'light') : choice;
}

/* The choice is kept on this computer if allowed; it is not part of the link. */
function remembered(value) {
  try {
    if (value) localStorage.setItem('perceptron-theme', value);
    return localStorage.getItem('perceptron-theme') || 'auto';
  } catch {
    return value || 'auto';
  }
}

function applyTheme(gallery = null) {
  const theme = themeOf($('theme').value);
  document.documentElement.dataset.theme = theme;
  if (!gallery) return;
  gallery.theme = theme;
  gallery.dirtyAll();
}

function themes(gallery) {
  applyTheme(gallery);
  $('theme').addEventListener('change',
    () => { remembered($('theme').value); applyTheme(gallery); });
  darkSystem.addEventListener('change', () => applyTheme(gallery));
}

/* ----- modes ----- */

function showMode(app) {
  const { mode } = app.state;
  document.body.dataset.mode = mode;
  for (const e of document.querySelectorAll('[data-for]')) {
    e.hidden = !e.dataset.for.split(' ').includes(mode);
  }
  for (const b of document.querySelectorAll('.modes button')) b.setAttribute('aria-pressed',
    String(b.dataset.mode === mode));
  $('databar').hidden = mode === 'formula';
  app.gallery.dirtyAll();
}

/* What the status line says about a mode; formula mode describes its network. */
const MODE_WORDS = { watch: 'Press Run, or the right arrow key for one example.',
  teacher: 'You are the teacher: choose a point.' };

function modes(app) {
  for (const b of document.querySelectorAll('.modes button')) {
    b.addEventListener('click', () => {
      app.setMode(b.dataset.mode);
      if (MODE_WORDS[b.dataset.mode]) app.say(MODE_WORDS[b.dataset.mode]);
    });
  }
  app.on('mode', () => showMode(app));
}

/* ----- the link ----- */

async function readLink(app) {
  let fragment = location.hash.slice(1);
  if (fragment === app.fragment) return;
  let state;
  try {
    state = await decodeState(fragment);
  } catch (e) {
    showError(`This link cannot be used: ${e.message}. The page starts afresh.`);
    state = defaultState();
    fragment = null;
  }
  app.fragment = fragment;
  app.load(state);
}

function panels(app) {
  transport(app);
  const own = dataPanel(app);
  const bounds = new Bounds(app);
  app.bounds = bounds;
  new Cards(app);
  nowPanel(app);
  curvesPanel(app, bounds);
  provePanel(app);
  teachPanel(app);
  formulaPanel(app);
  modes(app);
  sharePanel(app, own);
}

/* For tests and the curious. */
function expose(app, ready) {
  window.playground = {
    app, ready,
    core: app.core,
    get state() { return app.state; },
    get runs() { return app.runs; },
    get set() { return app.set; },
  };
}

async function start() {
  $('theme').value = remembered();
  applyTheme();
  $('error').lastElementChild.addEventListener('click', () => showError(''));
  let core;
  try {
    core = await loadCore();
  } catch (e) {
    showError(`The page cannot start: ${e.message}`);
    put($('status'), 'Not started.');
    return;
  }
  const app = new App(core);
  app.say = (text) => put($('status'), text);
  app.showError = showError;
  app.hideError = () => showError('');
  themes(app.gallery);
  panels(app);
  window.addEventListener('hashchange', () => readLink(app));
  await readLink(app);
  const ready = performance.now();
  expose(app, ready);
  document.body.removeAttribute('aria-busy');
  document.body.dataset.ready = 'true';
  if ($('status').textContent === 'Loading…') {
    app.say('Ready: press Run, or the right arrow key for one example.');
  }
}

window.addEventListener('error', (e) => {
  if (!/^ResizeObserver loop/.test(e.message)) showError(`Something went wrong: ${e.message}`);
});
window.addEventListener('unhandledrejection', (e) =>
  showError(`Something went wrong: ${e.reason?.message || e.reason}`));
start();
