/**
 * Lets a built main process run in plain Node: `node --import <this file> out/main/main.js`. Whatever asks for `electron`,
 * by import or require, gets the stand-in beside this file, and the stand-in learns when the entry has been evaluated:
 * Electron is not ready before that.
 *
 * Worker threads inherit `--import`; they get no stand-in, as they would get no Electron.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { ENTRY_EVALUATED } from './entry.ts';

const STAND_IN = new URL('./index.ts', import.meta.url).href;
const entry = process.argv[1] === undefined ? null : pathToFileURL(process.argv[1]).href;

if (isMainThread) {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron' ? { url: STAND_IN, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (url !== entry || !loaded.format?.startsWith('module')) return loaded;
      const told = `\n;globalThis[Symbol.for(${JSON.stringify(ENTRY_EVALUATED)})]?.();\n`;
      return { ...loaded, source: sourceText(loaded.source) + told };
    },
  });
}

function sourceText(source: string | ArrayBuffer | NodeJS.TypedArray | undefined): string {
  if (typeof source === 'string') return source;
  return source === undefined ? '' : new TextDecoder().decode(source);
}
