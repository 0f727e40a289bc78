import { Type, type Static } from 'typebox';
import { choice, list, orNull, partial, text, whole } from './common.ts';
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
  maxOutputTokens: whole('The maximum length of a reply in tokens.', {
    minimum: 1,
    maximum: 1_000_000,
    examples: [2_000],
  }),
  stopSequences: list(
    Type.String({ minLength: 1, maxLength: 100 }),
    'Texts that end the reply; it stops before the first of them.',
    { maxItems: 4, examples: [['END']], expected: 'a list of at most 4 texts of 1 to 100 characters' },
  ),
  seed: whole('Makes the reply repeatable, as far as the server supports it.', {
    minimum: -(2 ** 53) + 1,
    maximum: 2 ** 53 - 1,
    examples: [7],
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
  reasoning: choice(
    ['none', 'low', 'medium', 'high'],
    'How much the model reasons before it answers; `none`: not at all.',
  ),
};

const NAMES = Object.keys(modelParameters).join(', ');

export const ModelParameters = partial(modelParameters, {
  additionalProperties: false,
  description:
    "Sampling parameters of a model. The model's server decides about absent ones. Those its provider doesn't support (see `parameters` in `GET /api/v1/models`) are not sent.",
  expected: `an object of ${NAMES} and nothing else`,
});
export type ModelParameters = Static<typeof ModelParameters>;

/** The names of {@link ModelParameters}. */
export const PARAMETER_NAMES = Object.keys(modelParameters) as ParameterName[];
export type ParameterName = keyof ModelParameters;

export const Parameters = partial(
  {
    ...modelParameters,
    instructions: text('Instructions for the model, added after those of its agent and its project.', {
      maxLength: MAX_AGENT_INSTRUCTIONS_CHARACTERS,
      examples: ['Answer in one sentence.'],
    }),
  },
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
