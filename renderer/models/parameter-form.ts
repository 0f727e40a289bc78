/** A model's parameters as texts in fields; an empty one leaves the parameter to the model. */
import type { Parameters } from '../../shared/api/parameters.ts';
import { words } from '../lib/words/index.ts';

/** The fields, in the order in which they are shown. */
export const PARAMETER_FIELDS = [
  'instructions',
  'temperature',
  'topP',
  'maxOutputTokens',
  'stopSequences',
  'reasoning',
] as const satisfies readonly (keyof Parameters)[];
export type ParameterField = (typeof PARAMETER_FIELDS)[number];

export type ParameterTexts = Record<ParameterField, string>;

/** What was filled in, and the faults by field; without faults, the parameters have the API's form. */
export interface FilledParameters {
  parameters: Parameters;
  faults: Partial<ParameterTexts>;
}

const MAX_STOPS = 4;
const MAX_STOP_CHARACTERS = 100;
const MAX_TOKENS = 1_000_000;

/** Parameters as texts for the fields. */
export function toTexts({ stopSequences = [], ...parameters }: Parameters = {}): ParameterTexts {
  const { instructions = '', temperature = '', topP = '', maxOutputTokens = '', reasoning = '' } = parameters;
  return {
    instructions,
    temperature: String(temperature),
    topP: String(topP),
    maxOutputTokens: String(maxOutputTokens),
    stopSequences: stopSequences.join('\n'),
    reasoning,
  };
}

/** A number as people write it, also with a decimal comma. */
function numberOf(text: string): number {
  const written = text.trim().replace(',', '.');
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(written) ? Number(written) : NaN;
}

/** Reads the fields. */
export function readTexts(texts: ParameterTexts): FilledParameters {
  const text = words.parameters.faults;
  const parameters: Parameters = {};
  const faults: Partial<ParameterTexts> = {};
  const filled = (field: ParameterField): boolean => texts[field].trim() !== '';

  if (filled('instructions')) parameters.instructions = texts.instructions;
  if (filled('temperature')) {
    const value = numberOf(texts.temperature);
    if (value >= 0 && value <= 2) parameters.temperature = value;
    else faults.temperature = text.temperature;
  }
  if (filled('topP')) {
    const value = numberOf(texts.topP);
    if (value > 0 && value <= 1) parameters.topP = value;
    else faults.topP = text.topP;
  }
  if (filled('maxOutputTokens')) {
    const value = Number(texts.maxOutputTokens.trim().replace(/(?<=\d)[\s,.’'](?=\d{3}(?!\d))/g, ''));
    if (Number.isInteger(value) && value >= 1 && value <= MAX_TOKENS) parameters.maxOutputTokens = value;
    else faults.maxOutputTokens = text.maxOutputTokens;
  }
  const stops = [...new Set(texts.stopSequences.split(/\r\n|[\r\n]/).filter((stop) => stop !== ''))];
  if (stops.length > MAX_STOPS) faults.stopSequences = text.stopSequences;
  else if (stops.some((stop) => Array.from(stop).length > MAX_STOP_CHARACTERS))
    faults.stopSequences = text.stopTooLong;
  else if (stops.length > 0) parameters.stopSequences = stops;
  const { reasoning } = texts;
  if (reasoning === 'none' || reasoning === 'low' || reasoning === 'medium' || reasoning === 'high')
    parameters.reasoning = reasoning;
  return { parameters, faults };
}
