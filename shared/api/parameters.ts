import { Type, type Static } from 'typebox';
import { MAX_AGENT_INSTRUCTIONS_CHARACTERS } from '../limits.ts';
import { withThousands } from '../numbers.ts';

/** How much a model thinks before it answers. */
const REASONING_EFFORTS = ['none', 'low', 'medium', 'high'] as const;

const modelParameters = {
  temperature: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 2,
      examples: [0.7],
      description: 'How varied its words are: 0 takes the most likely ones.',
      expected: 'a number from 0 to 2',
    }),
  ),
  topP: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      examples: [0.9],
      description: 'From which share of the likely words it chooses.',
      expected: 'a number above 0, at most 1',
    }),
  ),
  maxOutputTokens: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      examples: [2_000],
      description: 'How many tokens a reply may take.',
      expected: 'a whole number from 1 to 1,000,000',
    }),
  ),
  stopSequences: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 4,
      examples: [['END']],
      description: 'Texts before which a reply ends.',
      expected: 'a list of at most 4 texts of 1 to 100 characters',
    }),
  ),
  seed: Type.Optional(
    Type.Integer({
      minimum: -(2 ** 53) + 1,
      maximum: 2 ** 53 - 1,
      examples: [7],
      description: 'Asks for the same words each time, as far as its server can.',
      expected: 'a whole number',
    }),
  ),
  presencePenalty: Type.Optional(
    Type.Number({
      minimum: -2,
      maximum: 2,
      examples: [0.5],
      description: 'How much it is kept from words that were there.',
      expected: 'a number from -2 to 2',
    }),
  ),
  frequencyPenalty: Type.Optional(
    Type.Number({
      minimum: -2,
      maximum: 2,
      examples: [0.5],
      description: 'The same, the more the oftener they were there.',
      expected: 'a number from -2 to 2',
    }),
  ),
  reasoning: Type.Optional(
    Type.Enum([...REASONING_EFFORTS], {
      description: 'How much it thinks before it answers; `none`: not at all.',
      expected: REASONING_EFFORTS.map((effort) => `"${effort}"`).join(', '),
    }),
  ),
};

const NAMES = Object.keys(modelParameters).join(', ');

export const ModelParameters = Type.Object(modelParameters, {
  additionalProperties: false,
  description:
    "How a model is to choose its words. What is absent is left to the model's server, and what the model's provider doesn't know (`parameters` of `GET /api/v1/models`) is not sent.",
  expected: `an object of ${NAMES} and nothing else`,
});
export type ModelParameters = Static<typeof ModelParameters>;

/** The names of {@link ModelParameters}. */
export const PARAMETER_NAMES = Object.keys(modelParameters) as ParameterName[];
export type ParameterName = keyof ModelParameters;

export const Parameters = Type.Object(
  {
    ...modelParameters,
    instructions: Type.Optional(
      Type.String({
        maxLength: MAX_AGENT_INSTRUCTIONS_CHARACTERS,
        examples: ['Answer in one sentence.'],
        description:
          'What the model is told besides the instructions of its agent and its project, after them.',
        expected: `text of at most ${withThousands(MAX_AGENT_INSTRUCTIONS_CHARACTERS)} characters`,
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'How the model of a chat or of one message is to choose its words, and what else it is told; as with an agent.',
    expected: `an object of ${NAMES}, instructions and nothing else`,
  },
);
export type Parameters = Static<typeof Parameters>;

/** In a change: null takes them all away. */
export const ParametersOrNull = Type.Union([Parameters, Type.Null()], {
  expected: 'an object of parameters, or null',
});
