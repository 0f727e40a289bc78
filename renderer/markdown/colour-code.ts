/**
 * Colours code, in the drawing thread. The grammars' output, a tree, becomes a flat list of pieces, which components draw as
 * text with one of our classes each.
 */
import { common, createLowlight } from 'lowlight';

const highlighter = createLowlight(common);
type Child = ReturnType<typeof highlighter.highlight>['children'][number];

/** The kinds of code that have a colour, and the grammars' scopes of each. */
const SCOPES = {
  keyword: 'keyword literal selector-tag selector-pseudo name',
  string: 'string regexp template-tag code link char',
  number: 'number',
  comment: 'comment quote doctag',
  title: 'title section selector-id selector-class',
  type: 'type class built_in',
  attribute: 'attr attribute property selector-attr',
  symbol: 'variable template-variable symbol bullet',
  meta: 'meta',
  added: 'addition',
  removed: 'deletion',
  strong: 'strong',
  emphasis: 'emphasis',
};
export type CodeKind = keyof typeof SCOPES;
const KINDS = new Map(
  (Object.keys(SCOPES) as CodeKind[]).flatMap((kind) =>
    SCOPES[kind].split(' ').map((scope) => [scope, kind] as const),
  ),
);

/** A piece of code; null: no colour. */
export interface CodePiece {
  text: string;
  kind: CodeKind | null;
}

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
  return KINDS.get(name.replace(/^hljs-/, '')) ?? null;
}
