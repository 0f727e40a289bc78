/**
 * What Parley's bundles use and Electron 33, with its Node 20, lacks. Loaded with `--require` before anything else, in each thread of a
 * process. Written for Node 20. Each is removed from here when the tests no longer run on Electron 33.
 */
const { join, dirname } = require('node:path');
const module_ = require('node:module');
const threads = require('node:worker_threads');
const zlib = require('node:zlib');

const define = (owner, name, value) => {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, configurable: true, writable: true });
};

define(URL, 'parse', (address, base) => (URL.canParse(address, base) ? new URL(address, base) : null));
define(Error, 'isError', (value) => require('node:util').types.isNativeError(value));
define(Map.prototype, 'getOrInsertComputed', function (key, compute) {
  if (!this.has(key)) this.set(key, compute(key));
  return this.get(key);
});
// Every character that isn't a letter, digit or underscore is written as its code: simpler than the standard's table, and the same matches.
define(RegExp, 'escape', (text) =>
  text.replace(/^[\dA-Za-z]|[^\w]/gu, (character) => {
    const code = character.codePointAt(0).toString(16);
    return code.length <= 2
      ? `\\x${code.padStart(2, '0')}`
      : character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }),
);

const encodingOf = (options) => (options?.alphabet === 'base64url' ? 'base64url' : 'base64');
define(Uint8Array, 'fromBase64', (text, options) => {
  if (/[^\w+/=\s-]/.test(text)) throw new SyntaxError('The text is not in base64.');
  return new Uint8Array(Buffer.from(text, encodingOf(options)));
});
define(Uint8Array.prototype, 'toBase64', function (options) {
  return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString(encodingOf(options));
});

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
define(zlib, 'crc32', (data, before = 0) => {
  let crc = ~before;
  for (const byte of typeof data === 'string' ? Buffer.from(data) : data) {
    crc = CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  }
  return ~crc >>> 0;
});

define(module_, 'getCompileCacheDir', () => undefined);

define(threads.Worker.prototype, 'getHeapStatistics', () =>
  Promise.resolve({ used_heap_size: 0, external_memory: 0 }),
);

// The app's threads get no options and no environment of the process.
if (process.versions.electron !== undefined) {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file, options = {}) {
      super(file, { ...options, execArgv: ['--require', __filename, ...(options.execArgv ?? [])] });
    }
  };
}

// The runtime's folder has a build of SQLite with that interface.
if (!module_.isBuiltin('node:sqlite')) {
  const native = join(dirname(process.execPath), 'sqlite.node');
  const source = `import { createRequire } from 'node:module';
    export const { DatabaseSync, StatementSync, backup, constants } = createRequire('/')(${JSON.stringify(native)});`;
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  const hooks = `export const resolve = (name, context, next) =>
    name === 'node:sqlite' ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(name, context);`;
  module_.register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}

module_.syncBuiltinESMExports();
