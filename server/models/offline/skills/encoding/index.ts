import { ENCODING_TOOLS } from '../../../../tools/index.ts';
import { previousCall } from '../../reading/history.ts';
import { readOrders } from '../../reading/orders.ts';
import type { Request, Skill, ToolRequest } from '../../skill.ts';
import { ENCODE, RANDOM } from './orders.ts';
import { formatEncoding } from './tells.ts';

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

/** Encodes, decodes, hashes and makes up random values. */
export const encodingSkill: Skill = {
  needs: 'my encoding tools',
  summary: 'encode, decode and hash text, make UUIDs, passwords and random picks',
  examples: [
    'base64 encode hello world',
    'decode aGVsbG8=',
    'url-encode "a b&c"',
    'sha256 of hello',
    'give me 3 uuids',
    'a 20 character password without symbols',
    'roll 2 dice',
    'random number between 1 and 100',
  ],
  tools: ENCODING_TOOLS.map(({ name }) => name),
  parse: (request) =>
    readOrders(ENCODE, request) ??
    (TALKS.test(request.text) ? null : readOrders(RANDOM, request)) ??
    readAgain(request),
  format: formatEncoding,
};
