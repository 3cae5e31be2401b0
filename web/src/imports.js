// imports.js -- files and texts that come to the page: dropped, pasted, or chosen. What they are is
// told from the content, never from the name: a model, or a table of data.
//
//     attachImports(target, { core, onData, onModel, onError, onOver, enabled }) -> detach()
//         listens for drops on `target` and for pastes anywhere but in fields to type in.
//         onData({ columns, name, text })   columns: columnsOf() of data.js
//         onModel({ model, name })          a model of the core; the receiver frees it
//         onError(message, error)           one sentence; for data with line and column
//         onOver(boolean)                   something hangs over the target, or no longer
//     readFile(file, handlers) -> Promise   a File, as of <input type="file">; true if it was taken
//     readContent(core, bytesOrText, name)  -> { kind: 'data', columns, name, text }
//                                            | { kind: 'model', model, name }; throws
//     kindOf(bytes)                         'model', 'compressed', 'binary', 'certificate', 'data'
//     describeError(error, name)            the sentence for onError
//     MAX_BYTES                             8 MiB
import { columnsOf } from './data.js';

export const MAX_BYTES = 8 * 1024 * 1024;

const size = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

function starts(bytes, ...values) {
  return bytes.length >= values.length && values.every((v, i) => bytes[i] === v);
}

// safetensors: the length of the header in eight bytes, little-endian, then the header, JSON.
function isModel(bytes) {
  if (bytes.length < 10 || bytes[8] !== 0x7b) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  return view.getUint32(4, true) === 0 && view.getUint32(0, true) <= bytes.length - 8;
}

export function kindOf(bytes) {
  if (isModel(bytes)) return 'model';
  if (starts(bytes, 0x1f, 0x8b) || starts(bytes, 0x28, 0xb5, 0x2f, 0xfd)
      || starts(bytes, 0xfd, 0x37, 0x7a, 0x58, 0x5a) || starts(bytes, 0x42, 0x5a, 0x68)
      || starts(bytes, 0x50, 0x4b, 3, 4)) return 'compressed';
  const head = bytes.subarray(0, 4096);
  if (head.includes(0)) return 'binary';
  const text = new TextDecoder().decode(head);
  if (/^\s*\{\s*"perceptron_certificate"/.test(text)) return 'certificate';
  return 'data';
}

const WRONG = {
  compressed: 'it is compressed; unpack it first',
  binary: 'it is neither text nor a model of this program',
  certificate: 'it is a certificate; "perceptron verify" checks it against its data',
};

function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('it is not text in UTF-8');
  }
}

export function readContent(core, content, name = 'data') {
  const text = typeof content === 'string';
  const bytes = text ? null : content, length = text ? content.length : bytes.length;
  if (length > MAX_BYTES)
    throw new Error(`it has ${size(length)}, and this page takes ${size(MAX_BYTES)}; `
                    + 'the command line takes more');
  if (text ? content.trim() === '' : length === 0) throw new Error('it is empty');
  const kind = text ? 'data' : kindOf(bytes);
  if (kind === 'model') return { kind, model: core.model(bytes), name };
  if (WRONG[kind]) throw new Error(WRONG[kind]);
  const whole = text ? content : textOf(bytes);
  return { kind: 'data', columns: columnsOf(core, whole), name, text: whole };
}

// "points.csv, line 3, column 7: not a number"
export function describeError(error, name = '') {
  const { line, column } = error;
  const place = [name, line > 0 ? `line ${line}` : '',
                 line > 0 && column > 0 ? `column ${column}` : ''].filter(Boolean);
  const what = error.message || String(error);
  return place.length > 0 ? `${place.join(', ')}: ${what}` : what;
}

function take(content, name, { core, onData, onModel, onError }) {
  try {
    const got = readContent(core, content, name);
    if (got.kind === 'model') onModel(got);
    else onData(got);
    return true;
  } catch (error) {
    onError(describeError(error, name), error);
    return false;
  }
}

// Large files are refused before they are read.
export async function readFile(file, handlers) {
  const name = file.name || 'file';
  if (file.size > MAX_BYTES) {
    handlers.onError(`${name}: it has ${size(file.size)}, and this page takes ${size(MAX_BYTES)}; `
                     + 'the command line takes more', new Error('too large'));
    return false;
  }
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    handlers.onError(`${name}: it cannot be read`, error);
    return false;
  }
  return take(bytes, name, handlers);
}

const typing = (element) => Boolean(element && element.closest
  && element.closest('input, textarea, select, [contenteditable]:not([contenteditable="false"])'));

export function attachImports(target, handlers) {
  const enabled = () => (handlers.enabled ? handlers.enabled() : true);
  const over = (on) => { if (handlers.onOver) handlers.onOver(on); };
  let depth = 0; // of enter and leave events, which come for every child
  const welcome = (e) => enabled() && e.dataTransfer
    && [...e.dataTransfer.types].some((t) => t === 'Files' || t === 'text/plain');
  const on = {
    dragenter: (e) => { if (welcome(e)) { e.preventDefault(); if (depth++ === 0) over(true); } },
    dragover: (e) => {
      if (!welcome(e)) return;
      e.preventDefault();
      e.dataTransfer.dropEffect = 'copy';
    },
    dragleave: () => { if (depth > 0 && --depth === 0) over(false); },
    drop: (e) => {
      if (!welcome(e)) return;
      e.preventDefault(); // otherwise the browser leaves the page and shows the file
      depth = 0;
      over(false);
      if (e.dataTransfer.files.length > 0) readFile(e.dataTransfer.files[0], handlers);
      else take(e.dataTransfer.getData('text/plain'), 'dropped text', handlers);
    },
  };
  const paste = (e) => {
    if (!enabled() || typing(e.target) || !e.clipboardData) return;
    const [file] = e.clipboardData.files;
    const text = e.clipboardData.getData('text/plain');
    if (!file && text === '') return;
    e.preventDefault();
    if (text !== '') take(text, 'pasted text', handlers);
    else readFile(file, handlers);
  };
  const paper = target.ownerDocument || document;
  for (const [name, f] of Object.entries(on)) target.addEventListener(name, f);
  paper.addEventListener('paste', paste);
  return () => {
    for (const [name, f] of Object.entries(on)) target.removeEventListener(name, f);
    paper.removeEventListener('paste', paste);
  };
}
