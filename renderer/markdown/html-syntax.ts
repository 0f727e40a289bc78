/**
 * Tags of HTML in replies: a few become elements, without attributes, and links and pictures of the web those of Markdown. Comments, and
 * tags that only lay text out, are dropped. All others stay as they were written.
 */
import {
  Tokenizer,
  type Lexer,
  type MarkedExtension,
  type Token,
  type TokenizerExtension,
  type Tokens,
} from 'marked';

const NAMES = [
  ...(['sub', 'sup', 'kbd', 'mark', 'u', 'ins', 'small'] as const),
  ...(['b', 'strong', 'i', 'em', 's', 'strike', 'del', 'code', 'big', 'tt', 'time'] as const),
  ...(['span', 'font', 'abbr', 'cite', 'dfn', 'q', 'samp', 'var', 'ruby', 'rb', 'rt', 'rp'] as const),
];

/** Running text in a tag. */
export interface ElementToken {
  type: 'element';
  raw: string;
  name: (typeof NAMES)[number];
  tokens: Token[];
}

const VALUE = '(?:"[^"\\n]{0,1000}"|\'[^\'\\n]{0,1000}\'|[^\\s<>"\'`]{1,300})';
/** What else is in such a tag, such as its style, is left out. */
export const ATTRIBUTES = `(?:[ \\t]+[^\\s<>"'\`=]{1,40}(?:[ \\t]*=[ \\t]*${VALUE})?){0,12}[ \\t]*/?`;
/** Tags that only lay text out, beside headings. With a class they are code. */
const LAYOUT_TAGS = 'p|div|center|figure|figcaption|section|article|aside|header|footer|main';
const LAYOUT_ATTRIBUTES = `(?:[ \\t]+(?:align|style|dir|id)=${VALUE}){0,9}[ \\t]*>`;
const ELEMENT = new RegExp(
  `^<(${NAMES.join('|')}|(?:${LAYOUT_TAGS}|h[1-6])(?=${LAYOUT_ATTRIBUTES}))${ATTRIBUTES}>((?:(?!<\\1[ \\t>])[^]){1,2000}?)</\\1>`,
  'i',
);
/** A link and a picture of the web, as they stand in HTML. */
const ANCHOR = new RegExp(`^<a(${ATTRIBUTES})>([^]{0,1000}?)</a>`, 'i');
const IMAGE = new RegExp(`^<img(${ATTRIBUTES})>`, 'i');
function anchorOrImage(source: string, lexer: Lexer): Tokens.Generic | undefined {
  const [raw, attributes = '', text] = ANCHOR.exec(source) ?? IMAGE.exec(source) ?? [];
  const valueOf = (name: string): string =>
    new RegExp(`[ \\t]${name}=(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes)?.slice(1).join('') ?? '';
  const href = valueOf(text === undefined ? 'src' : 'href');
  if (raw === undefined) return undefined;
  // A position to go to, or a link to one: it leads nowhere here.
  if (text !== undefined && /^(?:[#/]|$)/.test(href) && /[ \t](?:href|name|id)=/i.test(attributes))
    return { type: 'element', raw, name: 'span', tokens: lexer.inlineTokens(text) };
  if (!/^https?:/i.test(href) || lexer.state.inLink) return undefined;
  if (text === undefined) return { type: 'image', raw, href, title: null, text: valueOf('alt'), tokens: [] };
  lexer.state.inLink = true;
  const tokens = lexer.inlineTokens(text);
  lexer.state.inLink = false;
  return { type: 'link', raw, href, text, tokens };
}

/** For `marked`. */
export const element: TokenizerExtension = {
  name: 'element',
  level: 'inline',
  tokenizer(source) {
    if (!source.startsWith('<')) return undefined;
    const [raw, name, text = ''] = ELEMENT.exec(source) ?? [];
    if (raw === undefined || name === undefined) return anchorOrImage(source, this.lexer);
    const lower = name.toLowerCase();
    const tokens = lower === 'code' ? [{ type: 'text', raw: text, text }] : this.lexer.inlineTokens(text);
    return { type: 'element', raw, name: NAMES.find((known) => known === lower) ?? 'span', tokens };
  },
};

/** A block that begins with such a tag is running text. Code on lines of its own stays as it was written. */
const RUNNING = new RegExp(
  `^ {0,3}</?(?:br|a|img|${NAMES.filter((name) => name !== 'code').join('|')})${ATTRIBUTES}>`,
  'i',
);
/** One break is enough at the end of a line. A rule within a line is a break. */
const LINE_BREAK = new RegExp(`^</?[bh]r${ATTRIBUTES}>(?:[ \\t]*\\n)?`, 'i');
const RULE = /^ {0,3}<hr[ \t]*\/?>[ \t]*(?:\n|$)/i;
const COMMENT = /^ {0,3}<!--(?:-?>|[^]*?-->)[ \t]*\n?/;

const HEADING = new RegExp(
  `^ {0,3}<h([1-6])(?=${LAYOUT_ATTRIBUTES})${ATTRIBUTES}>((?:[^\\n]|\\n(?!\\s*\\n)){1,2000}?)</h\\1>[ \\t]*\\n?[ \\t]*`,
  'i',
);
/** A tag that only lays text out, and the indentation of what follows. A sentence about a tag may begin with it. */
const LAYOUT_TAG = new RegExp(
  `^ {0,3}<(?:/(?:${LAYOUT_TAGS})>|(${LAYOUT_TAGS})(?=${LAYOUT_ATTRIBUTES})(?: [^>]*>|>(?=[ \\t]*(?:\\n|<|$)|[^\\n]*</\\1>)))[ \\t]*(?:\\n[ \\t]*)?`,
  'i',
);
const CLOSING_TAG = new RegExp(`^</(?:${LAYOUT_TAGS})>[ \\t]*(?=(\\n|<|$))`, 'i');
const UNSEEN = /^<(?:wbr[ \t]*\/?>|!--)/i;

/** For `marked`. */
export const htmlTokenizer: MarkedExtension['tokenizer'] = {
  // Tags are drawn as text. To the library, an unclosed `<a>` makes all that follows part of a link, also in later blocks.
  tag(source) {
    const { inLink } = this.lexer.state;
    const tag = Tokenizer.prototype.tag.call(this, source);
    this.lexer.state.inLink = inLink;
    if (tag === undefined) return tag;
    const [line] = LINE_BREAK.exec(source) ?? [];
    if (line !== undefined) return { type: 'br', raw: line } as unknown as Tokens.Tag;
    const [, next] = CLOSING_TAG.exec(source) ?? [];
    return { ...tag, text: next === '<' ? '\n' : next !== undefined || UNSEEN.test(tag.raw) ? '' : tag.text };
  },
  html(source) {
    if (RUNNING.test(source)) return undefined;
    const [rule] = RULE.exec(source) ?? [];
    if (rule !== undefined) return { type: 'hr', raw: rule } as unknown as Tokens.HTML;
    const [raw, level, text = ''] = HEADING.exec(source) ?? [];
    if (raw !== undefined) {
      const line = `${'#'.repeat(Number(level))} ${text.replace(/\s+/g, ' ')}`;
      return { ...Tokenizer.prototype.heading.call(this, line), raw } as unknown as Tokens.HTML;
    }
    const [unseen] = COMMENT.exec(source) ?? LAYOUT_TAG.exec(source) ?? [];
    return unseen === undefined ? false : { type: 'html', raw: unseen, text: '', pre: false, block: true };
  },
};
