import { ENCODING_TOOLS } from '../../../../tools/index.ts';
import { readOrders } from '../../reading/orders.ts';
import type { Skill } from '../../skill.ts';
import { ORDERS } from './orders.ts';
import { readRandom } from './random.ts';
import { tellEncoding } from './tells.ts';

/** Encodes, decodes, hashes and makes up random values. */
export const encodingSkill: Skill = {
  name: 'encoding',
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
  reads: (request) => readOrders(ORDERS, request) ?? readRandom(request),
  tells: tellEncoding,
};
