/** Extensions whose language goes by another name than theirs. */
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
  svg: 'xml',
  txt: 'text',
  vue: 'html',
};
const EXTENSION = /\.([a-z0-9+-]{1,12})$/i;
/** Files whose whole name says what they are. */
const NAMED = /^(makefile|dockerfile)$/i;

/** The language of a file's text, by its name; `text` where that says none. */
export function languageOfFile(name: string): string {
  const extension = EXTENSION.exec(name)?.[1]?.toLowerCase() ?? NAMED.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return 'text';
  return LANGUAGES[extension] ?? extension;
}
