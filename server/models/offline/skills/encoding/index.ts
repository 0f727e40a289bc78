import { count } from '../../../../../shared/numbers.ts';
import { hashTextTool } from '../../../../tools/encoding-hash.ts';
import { decodeJwtTool } from '../../../../tools/encoding-jwt.ts';
import {
  generatePasswordTool,
  randomChoiceTool,
  randomNumbersTool,
} from '../../../../tools/encoding-random.ts';
import { decodeTextTool } from '../../../../tools/encoding-text.ts';
import { codeBlock, escapeMarkdown } from '../../../../tools/text-markdown.ts';
import { ENCODING_TOOLS } from '../../../../tools/index.ts';
import { previousCall } from '../../reading/history.ts';
import { readOrders } from '../../reading/orders.ts';
import type { Request, OfflineSkill, ToolRequest } from '../../skill.ts';
import { ENCODE, RANDOM } from './orders.ts';
import { formatting, formatEach, formatTime } from '../../wording/formatting.ts';

/** Talk of what can be made rather than an order. */
const TALKS =
  /^(?:what|which|who|how|why|is|are|do|does|when|where|i (?!want|need|['’]d))\b|\b(?:my|your|our|remember|change|says?) |\bthe (?!dice)/i;
const AGAIN =
  /^(?:again|another(?: one)?|one more|(?:roll|flip|toss|generate|pick)(?: (?:it|that|one))? again|a new one|a different one)[\s?.!]*$/i;
const AGAIN_TOOLS = ['generate_uuid', 'generate_password', 'random_numbers', 'random_choice'];

/** "Another one": the same call as before. */
function readAgain({ text, history }: Request): ToolRequest | null {
  const previous = AGAIN.test(text) ? previousCall(history, AGAIN_TOOLS) : null;
  return previous && { tool: previous.tool, input: previous.input };
}

/** From this many bits on a password withstands guessing with any means known. */
const STRONG_BITS = 80;
const FAIR_BITS = 60;

/** Formats the result of an encoding tool as Markdown. */
const formatEncoding = formatEach(
  formatting(decodeTextTool, ({ text, hex = '', bytes }) => {
    if (text === '') return 'That decodes to an empty text.';
    if (text !== undefined) return codeBlock(text);
    const shown = hex.length / 2 < bytes ? ', the first of them' : '';
    return `That decodes to ${count(bytes, 'byte')} of something that is not text${shown}:\n\n${codeBlock(hex.replace(/(..)(?=.)/g, '$1 '))}`;
  }),
  formatting(hashTextTool, ({ algorithm, hash, secure }, input, { text }) => {
    const name = algorithm.toUpperCase();
    const warning = secure ? '' : `\n\n${name} is broken: good for telling files apart, not for security.`;
    // Files are read as text: what their bytes were besides is gone.
    const isOfText = /\bfile\b/i.test(text) || String(input['text']).includes('\n');
    const of = isOfText ? ' of the text (UTF-8 without a mark, lines ended by LF)' : '';
    return `${name}${of}:\n\n${codeBlock(hash)}${warning}`;
  }),
  formatting(decodeJwtTool, ({ header, text, expiresAt, expired }, _input, { timeZone }) => {
    const ends = expired === true ? 'expired' : 'expires';
    const expiry = expiresAt === undefined ? '' : ` It ${ends} on ${formatTime(expiresAt, timeZone)}.`;
    return `The claims of the token (**not verified**: I did not check its signature).${expiry}\n\n${codeBlock(text, 'json')}\n\nIts header:\n\n${codeBlock(header, 'json')}`;
  }),
  formatting(generatePasswordTool, ({ items, length, entropyBits }) => {
    const strength = entropyBits >= STRONG_BITS ? 'strong' : entropyBits >= FAIR_BITS ? 'fair' : 'weak';
    return `${codeBlock(items.join('\n'))}\n\n${count(length, 'character')}, about ${entropyBits} bits of entropy${items.length > 1 ? ' each' : ''}: ${strength}. Mind that it stays readable in this chat.`;
  }),
  formatting(randomNumbersTool, ({ numbers, sum }, _input, { text }) => {
    const list = numbers.map((one) => `**${one.toLocaleString('en', { useGrouping: false })}**`).join(', ');
    const isDice = numbers.length > 1 && /\b(?:roll|throw|dice|\d?d\d+)\b/i.test(text);
    return isDice ? `${list} – ${sum} in all.` : `${list}.`;
  }),
  formatting(randomChoiceTool, ({ items }) => {
    const list = items.map((item) => `**${escapeMarkdown(item)}**`).join(', ');
    const heads = items.filter((item) => item === 'heads').length;
    const isCoins = items.length > 1 && items.every((item) => item === 'heads' || item === 'tails');
    return isCoins ? `${list} – ${heads} heads, ${items.length - heads} tails.` : list;
  }),
);

/** Encodes, decodes, hashes and makes up random values. */
export const encodingSkill: OfflineSkill = {
  needs: 'my encoding tools',
  summary: 'encode, decode and hash text, make UUIDs, passwords and random picks',
  examples: `
    base64 encode hello world | decode aGVsbG8= | url-encode "a b&c" | sha256 of hello | give me 3 uuids |
    a 20 character password without symbols | roll 2 dice | random number between 1 and 100
  `,
  tools: ENCODING_TOOLS.map(({ name }) => name),
  parse: (request) =>
    readOrders(ENCODE, request) ??
    (TALKS.test(request.text) ? null : readOrders(RANDOM, request)) ??
    readAgain(request),
  format: formatEncoding,
};
