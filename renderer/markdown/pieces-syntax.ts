/**
 * What other chat apps show besides GitHub's Markdown: a few tags (html-syntax.ts), `<details>`, footnotes, alerts such as `> [!NOTE]`,
 * and fences of Markdown that hold fences.
 */
import { withoutColours } from '../lib/terminal-colours.ts';
import { closeTextBefore, LONE_ADDRESS } from '../../shared/markdown-rules.ts';
import { Tokenizer, type MarkedExtension, type Token, type TokenizerExtension, type Tokens } from 'marked';
import { blocksIn, detailsBehind, htmlBlockAt, htmlExtensions } from './html-blocks.ts';
import { element, htmlTokenizer } from './html-syntax.ts';
import { isSentence } from './maths-syntax.ts';

/** The text of a footnote. */
export interface FootnoteToken {
  type: 'footnote';
  raw: string;
  label: string;
  tokens: Token[];
}

/** A quote, perhaps one that alerts. */
export type QuoteToken = Tokens.Blockquote & {
  alert?: 'note' | 'tip' | 'important' | 'warning' | 'caution';
};

const DEFINITION =
  /^ {0,3}\[\^([^\]\s]{1,40})\][:：][ \t]*([^\n]*(?:\n(?! {0,3}\[\^|[ \t]*(?:\n|$))[^\n]+|\n\n(?: {4}|\t)[^\n]+)*)/;
const footnote: TokenizerExtension = {
  name: 'footnote',
  level: 'block',
  // A paragraph ends there.
  start(source) {
    const near = source.slice(0, 2_000);
    return near.includes('[^') ? near.search(/\n {0,3}\[\^[^\]\s]{1,40}\][:：]/) : -1;
  },
  tokenizer(source) {
    const [raw, label, text = ''] = DEFINITION.exec(source) ?? [];
    if (raw === undefined || label === undefined) return undefined;
    const tokens = blocksIn(this.lexer, text.replace(/\n(?: {4}|\t)/g, '\n'));
    if (!tokens) return undefined;
    // References are only known by their definitions, as links are.
    this.lexer.tokens.links[`^${label}`] ??= { href: '', title: null };
    return { type: 'footnote', raw, label: `[${label}]`, tokens };
  },
};

/** Where a footnote belongs: its name, in brackets, since a raised number alone could be a power. */
const REFERENCE = /^\[\^([^\]\s]{1,40})\]/;
const reference: TokenizerExtension = {
  name: 'reference',
  level: 'inline',
  tokenizer(source) {
    const [raw, text] = REFERENCE.exec(source) ?? [];
    if (raw === undefined || !Object.hasOwn(this.lexer.tokens.links, `^${text}`)) return undefined;
    return { type: 'element', raw, name: 'sup', tokens: [textOf(`[${text}]`)] };
  },
};

const textOf = (text: string): Token => ({ type: 'text', raw: text, text });
const linkTo = (raw: string, href: string, text: string): Tokens.Link => ({
  type: 'link',
  raw,
  href,
  text,
  tokens: [textOf(text)],
});

const NOTE = /^\^\[((?:[^[\]\n]|\[[^[\]\n]*\]){1,1000})\](?![\w(+*?{$])/;
/** A footnote within its sentence. */
const note: TokenizerExtension = {
  name: 'note',
  level: 'inline',
  tokenizer(source, tokens) {
    const [raw, text = ''] = NOTE.exec(source) ?? [];
    // Powers and patterns are written like this, too.
    if (
      raw === undefined ||
      !isSentence(text.replace(/[*_`]/g, '')) ||
      !/\S$/.test(closeTextBefore(tokens) ?? ' ')
    )
      return undefined;
    return { type: 'element', raw, name: 'small', tokens: this.lexer.inlineTokens(` [${text}]`) };
  },
};

const loneAddress: TokenizerExtension = {
  name: 'loneAddress',
  level: 'inline',
  tokenizer(source, tokens) {
    const [raw, bracket] = LONE_ADDRESS.exec(source) ?? [];
    if (raw === undefined || this.lexer.state.inLink) return undefined;
    const isApart = bracket === undefined ? /[\s:：][*_]*$/ : /[\p{Ps}\p{Pi}"]$/u;
    return isApart.test(closeTextBefore(tokens) ?? '\n') ? linkTo(raw, raw, raw) : undefined;
  },
};

/** What a backslash stands before, so that Markdown leaves it alone. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** Definitions become text, as they were written, if nothing refers to some of them: they are a list of sources. */
export function showSources(nodes: Token[], source: string, inline: (text: string) => Token[]): Token[] {
  const definitions = nodes.filter((node): node is Tokens.Def => node.type === 'def');
  if (definitions.length === 0) return nodes;
  const [seen, used] = [new Set<string>(), new Set<string>()];
  for (const [, label = ''] of source.matchAll(/\[([^[\]]{1,200})\]/g)) {
    const tag = label.toLowerCase().replace(/\s+/g, ' ');
    (seen.has(tag) ? used : seen).add(tag);
  }
  if (definitions.every(({ tag }) => used.has(tag))) return nodes;
  return nodes.map((node) =>
    node.type === 'def'
      ? { type: 'paragraph', raw: node.raw, text: node.raw, tokens: inline(node.raw) }
      : node,
  );
}

const LINKED = /^(?:https?:|mailto:|www\.|#)/i;

/** GitHub's alerts, with the names that other programs have for them; all others are notes. */
const ALERT =
  /^(?:\*\*)?\[!(?:(?<tip>tip|hint|success)|(?<important>important)|(?<warning>warning|attention)|(?<caution>caution|danger|error|bug)|[a-z]{2,20})\][+-]?(?:\*\*)?[ \t]*\n?/i;
const MARKDOWN_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*((?:markdown|md|mdx)\b[^\n`]*)(?:\n|$)/i;
const FENCE = /^ {0,3}(`{3,}|~{3,}(?!~))([^\n`]*)$/gm;
/** What is around a fence without a language at which code begins: `Run:` or a blank line, and lines up to the next such fence. */
const BEFORE_CODE = /[:：\n][ \t]{0,99}\n$/;
const CODE_TO_END =
  /^\n(?:(?![ \t]*\n| {0,3}(?:`{3}|~{3}))[^\n]+\n){1,99} {0,3}(?:`{3,}|~{3,})[ \t]*(?:\n|$)/;

/** A fence of Markdown, to the end of its own: a fence within it at which code begins has an end, too. */
function markdownFence(source: string): Tokens.Code | undefined {
  const [opening, mark, lang = ''] = MARKDOWN_FENCE.exec(source) ?? [];
  if (opening === undefined || mark === undefined) return undefined;
  let [raw, text] = [source, source.slice(opening.length)];
  const open = [mark];
  for (const { 0: line, 1: other = '', 2: info = '', index } of source.matchAll(FENCE)) {
    if (index < opening.length || other[0] !== mark[0] || other.length < mark.length) continue;
    const end = index + line.length;
    const beginsCode = (): boolean =>
      BEFORE_CODE.test(source.slice(Math.max(0, index - 102), index)) && CODE_TO_END.test(source.slice(end));
    if (info.trim() !== '' || (open.length === 1 && beginsCode())) open.push(other);
    else if (other.length >= (open.at(-1)?.length ?? 0)) open.pop();
    if (open.length > 0) continue;
    [raw, text] = [source.slice(0, end), source.slice(opening.length, Math.max(opening.length, index - 1))];
    break;
  }
  return { type: 'code', raw, lang: lang.trim(), text };
}

/** For `marked`. */
export const piecesExtension: MarkedExtension = {
  extensions: [element, ...htmlExtensions, footnote, reference, note, loneAddress],
  tokenizer: {
    ...htmlTokenizer,
    // What is no link here, `handlers[i](event)`, `vector<std::string>` or a model's own file, stays as it was written. Anchors lead nowhere.
    link(source) {
      const link = Tokenizer.prototype.link.call(this, source);
      return link?.type !== 'link' || LINKED.test(link.href) ? link : undefined;
    },
    // A footnote behind brackets isn't their address.
    reflink: (source) => (/^!?\[[^[\]]*\]\[\^/.test(source) ? undefined : false),
    autolink(source) {
      const link = Tokenizer.prototype.autolink.call(this, source);
      return link && LINKED.test(link.href) ? link : undefined;
    },
    url(source) {
      const link = Tokenizer.prototype.url.call(this, source);
      if (!link?.raw.includes('\\')) return link;
      return linkTo(link.raw, link.href.replace(ESCAPED, '$1'), link.text.replace(ESCAPED, '$1'));
    },
    fences(source) {
      const fence = markdownFence(source) ?? Tokenizer.prototype.fences.call(this, source);
      if (fence) fence.text = withoutColours(fence.text);
      if (fence?.lang !== 'math' || fence.text.trim() === '') return fence;
      // The library's types allow only its own tokens here.
      return { type: 'maths', raw: fence.raw, text: fence.text, display: true } as unknown as Tokens.Code;
    },
    text(source) {
      const end = detailsBehind(source);
      return end > 0 && Tokenizer.prototype.text.call(this, source.slice(0, end));
    },
    // The library continues a list or quote that ends a quote.
    list(source) {
      const list = source.startsWith('<') && htmlBlockAt(this.lexer, source);
      return (list as Tokens.List | undefined) ?? false;
    },
    blockquote(source) {
      if (source.startsWith('<')) return htmlBlockAt(this.lexer, source) as QuoteToken | undefined;
      // A comparison.
      if (/^ {0,3}>=[ \t\d]/.test(source)) return undefined;
      const quote = Tokenizer.prototype.blockquote.call(this, source);
      const head = ALERT.exec(quote?.text ?? '');
      if (!quote || !head) return quote;
      quote.text = quote.text.slice(head[0].length);
      const tokens = this.lexer.blockTokens(quote.text, []);
      const alert = Object.entries(head.groups ?? {}).find(([, name]) => Boolean(name))?.[0] ?? 'note';
      return Object.assign(quote, { alert, tokens });
    },
  },
};
