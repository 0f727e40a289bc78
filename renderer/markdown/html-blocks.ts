/**
 * Lists, tables, quotes, code and parts to open, written in HTML, as the blocks they are in Markdown. A tag with a class is part of code,
 * and stays as it was written; so do tags in a sentence.
 */
import type { Lexer, Token, TokenizerExtension, Tokens } from 'marked';
import { ATTRIBUTES } from './html-syntax.ts';

/** Blocks within a tag. */
export interface AroundToken {
  type: 'around';
  raw: string;
  name: string;
  tokens: Token[];
}

/** A part that is opened and closed. */
export interface DetailsToken {
  type: 'details';
  raw: string;
  /** It is open at first. */
  open: boolean;
  summary: Token[];
  tokens: Token[];
}

const WITHOUT_CLASS = `(?![^<>]*[ \\t]class=)(${ATTRIBUTES})>`;
/** Tags that models write around blocks. Others hold text alone: a model's own `<s>`, which nothing closes, would hold all that follows. */
const MARKS = 'b|strong|i|em|u|ins|del|mark|small|big|font|span';
/** A blank line, or running text that no tag closes before one: the tag is around blocks. */
const AROUND =
  '[ \\t]*\\n[ \\t]*\\n|(?:[ \\t]*\\n[ \\t]*)?[^\\s<>:;,.)/=-](?:(?!</\\3>|\\n[ \\t]*\\n)[^]){0,2000}\\n[ \\t]*\\n';
const BLOCK = new RegExp(
  `^ {0,3}<(?:(details)(${ATTRIBUTES})>|(${MARKS})(${ATTRIBUTES})>(?=${AROUND})|(ul|ol|dl|table)${WITHOUT_CLASS}(?=\\s*<(?:li|dt|tr|thead|tbody|caption|colgroup)[ \\t>])` +
    `|(blockquote)${WITHOUT_CLASS}(?=[ \\t]*(?:\\n|<)|[^\\n]*</blockquote>))`,
  'i',
);
/** Such blocks in a cell or behind words, which name such tags, too. */
const IN_LINE =
  /^<(?:(?:details|pre|[uod]l|table)(?=[ \t>])[^<>]*>\s*<[^]{0,2000}?<\/(?:summary|code|li|d[td]|t[hd]|caption)>|blockquote>[^\n]*<\/blockquote>[ \t]*(?:\n|$))/i;
/** A part to open whose content follows on lines of its own. */
const DETAILS_BEHIND = new RegExp(
  `<details${ATTRIBUTES}>\\s*<summary${ATTRIBUTES}>[^\\n\`]{0,500}</summary>[ \\t]*(?:\\n|$)`,
  'i',
);
const BLANK = /\n[ \t]*\n/;
const SUMMARY = new RegExp(`^\\s*<summary${ATTRIBUTES}>([^]{0,2000}?)</summary>`, 'i');
const CODE = new RegExp(
  `^ {0,3}<pre(${ATTRIBUTES}>(?:\\s*<code${ATTRIBUTES}>)?)([^]*?)(?:</pre>[ \\t]*|$(?![^]))`,
  'i',
);
const CODE_TAGS = new RegExp(`</?(?:code|span|b|i|em|strong)${ATTRIBUTES}>`, 'gi');
const ESCAPES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
/** What isn't looked for further, so that tags which never close cost little. */
const LONGEST = 2_000;
/** Deeper ones stay as they were written. */
const DEEPEST = 8;
let depth = 0;

/** The blocks in another; undefined: it is nested too deep. */
export function blocksIn(lexer: Lexer, text: string): Token[] | undefined {
  if (depth >= DEEPEST) return undefined;
  depth += 1;
  try {
    return lexer.blockTokens(text, []);
  } finally {
    depth -= 1;
  }
}

/** Code may name tags: without its end, all that follows is code. */
const CODE_HERE = '^[ \\t]*(`{3,}(?!`)|~{3,}(?!~))[^]*?(?:^[ \\t]*\\1|$(?![^]))|`[^`\\n]+`';

/** The tags of such names in a text, but for those in code. */
function* tagsIn(
  text: string,
  names: string,
): Generator<{ name: string; by: 1 | -1; from: number; to: number }> {
  for (const { 0: tag, 2: slash, 3: name, index } of text.matchAll(
    new RegExp(`${CODE_HERE}|<(/?)(${names})(?=[ \\t>])${ATTRIBUTES}>`, 'gim'),
  ))
    if (name !== undefined)
      yield { name: name.toLowerCase(), by: slash === '/' ? -1 : 1, from: index, to: index + tag.length };
}

/** Where the tag that opens before `start` closes: the end of its content, and of its closing tag. Never closed: the text's end. */
function closeOf(source: string, start: number, name: string): [content: number, end: number] {
  let open = 1;
  for (const { by, from, to } of tagsIn(source.slice(start), name)) {
    open += by;
    if (open === 0) return [start + from, start + to];
  }
  return [source.length, source.length];
}

/** What is in each such tag of a text, but for those in another of the `holders`. */
function partsOf(text: string, names: string, holders: string): string[] {
  const parts: string[] = [];
  let [open, start] = [0, -1];
  for (const { name, by, from, to } of tagsIn(text, `${names}|${holders}`)) {
    if (holders.includes(name)) open += by;
    else if (open === 0) {
      if (start !== -1) parts.push(text.slice(start, from));
      start = by === 1 ? to : -1;
    }
  }
  return start === -1 ? parts : [...parts, text.slice(start)];
}

const itemsOf = (text: string): string[] =>
  partsOf(text, 'li', 'ul|ol').map((item) =>
    (item.includes('```') ? item : item.replace(/^[ \t]+/gm, '')).trim(),
  );

/** Terms with what they mean, as items. */
const asItems = (text: string): string =>
  text
    .replace(/<(\/?)dt[^<>]*>/gi, (_, slash: string) => (slash ? '</b>' : '<li><b>'))
    .replace(/(?<!\s)\s*<(\/?)dd[^<>]*>/gi, (_, slash: string) => (slash ? '' : '<br>'));

/** Where a paragraph ends, before a part to open that follows at the end of a line; -1: it goes on. */
export const detailsBehind = (source: string): number =>
  (source.slice(0, LONGEST).split(BLANK, 1)[0] ?? '').search(DETAILS_BEHIND);

function blockOf(lexer: Lexer, name: string, attributes: string, inside: string): object | undefined {
  if (name === 'table') {
    const [header = [], ...rows] = partsOf(inside, 'tr', 'table').map((row) =>
      partsOf(row, 't[hd]', 'table').map((cell) => {
        const text = cell.replace(/\s+/g, ' ').trim();
        return { text, tokens: lexer.inline(text), header: false, align: null };
      }),
    );
    const table = { type: 'table', align: [], header, rows };
    const [caption] = partsOf(inside, 'caption', 'table');
    if (caption === undefined) return table;
    const tokens = lexer.blockTokens(caption.trim(), []);
    return { type: 'around', name: 'div', tokens: [...tokens, { ...table, raw: inside } as Tokens.Generic] };
  }
  if (name === 'details') {
    const summary = SUMMARY.exec(inside);
    const tokens = blocksIn(lexer, inside.slice(summary?.[0].length ?? 0).replace(/^\s*\n/, ''));
    const title = lexer.inline((summary?.[1] ?? '').trim());
    return tokens && { type: 'details', open: /[ \t]open\b/i.test(attributes), summary: title, tokens };
  }
  if (name === 'blockquote') {
    const tokens = blocksIn(lexer, inside.replace(/^[ \t]+/gm, ''));
    return tokens && { type: 'blockquote', text: inside, tokens };
  }
  if (!/^[uod]l$/.test(name)) {
    const tokens = blocksIn(lexer, inside.replace(/^\s*\n/, ''));
    return tokens && { type: 'around', name, tokens };
  }
  const start = Number(/[ \t]start=["']?(\d{1,9})/i.exec(attributes)?.[1] ?? 1);
  const items = itemsOf(name === 'dl' ? asItems(inside) : inside).map((text, index) => {
    lexer.state.top = BLANK.test(text);
    const tokens = blocksIn(lexer, text) ?? lexer.inline(text);
    return { type: 'list_item', raw: `${start + index}. ${text}`, text, task: false, loose: false, tokens };
  });
  return { type: 'list', ordered: name === 'ol', start, loose: false, items };
}

/** Code in `<pre>`. */
function preformatted(source: string): Tokens.Code | undefined {
  const [raw, tags = '', text = ''] = CODE.exec(source) ?? [];
  if (raw === undefined) return undefined;
  const plain = text
    .replace(CODE_TAGS, '')
    .replace(/&(lt|gt|amp|quot|#39);/g, (entity, name: string) => ESCAPES[name] ?? entity);
  const lang = /[ \t]class=["']?[^"'<>]*?lang(?:uage)?-([\w+#-]{1,30})/i.exec(tags)?.[1] ?? '';
  return { type: 'code', raw, lang, text: plain.replace(/^\n/, '') };
}

/** The block that a text begins with. */
export function htmlBlockAt(lexer: Lexer, source: string): Tokens.Generic | undefined {
  // Where nothing may be nested any more, ends are not looked for: tags that never close would cost quadratic time.
  const found = depth < DEEPEST ? BLOCK.exec(source) : null;
  if (!found) return preformatted(source);
  const [open = '', name = '', attributes = ''] = found.filter(Boolean);
  const [content, end] = closeOf(source, open.length, name);
  const token = blockOf(lexer, name.toLowerCase(), attributes, source.slice(open.length, content));
  return token && ({ ...token, raw: source.slice(0, end) } as Tokens.Generic);
}

/** For `marked`. */
export const htmlExtensions: TokenizerExtension[] = [
  {
    name: 'htmlBlock',
    level: 'block',
    start: detailsBehind,
    tokenizer(source) {
      return htmlBlockAt(this.lexer, source);
    },
  },
  {
    name: 'htmlInLine',
    level: 'inline',
    tokenizer(source) {
      return IN_LINE.test(source) ? htmlBlockAt(this.lexer, source.slice(0, LONGEST)) : undefined;
    },
  },
];
