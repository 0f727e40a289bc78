/**
 * Colours for code. The grammars are a chunk of their own that is fetched with the first block that needs one; their
 * output, a tree, becomes a flat list of pieces, which components draw as text with one class each of ours.
 */
import type { createLowlight } from 'lowlight';

type Highlighter = ReturnType<typeof createLowlight>;
type Root = ReturnType<Highlighter['highlight']>;
type Child = Root['children'][number];

/** What a piece of code is, as far as it has a colour. */
export const CODE_KINDS = [
  ...['keyword', 'string', 'number', 'comment', 'title', 'type', 'attribute', 'symbol', 'meta'],
  ...['added', 'removed', 'strong', 'emphasis'],
] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

/** A piece of code; null: no colour. */
export interface CodePiece {
  text: string;
  kind: CodeKind | null;
}

/** Beyond this many characters code stays plain. */
export const LONGEST_COLOURED_CHARACTERS = 50_000;

/** The grammars' names for things, as kinds. What isn't here has no colour. */
const KINDS: Readonly<Partial<Record<string, CodeKind>>> = {
  keyword: 'keyword',
  literal: 'keyword',
  'selector-tag': 'keyword',
  'selector-pseudo': 'keyword',
  name: 'keyword',
  string: 'string',
  regexp: 'string',
  'template-tag': 'string',
  code: 'string',
  link: 'string',
  char: 'string',
  number: 'number',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  title: 'title',
  section: 'title',
  'selector-id': 'title',
  'selector-class': 'title',
  type: 'type',
  class: 'type',
  built_in: 'type',
  attr: 'attribute',
  attribute: 'attribute',
  property: 'attribute',
  'selector-attr': 'attribute',
  variable: 'symbol',
  'template-variable': 'symbol',
  symbol: 'symbol',
  bullet: 'symbol',
  meta: 'meta',
  addition: 'added',
  deletion: 'removed',
  strong: 'strong',
  emphasis: 'emphasis',
};

let highlighter: Highlighter | null = null;
let loading: Promise<Highlighter | null> | undefined;

async function load(): Promise<Highlighter | null> {
  loading ??= import('lowlight').then(
    ({ common, createLowlight }) => (highlighter = createLowlight(common)),
    () => {
      // Tried again with the next block: the service may have been away.
      loading = undefined;
      return null;
    },
  );
  return loading;
}

/** The name of a fence's language as the grammars know it, e.g. `ts` of `ts title="x"`; empty when it names none. */
export const languageOf = (info: string): string =>
  /^[\w+#.-]{1,30}/.exec(info.trim())?.[0].toLowerCase() ?? '';

/** Whether code of that length and language can be coloured at all, as far as is known before the grammars are there. */
const isColourable = (code: string, language: string): boolean =>
  language !== '' && code.length <= LONGEST_COLOURED_CHARACTERS;

/** Code in coloured pieces at once, where the grammars are there already; null when it stays plain. */
export function colourNow(code: string, language: string): CodePiece[] | null {
  if (!highlighter || !isColourable(code, language) || !highlighter.registered(language)) return null;
  try {
    return flatten(highlighter.highlight(language, code).children);
  } catch {
    return null;
  }
}

/** Code in coloured pieces; null when it stays plain: too long, of no known language, or the grammars can't be had. */
export async function colour(code: string, language: string): Promise<CodePiece[] | null> {
  if (!isColourable(code, language)) return null;
  await load();
  return colourNow(code, language);
}

function flatten(
  children: readonly Child[],
  kind: CodeKind | null = null,
  pieces: CodePiece[] = [],
): CodePiece[] {
  for (const child of children) {
    if (child.type === 'text') {
      const last = pieces.at(-1);
      if (last?.kind === kind) last.text += child.value;
      else pieces.push({ text: child.value, kind });
    } else if (child.type === 'element') {
      flatten(child.children, kindOf(child.properties['className']) ?? kind, pieces);
    }
  }
  return pieces;
}

function kindOf(classes: unknown): CodeKind | null {
  const [name = '', scope] = Array.isArray(classes) ? classes.map(String) : [];
  if (name === 'hljs-title' && scope === 'class_') return 'type';
  return KINDS[name.replace(/^hljs-/, '')] ?? null;
}

/** The first `lines` lines of coloured code. */
export function firstLines(pieces: readonly CodePiece[], lines: number): CodePiece[] {
  const kept: CodePiece[] = [];
  let left = lines;
  for (const piece of pieces) {
    const parts = piece.text.split('\n');
    if (parts.length > left) return [...kept, { ...piece, text: parts.slice(0, left).join('\n') }];
    kept.push(piece);
    left -= parts.length - 1;
  }
  return kept;
}
