/**
 * Asks a connected model, with retries. Before the first piece of an answer nobody has seen anything, so a request that
 * failed for a temporary reason is repeated; after it, any error ends the answer, and what had arrived is kept. Both
 * waits have time-outs. Every failure becomes a ModelError.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { maskOf } from '../connections/credentials.ts';
import type { LoadedModel } from '../connections/providers/provider.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { FaultError, readFault } from './model-fault.ts';
import { toModelError } from './model-fault-words.ts';
import type { Patience } from './patience.ts';
import { requestTokens } from './request-size.ts';

type Part = LanguageModelV4StreamPart;

/** One connection's model, with its settings. */
export interface PatientModel {
  access: ModelAccess;
  patience: Patience;
  load: () => Promise<LoadedModel>;
  /** An error that the server reported within the answer being read; null: none. It says more than the libraries do. */
  report: { error: unknown } | null;
  /** The model can't use tools; detected once and remembered for the turn. */
  takesNoTools: boolean;
}

/** An answer that has started. */
interface Begun {
  reader: ReadableStreamDefaultReader<Part>;
  /** The parts so far; the last is the first piece. */
  parts: Part[];
  /** Ends the request, at the server too. */
  controller: AbortController;
  /** Fires when the request ends early, also with the turn. */
  signal: AbortSignal;
}

/** How long to wait after an error, since a server may still report the usage. */
const LAST_WORDS_MS = 500;

/**
 * The model's answer as a stream: requests are repeated until one succeeds or another would be pointless. Rejects with
 * a ModelError when there is no answer, or with the reason of the signal.
 */
export async function streamPatiently(
  model: PatientModel,
  options: LanguageModelV4CallOptions,
): Promise<ReadableStream<Part>> {
  const { patience, access } = model;
  const startedAt = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      const begun = await begin(model, model.takesNoTools ? withoutTools(options) : options);
      return follow(model, begun, tries);
    } catch (error) {
      options.abortSignal?.throwIfAborted();
      const fault = readFault(error, maskOf(access));
      if (fault.kind === 'no_tools' && !model.takesNoTools && (options.tools?.length ?? 0) > 0) {
        model.takesNoTools = true;
        tries -= 1;
        continue;
      }
      const waitMs = Math.max(fault.waitMs ?? 0, patience.pauseMs * 2 ** (tries - 1));
      const isTooLate = performance.now() - startedAt + waitMs > patience.retryMs;
      if (!fault.canPass || tries >= patience.tries || isTooLate) {
        const firstTokenMs = patienceFor(model, options);
        throw toModelError(fault, { access, patience, tries, isMidway: false, firstTokenMs });
      }
      await pause(waitMs, undefined, options.abortSignal && { signal: options.abortSignal });
    }
  }
}

const isReported = ({ report }: PatientModel): boolean => report !== null;

/** The error that the server itself reported, or else the one from the libraries. */
const reportedBy = ({ report }: PatientModel, error: unknown): unknown =>
  report === null ? error : report.error;

/** How long the first piece of an answer may take, in milliseconds. */
const patienceFor = ({ patience, access }: PatientModel, options: LanguageModelV4CallOptions): number =>
  patience.firstTokenMs + patience.readingMs(access.provider, requestTokens(options));

/** Makes one request and waits for the first piece of its answer. */
async function begin(model: PatientModel, options: LanguageModelV4CallOptions): Promise<Begun> {
  const controller = new AbortController();
  const { abortSignal } = options;
  const signal = AbortSignal.any([controller.signal, ...(abortSignal ? [abortSignal] : [])]);
  const late = (): void => controller.abort(new FaultError('no_first_token'));
  const timer = setTimeout(late, patienceFor(model, options));
  model.report = null;
  try {
    const inner = await model.load();
    const { stream } = await inner.doStream({ ...options, abortSignal: signal });
    const reader = stream.getReader();
    const parts: Part[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done || isCutOff(value) || (value.type === 'finish' && isReported(model)))
        throw new FaultError('broke_off');
      if (value.type === 'error') throw value.error;
      parts.push(value);
      if (isPiece(value)) return { reader, parts, controller, signal };
    }
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : reportedBy(model, error);
    controller.abort();
    throw reason;
  } finally {
    clearTimeout(timer);
  }
}

/** The answer as a stream: the parts so far, then the rest. */
function follow(model: PatientModel, begun: Begun, tries: number): ReadableStream<Part> {
  const { reader, parts, controller, signal } = begun;
  const { access, patience } = model;
  let error: unknown;
  let hasFailed = false;

  /** The next part; null at the end. */
  const next = async (): Promise<Part | null> => {
    const waitMs = hasFailed ? LAST_WORDS_MS : patience.idleMs;
    const timer = setTimeout(() => controller.abort(new FaultError('silent')), waitMs);
    try {
      const { done, value } = await reader.read();
      if (!done) return value;
      fail(new FaultError('broke_off'));
    } catch (cause) {
      fail(signal.aborted ? signal.reason : cause);
    } finally {
      clearTimeout(timer);
    }
    return null;
  };
  const fail = (cause: unknown): void => {
    if (!hasFailed) error = cause;
    hasFailed = true;
  };
  const end = (out: ReadableStreamDefaultController<Part>, last: Part | null): void => {
    if (hasFailed) {
      const fault = readFault(reportedBy(model, error), maskOf(access));
      const { firstTokenMs } = patience;
      out.enqueue({
        type: 'error',
        error: toModelError(fault, { access, patience, tries, isMidway: true, firstTokenMs }),
      });
    }
    if (last !== null) out.enqueue(last);
    out.close();
    // The rest is of no use to anybody.
    controller.abort();
  };

  return new ReadableStream<Part>(
    {
      async pull(out) {
        for (;;) {
          const part = parts.shift() ?? (await next());
          if (part === null) {
            end(out, null);
            return;
          }
          if (part.type === 'error') fail(part.error);
          else if (part.type === 'finish') {
            if (isCutOff(part) || isReported(model)) fail(new FaultError('broke_off'));
            end(out, part);
            return;
          } else if (!hasFailed) {
            out.enqueue(part);
            return;
          }
        }
      },
      cancel: (reason) => controller.abort(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Whether a part is content of the answer, or its end. */
const isPiece = (part: Part): boolean =>
  part.type === 'text-delta' || part.type === 'reasoning-delta'
    ? part.delta !== ''
    : !OPENINGS.has(part.type);

const OPENINGS: ReadonlySet<Part['type']> = new Set([
  'stream-start',
  'response-metadata',
  'text-start',
  'text-end',
  'reasoning-start',
  'reasoning-end',
  'raw',
  'custom',
]);

/** Whether an answer ended without the server saying so: the connection was closed properly, but too early. */
function isCutOff(part: Part): boolean {
  if (part.type !== 'finish') return false;
  const { unified, raw } = part.finishReason;
  return (unified === 'interrupted' || unified === 'other') && raw === undefined;
}

/** The same call for a model that can't use tools: no tools are offered, and earlier calls and results are left out. */
function withoutTools(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const without = { ...options, prompt: options.prompt.flatMap(withoutCalls) };
  delete without.tools;
  delete without.toolChoice;
  return without;
}

function withoutCalls(message: LanguageModelV4Prompt[number]): LanguageModelV4Prompt {
  if (message.role === 'tool') return [];
  if (message.role !== 'assistant') return [message];
  const content = message.content.filter(({ type }) => type !== 'tool-call' && type !== 'tool-result');
  return content.length === 0 ? [] : [{ ...message, content }];
}
