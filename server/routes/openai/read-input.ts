import { fieldsOf, type Fields } from '../../lib/fields.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import {
  readMessageContent,
  readEntry,
  readThought,
  requireEntries,
  type ClientConversation,
  type Entry,
} from './conversation.ts';
import { customArguments, flatName } from './tools.ts';

/**
 * Reads the conversation in a response's `input` and `instructions`; `findItem` finds the items that it only refers to. Throws OpenAiError if
 * it is invalid.
 */
export function readInput(
  input: string | readonly unknown[],
  instructions: string | null | undefined,
  findItem: (id: string) => Fields | null,
): ClientConversation {
  const conversation: ClientConversation = {
    instructions: [instructions ?? ''].filter((text) => text !== ''),
    entries: [],
  };
  if (typeof input === 'string') {
    conversation.entries.push({ role: 'user', text: input, files: [] });
    return conversation;
  }
  const known = new Set<string>();
  input.forEach((given, index) => {
    const param = `input[${index}]`;
    const item = fieldsOf(given);
    const { id, type = 'role' in item ? 'message' : 'item_reference' } = item;
    const found = type === 'item_reference' ? findItem(String(id)) : item;
    if (found === null) throw invalidParam(`${param}.id`, unknownItem(String(id)));
    readItem(found, param, conversation, known);
  });
  requireEntries(conversation, 'input');
  return conversation;
}

function readItem(
  item: Fields,
  param: string,
  { instructions, entries }: ClientConversation,
  known: Set<string>,
): void {
  const { type = 'message', role, content } = item;
  switch (type) {
    case 'message': {
      if (role === 'user') {
        entries.push({ role, ...readEntry(content, `${param}.content`) });
        break;
      }
      const text = readMessageContent(content, `${param}.content`);
      if (role === 'system' || role === 'developer') {
        if (text !== '') instructions.push(text);
      } else if (role === 'assistant')
        assistantOf(entries, ({ text: before, calls }) => before === '' && calls.length === 0).text = text;
      else throw invalidParam(`${param}.role`, `"${param}.role" must be one of ${ROLES}.`);
      break;
    }
    case 'function_call':
    case 'custom_tool_call': {
      const { call_id: id, name, namespace, input: text } = item;
      const input = typeof text === 'string' ? customArguments(text) : item['arguments'];
      if (typeof id !== 'string' || typeof name !== 'string' || typeof input !== 'string') {
        throw invalidParam(param, `"${param}" must have a "call_id", a "name" and "arguments" or "input".`);
      }
      known.add(id);
      assistantOf(entries).calls.push({ id, name: flatName(name, namespace), input });
      break;
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const { call_id: callId, output } = item;
      if (typeof callId !== 'string' || !known.has(callId)) {
        throw invalidParam(`${param}.call_id`, NO_CALL);
      }
      entries.push({ role: 'tool', callId, ...readEntry(output, `${param}.output`) });
      break;
    }
    // What another agent of the client reports.
    case 'agent_message':
      entries.push({ role: 'user', ...readEntry(content, `${param}.content`) });
      break;
    case 'reasoning': {
      const thought = readThought(content, item['summary']);
      // It is the first item of a reply.
      if (thought !== undefined) entries.push({ role: 'assistant', text: '', calls: [], thought });
      break;
    }
    default:
      // What tools hosted by OpenAI did, in a conversation that began there.
      if (OF_HOSTED_TOOLS.test(String(type))) break;
      throw invalidParam(
        `${param}.type`,
        `Items of the type "${String(type)}" are not supported; send ${TYPES}.`,
      );
  }
}

const ROLES = '"system", "developer", "user" and "assistant"';
const TYPES =
  '"message", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "item_reference" or "reasoning"';
const OF_HOSTED_TOOLS = /_call(?:_output)?$|^mcp_|^tool_search_|^configuration_update$/;
const NO_CALL =
  'The output of a call answers it: its "call_id" must be that of a "function_call" or "custom_tool_call" before it.';
const unknownItem = (id: string): string =>
  `There is no item “${id}”: Parley knows those of recent responses, unless "store" was false. Send the item itself.`;

type Assistant = Entry & { role: 'assistant' };

/** The assistant's message that an item belongs to: the one just before it if that `fits`, else a new one. */
function assistantOf(entries: Entry[], fits: (last: Assistant) => boolean = () => true): Assistant {
  const last = entries.at(-1);
  if (last?.role === 'assistant' && fits(last)) return last;
  const message = { role: 'assistant' as const, text: '', calls: [] };
  entries.push(message);
  return message;
}
