import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { choice } from '../../shared/api/common.ts';
import { defineTool } from './tool.ts';

const ALGORITHMS = ['sha-256', 'sha-512', 'sha-384', 'sha-1', 'md5'] as const;

/** Broken for security: two texts with the same hash can be made. */
const BROKEN: readonly string[] = ['sha-1', 'md5'];

/** Hashes text; its bytes are UTF-8. */
export const hashTextTool = defineTool({
  name: 'hash_text',
  description:
    'Computes the SHA-256, SHA-512, SHA-384, SHA-1 or MD5 hash of a text (as UTF-8), in hexadecimal.',
  input: Type.Object({
    text: Type.String({ description: 'The text to hash.' }),
    algorithm: Type.Optional(choice([...ALGORITHMS], 'Default sha-256.')),
  }),
  run({ text, algorithm = 'sha-256' }) {
    const hash = createHash(algorithm.replace('-', '')).update(text, 'utf8').digest('hex');
    return { hash, algorithm, secure: !BROKEN.includes(algorithm) };
  },
});
