import { ENCODING_TOOLS } from '../../../../tools/index.ts';
import type { Request, Skill } from '../../skill.ts';
import { recogniseCode, recogniseHash, recogniseToken } from './codes.ts';
import { recogniseRandom } from './random.ts';
import { tellEncoding } from './tells.ts';
import { firstWish, readAsks } from '../../reading/ask.ts';

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
  tools: ENCODING_TOOLS.map(({ name }) => name),
  mayPassOver: true,
  reads: (request: Request) => firstWish(readAsks(request), RECOGNISERS),
  tells: tellEncoding,
};
