// load.js -- where the module comes from, and how it becomes a Core.
//
// From a server it is fetched. From disk (file://) a page may not fetch anything, but it may load
// scripts: perceptron.wasm.js has the same bytes as text. The single-file page has that text in
// itself. scripts/web makes all three.
import { Core } from './core.js';

const NAME = 'perceptron.wasm';

/** The bytes of base64 text. */
function bytesOf(base64) {
  const binary = atob(base64), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Loads perceptron.wasm.js, which sets globalThis.PERCEPTRON_WASM. */
function loadScript() {
  return new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = `${NAME}.js`;
    script.onload = done;
    script.onerror = () => failed(new Error(`cannot load ${NAME}.js: is it beside this page?`));
    document.head.append(script);
  });
}

async function fetched() {
  const answer = await fetch(NAME);
  if (!answer.ok) throw new Error(`cannot load ${NAME}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

/** The library, from wherever this page has it. */
export async function loadCore() {
  const embedded = document.getElementById('perceptron-wasm')?.textContent.trim();
  if (embedded) return Core.load(bytesOf(embedded));
  if (location.protocol !== 'file:') return Core.load(await fetched());
  await loadScript();
  return Core.load(bytesOf(globalThis.PERCEPTRON_WASM));
}
