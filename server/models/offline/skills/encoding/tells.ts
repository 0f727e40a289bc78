/** How results of the encoding tools are told. */
import type { Static } from 'typebox';
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
import { narrow } from '../../reading/narrow.ts';
import type { Request } from '../../skill.ts';
import { tellTime } from '../../wording/telling.ts';

type Input = Record<string, unknown>;

/** From this many bits on a password withstands guessing with any means known. */
const STRONG_BITS = 80;
const FAIR_BITS = 60;

/** Tells the result of an encoding tool as Markdown. */
export function tellEncoding(tool: string, input: Input, output: unknown, request: Request): string {
  switch (tool) {
    case decodeTextTool.name:
      return tellDecoded(narrow(decodeTextTool.output, output));
    case hashTextTool.name:
      return tellHash(narrow(hashTextTool.output, output));
    case decodeJwtTool.name:
      return tellToken(narrow(decodeJwtTool.output, output), request);
    case generateUuidTool.name:
      return codeBlock((narrow(generateUuidTool.output, output)?.items ?? []).join('\n'));
    case generatePasswordTool.name:
      return tellPasswords(narrow(generatePasswordTool.output, output));
    case randomNumbersTool.name:
      return tellNumbers(input, narrow(randomNumbersTool.output, output), request);
    case randomChoiceTool.name:
      return tellChoice(narrow(randomChoiceTool.output, output));
    default:
      return codeBlock(narrow(encodeTextTool.output, output)?.text ?? '');
  }
}

function tellDecoded(output: Static<typeof decodeTextTool.output> | null): string {
  if (output === null) return 'I could not decode that.';
  if (output.text === '') return 'That decodes to an empty text.';
  if (output.text !== undefined) return codeBlock(output.text);
  const hex = (output.hex ?? '').replace(/(..)(?=.)/g, '$1 ');
  const shown = hex.length / 3 < output.bytes - 1 ? ', the first of them' : '';
  return `That decodes to ${output.bytes.toLocaleString('en')} bytes that are not text${shown}:\n\n${codeBlock(hex)}`;
}

function tellHash(output: Static<typeof hashTextTool.output> | null): string {
  if (output === null) return 'I could not hash that.';
  const name = output.algorithm.toUpperCase();
  const warning = output.secure
    ? ''
    : `\n\n${name} is broken: good for telling files apart, not for security.`;
  return `${name}:\n\n${codeBlock(output.hash)}${warning}`;
}

function tellToken(output: Static<typeof decodeJwtTool.output> | null, request: Request): string {
  if (output === null) return 'I could not read that token.';
  const { header, text, expiresAt, expired } = output;
  const expiry =
    expiresAt === undefined
      ? ''
      : ` It ${expired === true ? 'expired' : 'expires'} on ${tellTime(expiresAt, request.timeZone)}.`;
  return `The claims of the token (**not verified**: I did not check its signature).${expiry}\n\n${codeBlock(text, 'json')}\n\nIts header:\n\n${codeBlock(header, 'json')}`;
}

function tellPasswords(output: Static<typeof generatePasswordTool.output> | null): string {
  if (output === null) return 'I could not make a password.';
  const { items, length, entropyBits } = output;
  const strength = entropyBits >= STRONG_BITS ? 'strong' : entropyBits >= FAIR_BITS ? 'fair' : 'weak';
  return `${codeBlock(items.join('\n'))}\n\n${length} characters, about ${entropyBits} bits of entropy${items.length > 1 ? ' each' : ''}: ${strength}. Mind that it stays readable in this chat.`;
}

function tellNumbers(
  input: Input,
  output: Static<typeof randomNumbersTool.output> | null,
  request: Request,
): string {
  if (output === null) return 'I could not draw a number.';
  const { numbers, sum } = output;
  const told = numbers.map((one) => `**${one.toLocaleString('en', { useGrouping: false })}**`).join(', ');
  const isDice = input['minimum'] === 1 && /\b(?:roll|throw|dice|die|\d?d\d+|re-?roll)\b/i.test(request.text);
  return isDice && numbers.length > 1 ? `${told} – ${sum} in all.` : `${told}.`;
}

function tellChoice(output: Static<typeof randomChoiceTool.output> | null): string {
  if (output === null) return 'I could not pick one.';
  const { items } = output;
  const isCoin = items.every((item) => item === 'heads' || item === 'tails');
  const [only = ''] = items;
  if (isCoin && items.length > 1) {
    const heads = items.filter((item) => item === 'heads').length;
    return `${items.map((item) => `**${capitalised(item)}**`).join(', ')} – ${heads} heads, ${items.length - heads} tails.`;
  }
  if (items.length === 1) return `**${escapeMarkdown(isCoin ? capitalised(only) : only)}**`;
  return items.map((item) => `- ${escapeMarkdown(item)}`).join('\n');
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
