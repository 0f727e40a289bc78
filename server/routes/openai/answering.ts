/** An answer while it is being written, from any source, and sending it as a stream. */
import type { FastifyReply } from 'fastify';
import type { Usage } from '../../../shared/api/message.ts';
import { toAppError, type OnError } from '../../plugins/error-handler.ts';
import { OpenAiError, openAiErrorOf } from '../../plugins/openai-error.ts';
import { sendText } from '../transfer.ts';
import type { ClientCall } from './conversation.ts';

/** All that has been written of an answer; it only ever grows. */
export interface Written {
  text: string;
  reasoning: string;
  calls: readonly ClientCall[];
}

/** A whole answer. */
export interface Answered extends Written {
  usage: Usage;
  /** A limit cut it off. */
  isCut: boolean;
}

/** An answer that is being written. */
export interface Answering {
  readonly written: Written;
  readonly isOver: boolean;
  /** Resolves when more has been written or it is over: true; or after so many milliseconds: false. */
  more(patienceMs: number): Promise<boolean>;
  /** The whole answer; rejects with what went wrong. */
  readonly end: Promise<Answered>;
}

/** What has been written since the last look. */
export interface Progress {
  text: string;
  reasoning: string;
  calls: CallProgress[];
}

/** What has come of a call. */
export interface CallProgress {
  /** Which of the answer's calls it is. */
  index: number;
  id: string;
  name: string;
  isNew: boolean;
  input: string;
}

/** Puts an answer into a format as it comes. Each method gives the text that goes out next. */
export interface StreamFormat {
  begin(): string;
  more(progress: Progress): string;
  /** All of it has been told. */
  end(answered: Answered): string;
  fail(error: OpenAiError): string;
}

const NOTHING: Written = { text: '', reasoning: '', calls: [] };
/** A stream says so often that it is still there, in a comment, which clients pass over. */
const KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVE = ': keep-alive\n\n';
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Has `run` write an answer; it tells all that there is whenever there is more. */
export function startAnswering(run: (onWritten: (written: Written) => void) => Promise<Answered>): Answering {
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
  // Whoever waits for it hears of it; nobody may.
  end.catch(() => undefined);
  return {
    get written() {
      return written;
    },
    get isOver() {
      return isOver;
    },
    async more(patienceMs) {
      const { promise: late, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(false), patienceMs);
      try {
        return await Promise.race([change.promise.then(() => true), late]);
      } finally {
        clearTimeout(timer);
      }
    },
    end,
  };
}

/** Tells what has been written since the call before. */
export function createProgress(): (written: Written) => Progress {
  const told = { text: 0, reasoning: 0, inputs: [] as number[] };
  return ({ text, reasoning, calls }) => {
    const progress: Progress = {
      text: text.slice(told.text),
      reasoning: reasoning.slice(told.reasoning),
      calls: calls.flatMap(({ id, name, input }, index) => {
        const before = told.inputs[index];
        told.inputs[index] = input.length;
        const added = input.slice(before ?? 0);
        const isNew = before === undefined;
        return isNew || added !== '' ? [{ index, id, name, isNew, input: added }] : [];
      }),
    };
    told.text = text.length;
    told.reasoning = reasoning.length;
    return progress;
  };
}

/** What went wrong, as clients of the format are told; faults of ours are reported. */
function toOpenAiError(thrown: unknown, onFault: (error: unknown) => void): OpenAiError {
  if (thrown instanceof OpenAiError) return thrown;
  const error = toAppError(thrown);
  if (error.code === 'internal_error') onFault(error.cause ?? error);
  return openAiErrorOf(error);
}

/**
 * Sends an answer as it comes. What goes wrong before anything of it has is an answer of its own, with a status; afterwards the
 * stream ends with it. `beginsAtOnce`: all of it comes in the stream.
 */
export async function sendAnswer(
  reply: FastifyReply,
  answering: Answering,
  format: StreamFormat,
  onError: OnError,
  beginsAtOnce = false,
): Promise<FastifyReply> {
  while (!beginsAtOnce && !answering.isOver && !(await answering.more(KEEP_ALIVE_MS))) continue;
  if (!beginsAtOnce && answering.isOver) await answering.end;
  return sendText(
    reply.headers(HEADERS),
    stream(answering, format, (error) => onError(error, reply.request.id)),
  );
}

async function* stream(
  answering: Answering,
  format: StreamFormat,
  onFault: (error: unknown) => void,
): AsyncGenerator<string> {
  const progressOf = createProgress();
  const tell = (written: Written): string => {
    const progress = progressOf(written);
    const { text, reasoning, calls } = progress;
    return text === '' && reasoning === '' && calls.length === 0 ? '' : format.more(progress);
  };
  yield format.begin();
  try {
    while (!answering.isOver) {
      const text = tell(answering.written);
      if (text !== '') yield text;
      else if (!(await answering.more(KEEP_ALIVE_MS))) yield KEEP_ALIVE;
    }
    const answered = await answering.end;
    const rest = tell(answered);
    if (rest !== '') yield rest;
    yield format.end(answered);
  } catch (error) {
    // What came before it is told whole.
    yield tell(answering.written) + format.fail(toOpenAiError(error, onFault));
  }
}
