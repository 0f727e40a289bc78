/**
 * Text that people, models, servers or files supply must never take more than linear time: one message would block the thread that
 * reads it. Every regular expression of the product, written or put together, is tried with the worst texts for it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { slowPart } from '../support/worst-texts.ts';

const ROOT = new URL('../../', import.meta.url);
const OWN = fileURLToPath(new URL('server/', ROOT));
const FOLDERS = ['electron', 'renderer', 'server', 'shared'];

/** Patterns for text that is never long, by how they begin, and why it is never long. */
const SHORT_TEXTS: readonly (readonly [begins: string, why: string])[] = [
  ['/(?:^|[^\\d.])\\d{1,3}(?:,\\d{3})*$/', 'notation.ts: 60 characters'],
  ['/^([^|=]+)(?:\\|([^=]+))? = (about )?', 'unit-table.ts: the table of units'],
  ['/^(?:how (?:many|much)|(?:the )?number of) (.+?)', 'units.ts: 200 characters'],
  ['/^(?:(?:yes|ok|please)[\\s,]*)*(?<verb>', 'choice.ts: 120 characters'],
  ['/^(?:what (?:do|did|have) (?:you|i) (?:know|remember', 'notes/index.ts: 300 characters'],
  ["/^(?:what(?:['’]?s| is| are| was)|who", 'notes/index.ts: 300 characters'],
  ['/\\B(?=(?:\\d{3})+$)/g', 'numbers.ts: a number'],
  ['/!?\\[([^[\\]]*)\\]\\((?:', 'plain-text.ts: 1,000 characters'],
  ['/\\bLimit:? (', 'refusal-words.ts: 2,000 characters'],
  ['/context[ _-]?(?:length|window', 'refusal-words.ts: 2,000 characters'],
  ['/("(?:\\\\.|[^"\\\\])*")|\\/\\/[^\\n]*', 'mcp-snippet.ts: 20,000 characters'],
];

/** Files that put patterns together for at most a few hundred characters; they say how many. */
const SHORT_FILES = [
  'reading/words.ts',
  'skills/data/',
  'skills/dates/',
  'skills/maths/everyday.ts',
  'skills/maths/translate.ts',
  'skills/search.ts',
];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|svelte)$/.test(name))
    .map((name) => {
      const text = readFileSync(new URL(`${folder}/${name}`, ROOT), 'utf8');
      return { name: `${folder}/${name}`, text: name.endsWith('.svelte') ? scriptsOf(text) : text };
    }),
);

function scriptsOf(svelte: string): string {
  return Array.from(svelte.matchAll(/<script[^>]*>([^]*?)<\/script>/g), ([, code = '']) => code).join('\n');
}

function literalsIn(name: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
  return found;
}

function expectFast(patterns: Iterable<string>): void {
  const slow = [...patterns]
    .filter((literal) => !SHORT_TEXTS.some(([begins]) => literal.startsWith(begins)))
    .flatMap((literal) => {
      const end = literal.lastIndexOf('/');
      const part = slowPart(new RegExp(literal.slice(1, end), literal.slice(end + 1)));
      return part === null ? [] : [`${literal.slice(0, 200)}: ${part.slice(0, 200)}`];
    });
  expect(slow).toEqual([]);
}

const literals = new Set(sources.flatMap(({ name, text }) => literalsIn(name, text)));

it('no pattern that is written in the product is slow', { timeout: 240_000 }, () => {
  expect(literals.size).toBeGreaterThan(500);
  expectFast(literals);
});

it('no pattern that is put together from parts is slow', { timeout: 240_000 }, async () => {
  const made = new Set<string>();
  const Plain = RegExp;
  globalThis.RegExp = new Proxy(Plain, {
    construct(target, [source, flags]: [string | RegExp, string?]) {
      const pattern = new target(source, flags);
      const stack = new Error().stack ?? '';
      const isOfLibrary = stack.split('\n')[2]?.includes(OWN) !== true;
      if (!isOfLibrary && !SHORT_FILES.some((file) => stack.includes(file))) made.add(String(pattern));
      return pattern;
    },
  });
  try {
    const building = sources.filter(
      ({ name, text }) => name.startsWith('server/') && /new RegExp\(|\brules\(/.test(text),
    );
    for (const { name } of building) await import(new URL(name, ROOT).href);
  } finally {
    globalThis.RegExp = Plain;
  }
  expect(made.size).toBeGreaterThan(5);
  expectFast([...made].filter((pattern) => !literals.has(pattern)));
});
