// exports.js -- what the page saves. Each call starts a download, or puts a text on the clipboard.
//
//     saveCSV(set, name = 'data.csv')              saveCertificate(text, name = 'proof.json')
//     saveModel(model, name = 'model.safetensors') bytes as the command line writes them
//     savePNG(canvas, name = 'picture.png')        -> Promise; the canvas as it is drawn
//     saveSVG(text, name = 'picture.svg')          text of SvgPen
//     saveText(text, name, type)
//     copyText(text) -> Promise<boolean>           false: neither clipboard nor selection worked
//
// A download is a link that is clicked. Its address holds the bytes in memory until it is
// revoked, which must not happen before the browser has begun to read: after ten seconds.

const REVOKE_AFTER = 10000; // milliseconds

function download(blob, name) {
  const url = URL.createObjectURL(blob), a = document.createElement('a');
  a.href = url;
  a.download = name;
  a.hidden = true;
  document.body.append(a); // some browsers follow only links that are in the page
  try {
    a.click();
  } finally {
    a.remove();
    setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER);
  }
}

export function saveText(text, name, type = 'text/plain;charset=utf-8') {
  download(new Blob([text], { type }), name);
}

export function saveCSV(set, name = 'data.csv') {
  saveText(set.text, name, 'text/csv;charset=utf-8');
}

export function saveCertificate(text, name = 'proof.json') {
  saveText(text, name, 'application/json');
}

export function saveModel(model, name = 'model.safetensors') {
  download(new Blob([model.bytes()], { type: 'application/octet-stream' }), name);
}

export function saveSVG(text, name = 'picture.svg') {
  const whole = text.startsWith('<?xml') ? text : `<?xml version="1.0" encoding="UTF-8"?>\n${text}`;
  saveText(whole, name, 'image/svg+xml;charset=utf-8');
}

export function savePNG(canvas, name = 'picture.png') {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (!blob) {
        reject(new Error('the browser made no picture of it'));
        return;
      }
      download(blob, name);
      resolve();
    }, 'image/png');
  });
}

// The clipboard is for secure pages only; a page loaded from disk may have to select and copy.
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text) {
  const area = document.createElement('textarea'), before = document.activeElement;
  area.value = text;
  area.setAttribute('readonly', '');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  let done = false;
  try {
    done = document.execCommand('copy');
  } catch {
    done = false;
  }
  area.remove();
  if (before && before.focus) before.focus();
  return done;
}
