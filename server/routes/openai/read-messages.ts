import { fieldsOf } from '../../lib/fields.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import {
  readMessageContent,
  readEntry,
  readThought,
  requireEntries,
  type ClientConversation,
} from './conversation.ts';
import { argumentsText } from '../../models/answers/answer-format.ts';
import { customArguments, type ClientCall } from './tools.ts';

/** Reads the conversation in a chat completion's `messages`. Throws OpenAiError if it is invalid. */
export function readMessages(messages: readonly unknown[]): ClientConversation {
  const conversation: ClientConversation = { instructions: [], entries: [] };
  const known = new Set<string>();
  messages.forEach((message, index) => {
    const param = `messages[${index}]`;
    const fields = fieldsOf(message);
    const { role, content, tool_calls: calls, tool_call_id: callId } = fields;
    if (role === 'user') {
      conversation.entries.push({ role, ...readEntry(content, `${param}.content`) });
      return;
    }
    if (role === 'tool') {
      if (typeof callId !== 'string' || !known.has(callId))
        throw invalidParam(`${param}.tool_call_id`, NO_CALL);
      conversation.entries.push({ role, callId, ...readEntry(content, `${param}.content`) });
      return;
    }
    const text = readMessageContent(content ?? fields['refusal'], `${param}.content`);
    switch (role) {
      case 'system':
      case 'developer':
        if (text !== '') conversation.instructions.push(text);
        break;
      case 'assistant': {
        const read = readCalls(calls, `${param}.tool_calls`);
        for (const { id } of read) known.add(id);
        const thought = readThought(
          fields['reasoning_content'],
          fields['reasoning'],
          fields['thinking'],
          fields['reasoning_details'],
        );
        conversation.entries.push({ role, text, calls: read, ...(thought !== undefined && { thought }) });
        break;
      }
      default:
        throw invalidParam(`${param}.role`, `"${param}.role" must be one of ${ROLES}.`);
    }
  });
  requireEntries(conversation, 'messages');
  return conversation;
}

const ROLES = '"system", "developer", "user", "assistant" and "tool"';
const NO_CALL =
  'A message of the role "tool" answers a call: its "tool_call_id" must be the id of one in the "tool_calls" of a message before it.';

function readCalls(calls: unknown, param: string): ClientCall[] {
  if (calls === undefined || calls === null) return [];
  const wrong = invalidParam(
    param,
    `"${param}" must be a list of calls with an "id" and a "function" that has a "name" and "arguments".`,
  );
  if (!Array.isArray(calls)) throw wrong;
  return calls.map((call: unknown) => {
    const { id, function: called, custom } = fieldsOf(call);
    const { input: text } = fieldsOf(custom);
    const { name, arguments: given } = fieldsOf(called ?? custom);
    const written = given === '' ? '{}' : argumentsText(given ?? {});
    const input = typeof text === 'string' ? customArguments(text) : written;
    if (typeof id !== 'string' || typeof name !== 'string' || typeof input !== 'string') throw wrong;
    return { id, name, input };
  });
}
