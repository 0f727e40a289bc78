import { decodeHTML } from 'entities';
import type { Token, Tokens } from 'marked';
import { type Format, needsMarks, styled, withoutControls } from './terminal.ts';

type Style = Exclude<Format, readonly unknown[]>;

/** Marked's tokens of running text in their formats, in the lines that were written. */
export function inlineText(tokens: readonly Token[] | undefined, styles: readonly Style[] = []): string {
  return (tokens ?? [])
    .map((token, index) => {
      // One break is enough for `<br>` at the end of a line.
      const isEnded = isBreak(token) && tokens?.[index + 1]?.raw.startsWith('\n') === true;
      return isEnded ? '' : textOf(token, styles);
    })
    .join('');
}

const isBreak = ({ type, raw }: Token): boolean => type === 'html' && /^<br\s*\/?>$/i.test(raw.trim());

function textOf(token: Tokens.Generic, styles: readonly Style[]): string {
  const inside = (...more: Style[]): string => inlineText(token.tokens, [...styles, ...more]);
  const plain = (text: string, ...more: Style[]): string =>
    styled([...styles, ...more], text.replace(/[^\S\n]+/gu, ' '));
  switch (token.type) {
    case 'strong':
      return inside('bold');
    case 'em':
      return inside('italic');
    case 'del':
      return inside('strikethrough');
    case 'codespan': {
      const { text } = token as Tokens.Codespan;
      return plain(needsMarks() ? `\`${text}\`` : text, 'cyan');
    }
    case 'br':
      return '\n';
    case 'link': {
      const { href, text } = token as Tokens.Link;
      const isBare = text === href || `mailto:${text}` === href;
      return inside('underline') + (isBare ? '' : plain(` (${href})`, 'dim'));
    }
    case 'image': {
      const { href, text } = token as Tokens.Image;
      return plain(`[${text === '' ? 'picture' : text}] (${href})`, 'dim');
    }
    case 'html':
      return isBreak(token) ? '\n' : plain(token.raw);
    default:
      // An entity may stand for a character that a terminal obeys.
      return token.tokens === undefined
        ? plain(withoutControls(decodeHTML((token as Tokens.Text).text)))
        : inside();
  }
}
