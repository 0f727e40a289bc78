import { fieldsOf, listOf, textOf, type Fields } from '../../lib/fields.ts';
import {
  argumentsText,
  endWordOf,
  FILE_NOTE,
  idOf,
  numbersIn,
  recordsIn,
  toolNameOf,
  type AnswerFormat,
  type Reason,
} from './answer-format.ts';
import { wrapArguments } from './repair-arguments.ts';

const REASONS: Readonly<Record<Reason, string>> = {
  stop: 'stop',
  length: 'length',
  filter: 'content_filter',
  calls: 'stop',
};

/** Ollama's own format. */
export function createOllamaFormat(): AnswerFormat {
  let counts: Record<string, number> = {};
  let head = { model: '', created_at: new Date().toISOString() };

  const line = (message: object, more: object = {}): object => ({
    ...head,
    message: { role: 'assistant', content: '', ...message },
    done: false,
    ...more,
  });

  return {
    isLines: true,
    read(event) {
      const isDone = event['done'] === true;
      const message = fieldsOf(event['message']);
      // Anthropic's first event has a message, too.
      if ('type' in event || (!isDone && Object.keys(message).length === 0)) return null;
      head = { ...head, model: textOf(event['model']) ?? head.model };
      counts = { ...counts, ...numbersIn(event, ['prompt_eval_count', 'eval_count']) };
      const thinking = textOf(message['thinking']);
      const calls = recordsIn(message['tool_calls']).flatMap(callOf);
      const part = line({
        content: (textOf(message['content']) ?? '') + (listOf(message['images'])?.length ? FILE_NOTE : ''),
        ...(thinking !== null && { thinking }),
        ...(calls.length > 0 && { tool_calls: calls }),
      });
      return isDone
        ? { events: [part], word: endWordOf(event['done_reason']), end: 'now' }
        : { events: [part] };
    },
    close: (reason) => [line({}, { done: true, done_reason: REASONS[reason], ...counts })],
  };
}

/** A call; its arguments must be an object for the library. */
function callOf(call: Fields): object[] {
  const called = fieldsOf(call['function'] ?? call);
  const [name, id] = [toolNameOf(called['name']), idOf(call['id'])];
  if (name === null) return [];
  const args = wrapArguments(argumentsText(called['arguments']) ?? '');
  return [{ function: { name, arguments: args }, ...(id !== null && { id }) }];
}
