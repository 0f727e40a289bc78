import { randomInt, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { defineTool, ToolError } from './tool.ts';

/** Most values drawn in one go. */
export const MAX_DRAWS = 100;

/** Largest distance between the bounds that the platform's generator takes, less one. */
const MAX_RANGE = 2 ** 48 - 2;

const MAX_BOUND = 1e12;

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const SYMBOLS = '!#$%&*+-=?@^_~.:;';
/** Characters that are easily taken for one another. */
const LOOK_ALIKES = /[0OoIl1|5S8B2Z]/g;

const SHORTEST_PASSWORD = 6;
const LONGEST_PASSWORD = 256;
const USUAL_PASSWORD = 20;

const count = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAX_DRAWS, description: 'How many. Default 1.' }),
);

/** Draws whole numbers: dice, lots, test data. */
export const randomNumbersTool = defineTool({
  name: 'random_numbers',
  description: 'Draws one or more random whole numbers between two bounds, both included; for dice, 1 to 6.',
  input: Type.Object({
    minimum: Type.Integer({ minimum: -MAX_BOUND, maximum: MAX_BOUND }),
    maximum: Type.Integer({ minimum: -MAX_BOUND, maximum: MAX_BOUND }),
    count,
  }),
  run({ minimum, maximum, count = 1 }) {
    if (maximum < minimum) throw new ToolError('The smaller bound must come first.');
    if (maximum - minimum > MAX_RANGE) throw new ToolError('The bounds are too far apart.');
    const numbers = Array.from({ length: count }, () => randomInt(minimum, maximum + 1));
    return { numbers, sum: numbers.reduce((total, number) => total + number, 0) };
  },
});

/** Picks from a list by chance. */
export const randomChoiceTool = defineTool({
  name: 'random_choice',
  description:
    'Picks one or more of the given options at random; for a coin, heads and tails. Each option is picked once at most unless `repeat` is true.',
  input: Type.Object({
    options: Type.Array(Type.String(), { minItems: 1, maxItems: 10_000 }),
    count,
    repeat: Type.Optional(
      Type.Boolean({ description: 'An option may come again, as with a coin. Default false.' }),
    ),
  }),
  run({ options, count = 1, repeat = false }) {
    if (!repeat && count > options.length) {
      throw new ToolError(`There are only ${options.length} to pick from.`);
    }
    const left = [...options];
    const items = Array.from({ length: count }, () => {
      const index = randomInt(left.length);
      return (repeat ? left[index] : left.splice(index, 1)[0]) ?? '';
    });
    return { items };
  },
});

/** Makes passwords. */
export const generatePasswordTool = defineTool({
  name: 'generate_password',
  description:
    'Makes one or more random passwords from letters, digits and, unless switched off, symbols, and tells how strong they are.',
  input: Type.Object({
    length: Type.Optional(
      Type.Integer({
        minimum: SHORTEST_PASSWORD,
        maximum: LONGEST_PASSWORD,
        description: `Characters. Default ${USUAL_PASSWORD}.`,
      }),
    ),
    symbols: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    digits: Type.Optional(Type.Boolean({ description: 'Default true.' })),
    lookAlikes: Type.Optional(
      Type.Boolean({ description: 'Allow characters that look alike, such as 0 and O. Default false.' }),
    ),
    count,
  }),
  run({ length = USUAL_PASSWORD, symbols = true, digits = true, lookAlikes = false, count = 1 }) {
    const sets = [LOWER, UPPER, ...(digits ? [DIGITS] : []), ...(symbols ? [SYMBOLS] : [])].map((set) =>
      lookAlikes ? set : set.replace(LOOK_ALIKES, ''),
    );
    return {
      items: Array.from({ length: count }, () => password(sets, length)),
      length,
      entropyBits: Math.floor(length * Math.log2(sets.join('').length)),
    };
  },
});

/** Draws until every set is there: so each password that is allowed stays as likely as any other. */
function password(sets: string[], length: number): string {
  const alphabet = sets.join('');
  for (;;) {
    const drawn = Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length)));
    if (sets.every((set) => drawn.some((character) => set.includes(character)))) return drawn.join('');
  }
}

/** Makes random UUIDs (version 4). */
export const generateUuidTool = defineTool({
  name: 'generate_uuid',
  description: 'Makes one or more random UUIDs (version 4, also called GUIDs).',
  input: Type.Object({ count }),
  run({ count = 1 }) {
    return { items: Array.from({ length: count }, () => randomUUID()) };
  },
});
