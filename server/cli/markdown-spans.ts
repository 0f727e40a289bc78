/** Running text in Markdown as pieces of one look each, and breaking them into lines. */
import { decodeHTML } from 'entities';
import type { Token, Tokens } from 'marked';
import { type Format, hasColours, styled } from './terminal.ts';
import { firstColumns, graphemesOf, isWide, widthOf } from './text-width.ts';

type Look = Exclude<Format, readonly unknown[]>;

const PLAIN: readonly Look[] = [];

/** A piece of text in one look; neighbours of the same look share the list. */
export interface Span {
  text: string;
  looks: readonly Look[];
}

/** Marked's tokens of running text as spans; a line break is the text `\n`. */
export function spansOf(tokens: readonly Token[] | undefined, looks: readonly Look[] = PLAIN): Span[] {
  return (tokens ?? []).flatMap((token) => spansOfOne(token as Tokens.Generic, looks));
}

function spansOfOne(token: Tokens.Generic, looks: readonly Look[]): Span[] {
  const inside = (...more: Look[]): Span[] => spansOf(token.tokens, [...looks, ...more]);
  switch (token.type) {
    case 'strong':
      return inside('bold');
    case 'em':
      return inside('italic');
    case 'del':
      return inside('strikethrough');
    case 'codespan': {
      const { text } = token as Tokens.Codespan;
      return [{ text: hasColours() ? text : `\`${text}\``, looks: [...looks, 'cyan'] }];
    }
    case 'br':
      return [{ text: '\n', looks }];
    case 'link': {
      const { href, text } = token as Tokens.Link;
      const isBare = text === href || `mailto:${text}` === href;
      return [
        ...inside('underline'),
        ...(isBare ? [] : [{ text: ` (${href})`, looks: [...looks, 'dim' as const] }]),
      ];
    }
    case 'image': {
      const { href, text } = token as Tokens.Image;
      return [{ text: `[${text === '' ? 'picture' : text}] (${href})`, looks: [...looks, 'dim'] }];
    }
    case 'html':
      return [{ text: /^<br\s*\/?>$/i.test(token.raw.trim()) ? '\n' : token.raw, looks }];
    default:
      if (token.tokens !== undefined) return inside();
      return [{ text: decodeHTML((token as Tokens.Text).text), looks }];
  }
}

/** Spans in their looks. */
export function paint(spans: readonly Span[]): string {
  let painted = '';
  for (let index = 0; index < spans.length;) {
    const { looks } = spans[index] ?? { looks: [] };
    let text = '';
    for (; spans[index]?.looks === looks; index += 1) text += spans[index]?.text ?? '';
    painted += looks.length === 0 ? text : styled([...looks], text);
  }
  return painted;
}

/** Spans as lines of at most so many columns. White space is one space; words that are too long are cut. */
export function wrap(spans: readonly Span[], columns: number): Span[][] {
  const lines: Span[][] = [[]];
  let used = 0;
  /** White space to come before the next word, unless the line breaks there. */
  let gap: Span | null = null;
  let word: Span[] = [];

  const newLine = (): void => {
    lines.push([]);
    used = 0;
    gap = null;
  };
  const put = (span: Span): void => {
    lines.at(-1)?.push(span);
    used += widthOf(span.text);
  };
  const putCut = (span: Span): void => {
    for (let { text } = span; text !== '';) {
      if (used >= columns) newLine();
      const part = firstColumns(text, columns - used);
      if (used > 0 && widthOf(part) > columns - used) newLine();
      put({ ...span, text: part });
      text = text.slice(part.length);
    }
  };
  const endWord = (): void => {
    if (word.length === 0) return;
    const width = word.reduce((sum, { text }) => sum + widthOf(text), 0);
    if (used > 0 && used + (gap === null ? 0 : 1) + width > columns) newLine();
    if (gap !== null && used > 0) put(gap.looks === word[0]?.looks ? gap : { text: ' ', looks: PLAIN });
    gap = null;
    for (const span of word) (width > columns ? putCut : put)(span);
    word = [];
  };

  for (const { text, looks } of spans) {
    if (text === '\n') {
      endWord();
      newLine();
      continue;
    }
    for (const part of text.match(/\s+|\S+/gu) ?? []) {
      if (/^\s/u.test(part)) {
        endWord();
        gap = { text: ' ', looks };
        continue;
      }
      for (const unit of unitsOf(part)) {
        if (isWide(unit)) endWord();
        word.push({ text: unit, looks });
        if (isWide(unit)) endWord();
      }
    }
  }
  endWord();
  return lines;
}

/** Between wide characters a line may break. */
function unitsOf(word: string): string[] {
  if (!isWide(word)) return [word];
  const units: string[] = [];
  for (const grapheme of graphemesOf(word)) {
    const last = units.at(-1);
    if (last === undefined || isWide(grapheme) || isWide(last)) units.push(grapheme);
    else units[units.length - 1] = last + grapheme;
  }
  return units;
}
