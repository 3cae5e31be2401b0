// Model and block files with a checksum that is right, whatever else is wrong with them: without it
// a reader refuses the rest unread.
const MASK = (1n << 64n) - 1n;
const P = [11400714785074694791n, 14029467366897019727n, 1609587929392839161n, 9650029242287828579n, 2870177450012600261n];
const times = (a, b) => (a * b) & MASK;
const turn = (a, n) => ((a << n) | (a >> (64n - n))) & MASK;
const round = (lane, word) => times(turn((lane + times(word, P[1])) & MASK, 31n), P[0]);

/** XXH64 (Collet 2014) with seed 0. */
export function xxh64(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), n = bytes.length;
  const word = (i) => view.getBigUint64(i, true);
  let at = 0, h = P[4];
  if (n >= 32) {
    const lane = [(P[0] + P[1]) & MASK, P[1], 0n, (MASK + 1n - P[0]) & MASK];
    for (; at + 32 <= n; at += 32) for (let k = 0; k < 4; k++) lane[k] = round(lane[k], word(at + 8 * k));
    h = [1n, 7n, 12n, 18n].reduce((sum, t, k) => (sum + turn(lane[k], t)) & MASK, 0n);
    for (const l of lane) h = (times(h ^ round(0n, l), P[0]) + P[3]) & MASK;
  }
  h = (h + BigInt(n)) & MASK;
  for (; at + 8 <= n; at += 8) h = (times(turn(h ^ round(0n, word(at)), 27n), P[0]) + P[3]) & MASK;
  for (; at + 4 <= n; at += 4)
    h = (times(turn(h ^ times(BigInt(view.getUint32(at, true)), P[0]), 23n), P[1]) + P[2]) & MASK;
  for (; at < n; at++) h = times(turn(h ^ times(BigInt(bytes[at]), P[4]), 11n), P[0]);
  h = times(h ^ (h >> 33n), P[1]);
  h = times(h ^ (h >> 29n), P[2]);
  return h ^ (h >> 32n);
}

/** {header, data}: bytes. */
export function opened(bytes) {
  const end = 8 + new DataView(bytes.buffer, bytes.byteOffset, 8).getUint32(0, true);
  return { header: bytes.slice(8, end), data: bytes.slice(end) };
}

/** The file of a header, with its length and checksum set right, and data. */
export function sealed({ header, data }) {
  const file = new Uint8Array(8 + header.length + data.length);
  new DataView(file.buffer).setUint32(0, header.length, true);
  file.set(header, 8);
  file.set(data, 8 + header.length);
  const place = Buffer.from(header).indexOf('"checksum":"');
  if (place < 0) return file;
  const digits = file.subarray(20 + place, 36 + place);
  digits.fill(0x30);
  digits.set(new TextEncoder().encode(xxh64(file).toString(16).padStart(16, '0')).subarray(0, digits.length));
  return file;
}
