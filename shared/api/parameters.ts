import { Type, type Static } from 'typebox';
import { orNull } from './common.ts';
import { MAX_AGENT_INSTRUCTIONS_CHARACTERS } from '../limits.ts';

const modelParameters = {
  temperature: Type.Number({
    minimum: 0,
    maximum: 2,
    examples: [0.7],
    description: 'How varied the wording is; 0 always takes the most likely words.',
  }),
  topP: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1,
    examples: [0.9],
    description: 'The share of probability mass the model picks words from (nucleus sampling).',
    expected: 'a number above 0, at most 1',
  }),
  maxOutputTokens: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    examples: [2_000],
    description: 'The maximum length of a reply in tokens.',
  }),
  stopSequences: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 4,
    examples: [['END']],
    description: 'Texts that end the reply; it stops before the first of them.',
    expected: 'a list of at most 4 texts of 1 to 100 characters',
  }),
  seed: Type.Integer({
    minimum: -(2 ** 53) + 1,
    maximum: 2 ** 53 - 1,
    examples: [7],
    description: 'Makes the reply repeatable, as far as the server supports it.',
    expected: 'a whole number',
  }),
  presencePenalty: Type.Number({
    minimum: -2,
    maximum: 2,
    examples: [0.5],
    description: 'How strongly to avoid words that occurred before.',
  }),
  frequencyPenalty: Type.Number({
    minimum: -2,
    maximum: 2,
    examples: [0.5],
    description: 'The same, but growing with how often they occurred.',
  }),
  reasoning: Type.Enum(['none', 'low', 'medium', 'high'], {
    description: 'How much the model reasons before it answers; `none`: not at all.',
  }),
};

const NAMES = Object.keys(modelParameters).join(', ');

export const ModelParameters = Type.Partial(Type.Object(modelParameters), {
  additionalProperties: false,
  description:
    "Sampling parameters of a model. The model's server decides about absent ones. Those its provider doesn't support (see `parameters` in `GET /api/v1/models`) are not sent.",
  expected: `an object of ${NAMES} and nothing else`,
});
export type ModelParameters = Static<typeof ModelParameters>;

/** The names of {@link ModelParameters}. */
export const PARAMETER_NAMES = Object.keys(modelParameters) as ParameterName[];
export type ParameterName = keyof ModelParameters;

export const Parameters = Type.Partial(
  Type.Object({
    ...modelParameters,
    instructions: Type.String({
      maxLength: MAX_AGENT_INSTRUCTIONS_CHARACTERS,
      examples: ['Answer in one sentence.'],
      description: 'Instructions for the model, added after those of its agent and its project.',
    }),
  }),
  {
    additionalProperties: false,
    description: 'Parameters and instructions for the model of a chat or of one message, as for an agent.',
    expected: `an object of ${NAMES}, instructions and nothing else`,
  },
);
export type Parameters = Static<typeof Parameters>;

/** In a change, null removes all of them. */
export const ParametersOrNull = orNull(Parameters, {
  expected: 'an object of parameters, or null',
});
