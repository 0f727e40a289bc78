/** Files in messages as fenced Markdown blocks: the window writes and finds them, and imports write them. */

/** Languages whose name differs from the extension. */
const LANGUAGES: Readonly<Record<string, string>> = {
  bat: 'dos',
  cjs: 'js',
  cts: 'ts',
  env: 'ini',
  h: 'c',
  log: 'text',
  mjs: 'js',
  mts: 'ts',
  ps1: 'powershell',
  svelte: 'html',
  txt: 'text',
  vue: 'html',
};
const EXTENSION = /\.([a-z0-9+-]{1,12})$/i;
/** Files known by their whole name. */
const NAMED = /^(makefile|dockerfile)$/i;

const LONGEST_NAME_CHARACTERS = 120;

/** A name that fits on one line and can't break out of a fence's first line. */
export function cleanFileName(name: string): string {
  const plain = name
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('`', "'")
    .replace(/\s+/g, ' ')
    .trim();
  if (plain === '') return 'file.txt';
  return Array.from(plain).slice(-LONGEST_NAME_CHARACTERS).join('').trim();
}

/** The language of a file, as a fence names it. */
export function languageOf(name: string): string {
  const extension = EXTENSION.exec(name)?.[1]?.toLowerCase() ?? NAMED.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return 'text';
  return LANGUAGES[extension] ?? extension;
}

/** A fence longer than any run of backticks in the text. */
export function fenceFor(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return '`'.repeat(longest + 1);
}

/** A text as a code block; `info` stands after the opening fence. */
export function fenced(text: string, info = ''): string {
  const fence = fenceFor(text);
  return `${fence}${info}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** A file in a message: a code block with the file's name. */
export function fileBlock({ name, text }: { name: string; text: string }): string {
  const clean = cleanFileName(name);
  return fenced(text, `${languageOf(clean)} ${clean}`);
}
