/** Whether models see pictures: as lists of models report it, each in its own way, or else judged by name. */
import type { Provider } from '../../shared/providers.ts';
import { booleanOf, fieldsOf, listOf, type Fields } from '../lib/fields.ts';

/**
 * What an entry of a list says: OpenRouter's `architecture.input_modalities`, others' without the first part,
 * `capabilities.vision` of Mistral and LM Studio, Anthropic's `capabilities.image_input`, LM Studio's type `vlm`.
 * Empty if it says nothing.
 */
export function toldPictures(entry: Fields): { pictures?: boolean } {
  const { architecture, capabilities, type } = entry;
  const modalities = listOf(fieldsOf(architecture)['input_modalities'] ?? entry['input_modalities']);
  const abilities = fieldsOf(capabilities);
  const told =
    modalities?.includes('image') ??
    booleanOf(abilities['vision']) ??
    booleanOf(fieldsOf(abilities['image_input'])['supported']) ??
    (type === 'vlm' ? true : null);
  return told === null ? {} : { pictures: told };
}

/** Models of OpenAI itself that read only text. */
const BLIND_AT_OPENAI = /^(?:ft:)?(?:gpt-3\.5|gpt-4(?:-32k)?(?:-\d{4})?(?:$|:)|o1-(?:mini|preview)|o3-mini)/;

/** Families that see pictures, by the names that makers and servers use. */
const SEEING = [
  /\bgpt-(?:4o|4\.1|4\.5|4-turbo|4-vision|5)|\bo1(?!-mini|-preview)\b|\bo3(?!-mini)\b|\bo4-mini|\bchatgpt-4o/,
  /\bclaude-(?!2|instant)/,
  /\bgemini-(?!1\.0|pro$)/,
  /\bgemma-?3(?!n)(?!.*\b(?:270m|1b)\b)|\bgemma-?4/,
  /\bpixtral|\bmistral-(?:small-?3\.[1-9]|medium-?3|large-?3)|\bministral-?3/,
  /\bllama-?4\b|\bllama-?3\.2-vision/,
  /llava|moondream|minicpm-v|internvl|smolvlm|molmo|cogvlm|multimodal|[-_.\d]vl\b|\bvision\b/,
];

/** Whether a model of that id sees pictures, judged by its name; null: the name doesn't show it. */
export function seesByName(provider: Provider, modelId: string): boolean | null {
  const id = modelId.toLowerCase();
  if (provider === 'openai' && BLIND_AT_OPENAI.test(id)) return false;
  return SEEING.some((family) => family.test(id)) ? true : null;
}
