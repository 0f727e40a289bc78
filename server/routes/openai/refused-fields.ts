import { OpenAiError } from '../../plugins/openai-error.ts';
import { requireShallow } from './conversation.ts';

/** Values that ask for nothing, as some clients always send them, in JSON. */
const HARMLESS = ['null', 'false', '0', '{}', '[]', '["text"]'];

/**
 * Throws OpenAiError for the first of these fields by which a body asks for something; `words` say of each why it is not there. And
 * for a body that lies too deep within itself.
 */
export function refuseFields(
  body: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, string>>,
): void {
  requireShallow(body);
  for (const [param, message] of Object.entries(words)) {
    const value = body[param];
    const isHarmless =
      value === undefined || HARMLESS.includes(JSON.stringify(value)) || (param === 'n' && value === 1);
    if (!isHarmless) throw new OpenAiError(400, message, { param, code: 'unsupported_parameter' });
  }
}
