import { fieldsOf } from '../../lib/fields.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import { readContent, readSaid, readThought, type Conversation, type Said } from './conversation.ts';

/** Reads the conversation in a response's `input` and `instructions`. Throws OpenAiError if it is invalid. */
export function readInput(
  input: string | readonly unknown[],
  instructions: string | null | undefined,
): Conversation {
  const conversation: Conversation = {
    instructions:
      instructions === null || instructions === undefined || instructions === '' ? [] : [instructions],
    said: [],
  };
  if (typeof input === 'string') {
    conversation.said.push({ role: 'user', text: input, files: [] });
    return conversation;
  }
  const known = new Set<string>();
  input.forEach((item, index) => readItem(fieldsOf(item), `input[${index}]`, conversation, known));
  if (conversation.said.length === 0) {
    throw invalidParam('input', '"input" must hold at least one user message.');
  }
  return conversation;
}

function readItem(
  item: Readonly<Record<string, unknown>>,
  param: string,
  { instructions, said }: Conversation,
  known: Set<string>,
): void {
  const { type = 'message', role, content } = item;
  switch (type) {
    case 'message': {
      if (role === 'user') {
        said.push({ role, ...readSaid(content, `${param}.content`) });
        break;
      }
      const text = readContent(content, `${param}.content`);
      if (role === 'system' || role === 'developer') instructions.push(text);
      else if (role === 'assistant')
        assistantOf(said, ({ text: before, calls }) => before === '' && calls.length === 0).text = text;
      else throw invalidParam(`${param}.role`, `"${param}.role" must be one of ${ROLES}.`);
      break;
    }
    case 'function_call': {
      const { call_id: id, name, arguments: input } = item;
      if (typeof id !== 'string' || typeof name !== 'string' || typeof input !== 'string') {
        throw invalidParam(param, `"${param}" must have a "call_id", a "name" and "arguments".`);
      }
      known.add(id);
      assistantOf(said).calls.push({ id, name, input });
      break;
    }
    case 'function_call_output': {
      const { call_id: callId, output } = item;
      if (typeof callId !== 'string' || !known.has(callId)) {
        throw invalidParam(`${param}.call_id`, NO_CALL);
      }
      said.push({ role: 'tool', callId, text: readContent(output, `${param}.output`) });
      break;
    }
    case 'reasoning': {
      const thought = readThought(content, item['summary']);
      // It is the first item of a reply.
      if (thought !== undefined) said.push({ role: 'assistant', text: '', calls: [], thought });
      break;
    }
    default:
      throw invalidParam(
        `${param}.type`,
        `Items of the type "${String(type)}" are not supported; send ${TYPES}.`,
      );
  }
}

const ROLES = '"system", "developer", "user" and "assistant"';
const TYPES = '"message", "function_call", "function_call_output" and "reasoning"';
const NO_CALL =
  'A "function_call_output" answers a call: its "call_id" must be that of a "function_call" before it.';

type Assistant = Said & { role: 'assistant' };

/** The assistant's message that an item belongs to: the one just before it if that `fits`, else a new one. */
function assistantOf(said: Said[], fits: (last: Assistant) => boolean = () => true): Assistant {
  const last = said.at(-1);
  if (last?.role === 'assistant' && fits(last)) return last;
  const message = { role: 'assistant' as const, text: '', calls: [] };
  said.push(message);
  return message;
}
