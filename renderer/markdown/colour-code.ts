/**
 * Colours code, in the drawing thread. The grammars' output, a tree, becomes a flat list of pieces, which components draw as
 * text with one of our classes each.
 */
import { common, createLowlight } from 'lowlight';

const highlighter = createLowlight(common);
type Child = ReturnType<typeof highlighter.highlight>['children'][number];

/** The kinds of code that have a colour. */
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

/** The grammars' scopes by kind. Anything else has no colour. */
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

/** The code in coloured pieces; null: the language isn't known. */
export function colourCode(code: string, language: string): CodePiece[] | null {
  return highlighter.registered(language) ? flatten(highlighter.highlight(language, code).children) : null;
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
