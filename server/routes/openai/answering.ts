/** A response while it is being written, from any source, and how it is streamed. */
import type { FastifyReply } from 'fastify';
import type { TokenDetails } from '../../agents/turn.ts';
import type { StopReason, Usage } from '../../../shared/api/message.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { toAppError, type OnError } from '../../plugins/error-handler.ts';
import { OpenAiError, openAiErrorOf } from '../../plugins/openai-error.ts';
import { sendText, STREAM_HEADERS } from '../transfer.ts';
import type { ClientCall, ClientName } from './tools.ts';

/** All of a response so far. It only ever grows, unless its text turns out to be reasoning. */
export interface ResponseSoFar {
  text: string;
  reasoning: string;
  calls: readonly ClientCall[];
  /** The text is a refusal. */
  isRefusal?: true;
}

/** A complete response. */
export interface Answered extends ResponseSoFar {
  usage: Usage;
  stopReason: StopReason | null;
  /** Absent: an agent or chat answered. */
  counts?: TokenDetails | undefined;
}

/** A response that is being written. */
export type Answering = ReturnType<typeof startAnswering>;

/** What was added since the last call. */
export interface Progress {
  text: string;
  reasoning: string;
  calls: CallProgress[];
  isRefusal?: true;
}

/** What was added to a call. */
export interface CallProgress extends ClientName {
  /** Its number in the response. */
  index: number;
  id: string;
  isNew: boolean;
  input: string;
}

/** Formats a response as it grows. Each method returns the text to send next. */
export interface StreamFormat {
  begin(): string;
  more(progress: Progress): string;
  /** Everything has been sent. */
  end(answered: Answered): string;
  fail(error: OpenAiError): string;
}

const NOTHING: ResponseSoFar = { text: '', reasoning: '', calls: [] };

/** Whether nothing has been written, or added. */
export const isEmptyResponse = ({ text, reasoning, calls }: ResponseSoFar | Progress): boolean =>
  text === '' && reasoning === '' && calls.length === 0;

/** How often a stream sends a comment, which clients ignore, while there is nothing else to send. */
const KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVE = ': keep-alive\n\n';

/** Starts `run`, which reports all that it has written whenever there is more. */
export function startAnswering(run: (onWritten: (written: ResponseSoFar) => void) => Promise<Answered>) {
  let written = NOTHING;
  let isOver = false;
  let change = Promise.withResolvers<undefined>();
  const note = (): void => {
    change.resolve(undefined);
    change = Promise.withResolvers();
  };
  const end = run((all) => {
    written = all;
    note();
  }).finally(() => {
    isOver = true;
    note();
  });
  // A rejection is for those who wait for it; there may be none.
  end.catch(() => undefined);
  return {
    get written(): ResponseSoFar {
      return written;
    },
    get isOver(): boolean {
      return isOver;
    },
    /** Resolves with true when there is more or it is over, with false after so many milliseconds. */
    async more(patienceMs: number): Promise<boolean> {
      const awaited = change;
      await withTimeout(patienceMs, awaited.promise);
      return change !== awaited;
    },
    /** The complete response; rejects with what went wrong. */
    end,
  };
}

/** The part of a call's arguments that is final: another form, or the end, may still be repaired once they are whole. */
const settled = ({ input, isCustom }: ClientCall): string => {
  if (isCustom === true) return input;
  if (!/^\{\s*"/.test(input)) return '';
  const breakAt = input.search(/[\n\r\t]/);
  let end = breakAt === -1 ? input.length : breakAt;
  while (/[\s,}\]]/.test(input.charAt(end - 1))) end -= 1;
  return input.slice(0, end);
};

/** Returns what was added since the previous call; with the last one, all is complete. */
function createProgress(): (written: ResponseSoFar, isWhole?: boolean) => Progress {
  const sent = { text: 0, start: '', reasoning: 0, inputs: [] as string[] };
  return ({ text, reasoning, calls, isRefusal }, isWhole = false) => {
    // What was text turned out to be reasoning: the text begins anew.
    if (text.length < sent.text || !text.startsWith(sent.start)) sent.text = 0;
    sent.start = text.slice(0, 100);
    const progress: Progress = {
      text: text.slice(sent.text),
      reasoning: reasoning.slice(sent.reasoning),
      ...(isRefusal && { isRefusal }),
      calls: calls.flatMap((call, index) => {
        const before = sent.inputs[index];
        const input = isWhole ? call.input : settled(call);
        sent.inputs[index] = input;
        const added = input.slice(before?.length);
        const isNew = before === undefined;
        return isNew || added !== '' ? [{ ...call, index, isNew, input: added }] : [];
      }),
    };
    sent.text = text.length;
    sent.reasoning = reasoning.length;
    return progress;
  };
}

/** What went wrong, in the format; internal errors are reported. */
function toOpenAiError(thrown: unknown, onFault: (error: unknown) => void): OpenAiError {
  if (thrown instanceof OpenAiError) return thrown;
  const error = toAppError(thrown);
  if (error.code === 'internal_error') onFault(error.cause ?? error);
  return openAiErrorOf(error);
}

/**
 * Streams a response. An error before there is any of it is an error response with its own status; after that, it ends
 * the stream. `beginsAtOnce`: errors always come in the stream.
 */
export async function sendAnswer(
  reply: FastifyReply,
  answering: Answering,
  format: StreamFormat,
  onError: OnError,
  beginsAtOnce = false,
): Promise<FastifyReply> {
  while (!beginsAtOnce && !answering.isOver && !(await answering.more(KEEP_ALIVE_MS))) continue;
  if (!beginsAtOnce && answering.isOver && isEmptyResponse(answering.written)) await answering.end;
  return sendText(
    reply.headers(STREAM_HEADERS),
    stream(answering, format, (error) => onError(error, reply.request.id)),
  );
}

async function* stream(
  answering: Answering,
  format: StreamFormat,
  onFault: (error: unknown) => void,
): AsyncGenerator<string> {
  const progressOf = createProgress();
  const report = (written: ResponseSoFar, isWhole = false): string => {
    const progress = progressOf(written, isWhole);
    return isEmptyResponse(progress) ? '' : format.more(progress);
  };
  yield format.begin();
  try {
    while (!answering.isOver) {
      const text = report(answering.written);
      if (text !== '') yield text;
      else if (!(await answering.more(KEEP_ALIVE_MS))) yield KEEP_ALIVE;
    }
    const answered = await answering.end;
    const rest = report(answered, true);
    if (rest !== '') yield rest;
    yield format.end(answered);
  } catch (error) {
    // Everything before the error is sent first.
    yield report(answering.written, true) + format.fail(toOpenAiError(error, onFault));
  }
}
