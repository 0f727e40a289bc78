/** Formats replies as responses: an object with a list of items, and the events of its stream. */
import type { OpenAiError } from '../../plugins/openai-error.ts';
import type { Answered, Progress, StreamFormat, ResponseSoFar } from './answering.ts';
import { createItems, type ResponseEvent } from './response-items.ts';
import type { OutputItem, ResponseObject } from './schemas.ts';
import { createPieces } from './text-pieces.ts';

/** What a response repeats of its request, such as `temperature`. */
export type ResponseEcho = Pick<ResponseObject, 'model' | 'background'> & Readonly<Record<string, unknown>>;

/** The part of a response that is known before the reply. */
export interface ResponseHead {
  id: string;
  /** In seconds since 1970. */
  createdAt: number;
  isKept: boolean;
  previousId: string | null;
  echo: ResponseEcho;
}

/** The state of a response. */
export type ResponseStanding = Pick<ResponseObject, 'status'> &
  Partial<Pick<ResponseObject, 'output' | 'error' | 'incomplete_details' | 'usage'>>;

/** The response in that state. */
export const toResponse = (head: ResponseHead, standing: ResponseStanding): ResponseObject => ({
  ...DEFAULTS,
  ...head.echo,
  id: head.id,
  object: 'response',
  created_at: head.createdAt,
  store: head.isKept,
  previous_response_id: head.previousId,
  output: [],
  error: null,
  incomplete_details: null,
  usage: null,
  ...standing,
});

/** Fields that clients expect. */
const DEFAULTS = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
};

/** The state of a complete response with these items. */
export const answeredStanding = (answered: Answered, output: OutputItem[]): ResponseStanding => ({
  ...endOf(answered),
  output,
  usage: usageOf(answered),
});

function endOf({ stopReason, isRefusal }: Answered): Pick<ResponseStanding, 'status' | 'incomplete_details'> {
  const isFiltered = stopReason === 'content_filter' && !isRefusal;
  const isCut = stopReason === 'length' || stopReason === 'step_limit';
  if (!isFiltered && !isCut) return { status: 'completed', incomplete_details: null };
  return {
    status: 'incomplete',
    incomplete_details: { reason: isFiltered ? 'content_filter' : 'max_output_tokens' },
  };
}

/** 0 if the model reports nothing. */
const usageOf = ({
  usage: { inputTokens = 0, outputTokens = 0 },
  counts,
}: Answered): ResponseObject['usage'] => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: counts?.cachedTokens ?? 0 },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: counts?.reasoningTokens ?? 0 },
  total_tokens: inputTokens + outputTokens,
});

/** The output of the response with that id. */
export function outputOf(responseId: string, written: ResponseSoFar): OutputItem[] {
  const items = createItems(responseId);
  items.add({ ...written, calls: written.calls.map((call, index) => ({ ...call, index, isNew: true })) });
  items.close();
  return items.output;
}

/** A complete response. */
export const toAnsweredResponse = (head: ResponseHead, answered: Answered): ResponseObject =>
  toResponse(head, answeredStanding(answered, outputOf(head.id, answered)));

/**
 * The format of a stream; only events with numbers above `after` are sent, and `onEnd` is called with the complete response. Every stream of a stored response has the same
 * events: text is cut at the same positions, and reasoning, which may come between pieces of text, is sent at the end.
 */
export function createResponseStream(
  head: ResponseHead,
  { after = -1, onEnd }: { after?: number; onEnd?: (response: ResponseObject) => void } = {},
): StreamFormat {
  const items = createItems(head.id);
  const piecesOf = createPieces();
  let next = 0;
  const report = (events: ResponseEvent[]): string =>
    events
      .map(({ type, ...fields }) => {
        const data = { type, sequence_number: next, ...fields };
        next += 1;
        return data.sequence_number > after ? `event: ${type}\ndata: ${JSON.stringify(data)}\n\n` : '';
      })
      .join('');
  const about = (type: string, standing: ResponseStanding): ResponseEvent => ({
    type: `response.${type}`,
    response: toResponse(head, standing),
  });
  let thoughts = '';
  function add(progress: Progress, isEnd = false): ResponseEvent[] {
    if (!head.isKept) return items.add(progress);
    thoughts += progress.reasoning;
    const pieces = piecesOf(progress.text, isEnd).map((text) => ({ ...NOTHING, text }));
    if (isEnd) pieces.push({ ...NOTHING, reasoning: thoughts });
    return pieces.flatMap((piece) => items.add(piece));
  }
  const close = (): ResponseEvent[] => [...add(NOTHING, true), ...items.close()];
  return {
    begin: () => report([about('created', BEGUN), about('in_progress', BEGUN)]),
    more: (progress) => report(add(progress)),
    end(answered) {
      const closing = close();
      const standing = answeredStanding(answered, items.output);
      onEnd?.(toResponse(head, standing));
      return report([...closing, about(standing.status, standing)]);
    },
    fail(error) {
      const closing = close();
      return report([...closing, about('failed', failedStanding(error, items.output))]);
    },
  };
}

const NOTHING: Progress = { text: '', reasoning: '', calls: [] };
const BEGUN: ResponseStanding = { status: 'in_progress' };

/** The state of a failed response. */
export const failedStanding = (
  { code, message }: Pick<OpenAiError, 'code' | 'message'>,
  output: OutputItem[],
): ResponseStanding => ({
  status: 'failed',
  error: { code, message },
  output,
});
