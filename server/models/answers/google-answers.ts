import { booleanOf, fieldsOf, isObject, textOf, type Fields } from '../../lib/fields.ts';
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

const REASONS: Readonly<Record<Reason, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  filter: 'SAFETY',
  calls: 'STOP',
};
const COUNTS = [
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'cachedContentTokenCount',
  'toolUsePromptTokenCount',
  'totalTokenCount',
] as const;

/** Google's generateContent. */
export function createGoogleFormat(): AnswerFormat {
  let usage: Record<string, number> = {};

  return {
    isLines: false,
    read(event) {
      const [candidate] = recordsIn(event['candidates']);
      const counts = numbersIn(event['usageMetadata'], COUNTS);
      usage = { ...usage, ...counts };
      const blocked = endWordOf(fieldsOf(event['promptFeedback'])['blockReason']);
      if (blocked !== null) return { events: [], word: 'blocked' };
      if (candidate === undefined) return Object.keys(counts).length > 0 ? { events: [] } : null;
      const parts = recordsIn(fieldsOf(candidate['content'])['parts']).flatMap(partOf);
      const responseId = idOf(event['responseId']);
      const events = [{ ...(responseId !== null && { responseId }), candidates: [{ content: { parts } }] }];
      const word = endWordOf(candidate['finishReason']);
      const details = textOf(candidate['finishMessage']);
      return word === 'OTHER'
        ? { events, word: 'error', details: details ?? word }
        : { events, word, details };
    },
    close: (reason) => [
      { candidates: [{ content: { parts: [] }, finishReason: REASONS[reason] }], usageMetadata: usage },
    ],
  };
}

/** A part of the kinds that Parley uses. */
function partOf(part: Fields): object[] {
  const signature = textOf(part['thoughtSignature']);
  const signed = signature !== null && { thoughtSignature: signature };
  const { name, args, id } = fieldsOf(part['functionCall']);
  const [tool, callId] = [toolNameOf(name), idOf(id)];
  if (tool !== null) {
    // The library takes text as it is, and would write numbers in its own way.
    const call = { name: tool, args: argumentsText(args) ?? '{}', ...(callId !== null && { id: callId }) };
    return [{ functionCall: call, ...signed }];
  }
  // Pictures that it thinks with are no part of the reply.
  const isThought = booleanOf(part['thought']) === true;
  const isFile = !isThought && isObject(part['inlineData'] ?? part['fileData']);
  const text = isFile ? FILE_NOTE : typeof part['text'] === 'string' ? part['text'] : null;
  if (text === null) return [];
  return [{ text, ...(isThought && { thought: true }), ...signed }];
}
