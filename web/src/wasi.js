// wasi.js -- the system that the module asks for: files in memory, a clock, and nothing else.
//
// The C library reads and writes files, as on any system. Here they are arrays of bytes in a
// Map, put there and taken away by core.js; the module sees one directory, "/". It reaches
// no network, no disk, and starts nothing. Only the calls that wasi-libc makes for this module
// are here (preview 1: https://github.com/WebAssembly/WASI); an unknown one answers ENOSYS.

const OK = 0, EBADF = 8, EEXIST = 20, EINVAL = 28, EISDIR = 31, ENOENT = 44, ENOSYS = 52;
const DIRECTORY = 3, REGULAR = 4, CHARACTER = 2; // file types
const ROOT = 3; // the one directory that is open from the start
const O_CREAT = 1, O_DIRECTORY = 2, O_EXCL = 4, O_TRUNC = 8; // for path_open
const FD_APPEND = 1;

/** Thrown if the module exits, which the library never does. */
export class Exit extends Error {
  constructor(code) {
    super(`the module ended with status ${code}`);
    this.code = code;
  }
}

/** A file: bytes, with room to grow. */
class File {
  constructor(bytes = new Uint8Array(0)) {
    this.room = bytes;
    this.size = bytes.length;
  }

  get bytes() {
    return this.room.subarray(0, this.size);
  }

  /** Changes its length to `size` bytes. */
  resize(size) {
    if (size > this.room.length) {
      const room = new Uint8Array(Math.max(size, 2 * this.room.length, 4096));
      room.set(this.bytes);
      this.room = room;
    }
    this.size = size;
  }
}

/** The imports of a module, and the files it sees. */
export class Wasi {
  #files = new Map(); // by name, without "/"
  #open = new Map(); // descriptors: {file, at, append} or {directory: true}
  #memory = null;
  /** What the module wrote to standard output and error: nothing, as the library never prints. */
  said = '';

  constructor() {
    this.#open.set(ROOT, { directory: true });
  }

  /** To be called once the module is instantiated. */
  attach(memory) {
    this.#memory = memory;
  }

  put(name, bytes) {
    this.#files.set(name, new File(bytes));
  }

  /** The bytes of a file, which is removed, or undefined. */
  take(name) {
    const file = this.#files.get(name);
    this.#files.delete(name);
    return file?.bytes;
  }

  get names() {
    return [...this.#files.keys()];
  }

  /** How many files are open besides the three standard ones and the directory. */
  get openFiles() {
    return this.#open.size - 1;
  }

  /** Memory may have grown and moved since the last call, so views are made afresh. */
  get #view() {
    return new DataView(this.#memory.buffer);
  }

  #name(at, length) {
    const bytes = new Uint8Array(this.#memory.buffer, at, length).slice();
    return new TextDecoder().decode(bytes).replace(/^[./]+/, '').replace(/\/+$/, '');
  }

  /** Calls use(bytes) for each buffer of a list, until it uses less than all of one. */
  #pieces(list, count, use) {
    const view = this.#view;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const at = view.getUint32(list + 8 * i, true), n = view.getUint32(list + 8 * i + 4, true);
      const used = use(new Uint8Array(this.#memory.buffer, at, n));
      total += used;
      if (used < n) break;
    }
    return total;
  }

  #read(fd, list, count, result) {
    const f = this.#open.get(fd);
    if (fd === 0) return this.#answer(result, 0);
    if (!f) return EBADF;
    if (f.directory) return EISDIR;
    return this.#answer(result, this.#pieces(list, count, (to) => {
      const from = f.file.bytes.subarray(f.at, f.at + to.length);
      to.set(from);
      f.at += from.length;
      return from.length;
    }));
  }

  #write(fd, list, count, result) {
    const f = this.#open.get(fd);
    if (fd === 1 || fd === 2) return this.#answer(result, this.#pieces(list, count, (from) => {
      this.said = (this.said + new TextDecoder().decode(from.slice())).slice(-4096);
      return from.length;
    }));
    if (!f || f.directory) return EBADF;
    return this.#answer(result, this.#pieces(list, count, (from) => {
      if (f.append) f.at = f.file.size;
      if (f.at + from.length > f.file.size) f.file.resize(f.at + from.length);
      f.file.room.set(from, f.at);
      f.at += from.length;
      return from.length;
    }));
  }

  #answer(at, number) {
    this.#view.setUint32(at, number, true);
    return OK;
  }

  #seek(fd, offset, whence, result) {
    const f = this.#open.get(fd);
    if (!f || f.directory) return EBADF;
    const at = [0, f.at, f.file.size][whence] + Number(offset);
    if (!(at >= 0)) return EINVAL;
    f.at = at;
    this.#view.setBigUint64(result, BigInt(at), true);
    return OK;
  }

  #openPath(directory, at, length, how, flags, result) {
    if (directory !== ROOT) return EBADF;
    const name = this.#name(at, length);
    let file = this.#files.get(name), entry = { directory: true };
    if (name !== '') {
      if (how & O_DIRECTORY) return ENOENT;
      if (file && how & O_CREAT && how & O_EXCL) return EEXIST;
      if (!file && !(how & O_CREAT)) return ENOENT;
      if (!file) this.#files.set(name, file = new File());
      if (how & O_TRUNC) file.resize(0);
      entry = { file, at: 0, append: (flags & FD_APPEND) !== 0 };
    }
    let fd = ROOT + 1;
    while (this.#open.has(fd)) fd++;
    this.#open.set(fd, entry);
    return this.#answer(result, fd);
  }

  #close(fd) {
    return fd < ROOT || (fd !== ROOT && this.#open.delete(fd)) ? OK : EBADF;
  }

  /** struct filestat: device, inode, type, links, size, and three times. */
  #stat(at, type, size) {
    new Uint8Array(this.#memory.buffer, at, 64).fill(0);
    this.#view.setUint8(at + 16, type);
    this.#view.setBigUint64(at + 24, 1n, true);
    this.#view.setBigUint64(at + 32, BigInt(size), true);
    return OK;
  }

  #fileStat(fd, at) {
    if (fd < ROOT) return this.#stat(at, CHARACTER, 0);
    const f = this.#open.get(fd);
    if (!f) return EBADF;
    return f.directory ? this.#stat(at, DIRECTORY, 0) : this.#stat(at, REGULAR, f.file.size);
  }

  #pathStat(name, at) {
    const file = this.#files.get(name);
    if (name === '') return this.#stat(at, DIRECTORY, 0);
    return file ? this.#stat(at, REGULAR, file.size) : ENOENT;
  }

  /** struct fdstat: type, flags, rights (all of them). */
  #fdStat(fd, at) {
    const f = this.#open.get(fd);
    if (!f && fd >= ROOT) return EBADF;
    new Uint8Array(this.#memory.buffer, at, 24).fill(0);
    this.#view.setUint8(at, fd < ROOT ? CHARACTER : f.directory ? DIRECTORY : REGULAR);
    this.#view.setBigUint64(at + 8, 0x1fffffffn, true);
    this.#view.setBigUint64(at + 16, 0x1fffffffn, true);
    return OK;
  }

  #rename(from, to) {
    const file = this.#files.get(from);
    if (!file) return ENOENT;
    this.#files.delete(from);
    this.#files.set(to, file);
    return OK;
  }

  #now(clock, result) {
    const ms = clock === 0 ? Date.now() : globalThis.performance.now();
    this.#view.setBigUint64(result, BigInt(Math.round(ms * 1e6)), true);
    return OK;
  }

  #random(at, n) {
    const bytes = new Uint8Array(n);
    globalThis.crypto.getRandomValues(bytes);
    new Uint8Array(this.#memory.buffer).set(bytes, at);
    return OK;
  }

  #prestat(fd, at) {
    if (fd !== ROOT) return EBADF;
    this.#view.setUint32(at, 0, true); // a directory
    this.#view.setUint32(at + 4, 1, true); // the length of "/"
    return OK;
  }

  #prestatName(fd, at) {
    if (fd !== ROOT) return EBADF;
    this.#view.setUint8(at, '/'.charCodeAt(0));
    return OK;
  }

  /** The functions that `module` imports. */
  imports(module) {
    const known = {
      clock_time_get: (clock, precision, result) => this.#now(clock, result),
      random_get: (at, n) => this.#random(at, n),
      fd_read: (fd, list, count, result) => this.#read(fd, list, count, result),
      fd_write: (fd, list, count, result) => this.#write(fd, list, count, result),
      fd_seek: (fd, offset, whence, result) => this.#seek(fd, offset, whence, result),
      fd_close: (fd) => this.#close(fd),
      fd_sync: () => OK,
      fd_fdstat_get: (fd, at) => this.#fdStat(fd, at),
      fd_fdstat_set_flags: () => OK,
      fd_filestat_get: (fd, at) => this.#fileStat(fd, at),
      fd_prestat_get: (fd, at) => this.#prestat(fd, at),
      fd_prestat_dir_name: (fd, at) => this.#prestatName(fd, at),
      path_open: (dir, look, at, n, how, base, inherit, flags, result) =>
        this.#openPath(dir, at, n, how, flags, result),
      path_filestat_get: (dir, look, at, n, result) => this.#pathStat(this.#name(at, n), result),
      path_readlink: (dir, at, n) => (this.#files.has(this.#name(at, n)) ? EINVAL : ENOENT),
      path_rename: (dir, at, n, dir2, at2, n2) => this.#rename(this.#name(at, n), this.#name(at2, n2)),
      path_unlink_file: (dir, at, n) => (this.#files.delete(this.#name(at, n)) ? OK : ENOENT),
      proc_exit: (code) => {
        throw new Exit(code);
      },
    };
    const all = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
      if (kind === 'function') (all[from] ??= {})[name] = known[name] ?? (() => ENOSYS);
    return all;
  }
}
