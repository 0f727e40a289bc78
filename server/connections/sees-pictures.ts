/** What models can do: as lists of models report it, each in its own way; whether they see pictures also by name. */
import type { Provider } from '../../shared/providers.ts';
import { booleanOf, fieldsOf, listOf, type Fields } from '../lib/fields.ts';
import type { ListedModel } from '../store/connection-repository.ts';

/** What a list says a model can do; absent: it doesn't say. */
export type Abilities = Pick<ListedModel, 'pictures' | 'tools' | 'reasoning'>;

/**
 * What an entry of a list says: OpenRouter's `architecture.input_modalities` and `supported_parameters`, others' without the
 * first part, `capabilities` of Mistral, LM Studio and Anthropic, LM Studio's type `vlm`.
 */
export function abilitiesIn(entry: Fields): Abilities {
  const { architecture, capabilities, type } = entry;
  const modalities = listOf(fieldsOf(architecture)['input_modalities'] ?? entry['input_modalities']);
  const parameters = listOf(entry['supported_parameters']);
  const abilities = fieldsOf(capabilities);
  const supports = (ability: string): boolean | null => booleanOf(fieldsOf(abilities[ability])['supported']);
  const pictures =
    modalities?.includes('image') ??
    booleanOf(abilities['vision']) ??
    supports('image_input') ??
    (type === 'vlm' ? true : null);
  const tools =
    parameters?.includes('tools') ??
    booleanOf(abilities['function_calling']) ??
    booleanOf(abilities['trained_for_tool_use']) ??
    listOf(capabilities)?.includes('tool_use') ??
    null;
  const reasoning =
    parameters?.includes('reasoning') ?? booleanOf(abilities['reasoning']) ?? supports('thinking');
  return {
    ...(pictures !== null && { pictures }),
    ...(tools !== null && { tools }),
    ...(reasoning !== null && { reasoning }),
  };
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
