/** How results of the encoding tools are told. */
import { hashTextTool } from '../../../../tools/encoding-hash.ts';
import { decodeJwtTool } from '../../../../tools/encoding-jwt.ts';
import {
  generatePasswordTool,
  randomChoiceTool,
  randomNumbersTool,
} from '../../../../tools/encoding-random.ts';
import { decodeTextTool, encodeTextTool } from '../../../../tools/encoding-text.ts';
import { generateUuidTool } from '../../../../tools/encoding-uuid.ts';
import { codeBlock, escapeMarkdown } from '../../../../tools/text-markdown.ts';
import type { Request } from '../../skill.ts';
import { capitalised, telling, tellsEach, tellTime, type OutputOf } from '../../wording/telling.ts';

type Input = Record<string, unknown>;

/** From this many bits on a password withstands guessing with any means known. */
const STRONG_BITS = 80;
const FAIR_BITS = 60;

function tellDecoded(output: OutputOf<typeof decodeTextTool>): string {
  if (output.text === '') return 'That decodes to an empty text.';
  if (output.text !== undefined) return codeBlock(output.text);
  const hex = (output.hex ?? '').replace(/(..)(?=.)/g, '$1 ');
  const shown = hex.length / 3 < output.bytes - 1 ? ', the first of them' : '';
  return `That decodes to ${output.bytes.toLocaleString('en')} bytes that are not text${shown}:\n\n${codeBlock(hex)}`;
}

function tellHash(output: OutputOf<typeof hashTextTool>): string {
  const name = output.algorithm.toUpperCase();
  const warning = output.secure
    ? ''
    : `\n\n${name} is broken: good for telling files apart, not for security.`;
  return `${name}:\n\n${codeBlock(output.hash)}${warning}`;
}

function tellToken(
  { header, text, expiresAt, expired }: OutputOf<typeof decodeJwtTool>,
  _input: Input,
  request: Request,
): string {
  const expiry =
    expiresAt === undefined
      ? ''
      : ` It ${expired === true ? 'expired' : 'expires'} on ${tellTime(expiresAt, request.timeZone)}.`;
  return `The claims of the token (**not verified**: I did not check its signature).${expiry}\n\n${codeBlock(text, 'json')}\n\nIts header:\n\n${codeBlock(header, 'json')}`;
}

function tellPasswords({ items, length, entropyBits }: OutputOf<typeof generatePasswordTool>): string {
  const strength = entropyBits >= STRONG_BITS ? 'strong' : entropyBits >= FAIR_BITS ? 'fair' : 'weak';
  return `${codeBlock(items.join('\n'))}\n\n${length} characters, about ${entropyBits} bits of entropy${items.length > 1 ? ' each' : ''}: ${strength}. Mind that it stays readable in this chat.`;
}

function tellNumbers(
  { numbers, sum }: OutputOf<typeof randomNumbersTool>,
  input: Input,
  request: Request,
): string {
  const told = numbers.map((one) => `**${one.toLocaleString('en', { useGrouping: false })}**`).join(', ');
  const isDice = input['minimum'] === 1 && /\b(?:roll|throw|dice|die|\d?d\d+|re-?roll)\b/i.test(request.text);
  return isDice && numbers.length > 1 ? `${told} – ${sum} in all.` : `${told}.`;
}

function tellChoice({ items }: OutputOf<typeof randomChoiceTool>): string {
  const isCoin = items.every((item) => item === 'heads' || item === 'tails');
  const [only = ''] = items;
  if (isCoin && items.length > 1) {
    const heads = items.filter((item) => item === 'heads').length;
    return `${items.map((item) => `**${capitalised(item)}**`).join(', ')} – ${heads} heads, ${items.length - heads} tails.`;
  }
  if (items.length === 1) return `**${escapeMarkdown(isCoin ? capitalised(only) : only)}**`;
  return items.map((item) => `- ${escapeMarkdown(item)}`).join('\n');
}

/** Tells the result of an encoding tool as Markdown. */
export const tellEncoding = tellsEach(
  telling(encodeTextTool, ({ text }) => codeBlock(text)),
  telling(decodeTextTool, tellDecoded),
  telling(hashTextTool, tellHash),
  telling(decodeJwtTool, tellToken),
  telling(generateUuidTool, ({ items }) => codeBlock(items.join('\n'))),
  telling(generatePasswordTool, tellPasswords),
  telling(randomNumbersTool, tellNumbers),
  telling(randomChoiceTool, tellChoice),
);
