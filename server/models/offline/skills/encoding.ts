import type { Request, Skill } from '../skill.ts';
import { recogniseCode, recogniseHash, recogniseToken } from './encoding-codes.ts';
import { recogniseRandom } from './encoding-random.ts';
import { tellEncoding } from './encoding-tell.ts';
import { bestIntent, readAsks } from './text-ask.ts';

const RECOGNISERS = [recogniseToken, recogniseHash, recogniseCode, recogniseRandom];

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
  mayPassOver: true,
  recognise: (request: Request) => bestIntent(readAsks(request), RECOGNISERS),
  tell: tellEncoding,
};
