/**
 * Asking a connected model, with patience. Until the first piece of an answer nothing has been told to anybody, so a
 * request that failed for what may pass is made again; after it, whatever goes wrong ends the answer, and what had come
 * is kept. Both waits end by time-outs. Every way it can fail comes out as a ModelError.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { maskOf } from '../connections/credentials.ts';
import type { LoadedModel } from '../connections/providers/provider.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { FaultError, readFault } from './model-fault.ts';
import { toModelError } from './model-fault-words.ts';
import type { Patience } from './patience.ts';
import { requestTokens } from './request-size.ts';
import { withoutTools } from './without-tools.ts';

type Part = LanguageModelV4StreamPart;

/** One connection's model, and how it is to be treated. */
export interface PatientModel {
  access: ModelAccess;
  patience: Patience;
  load: () => Promise<LoadedModel>;
  /** An error that its server reported within the answer that is being read; null: none. It says more than the libraries do. */
  report: { error: unknown } | null;
  /** The model can't use tools; found out once, and kept for the turn. */
  takesNoTools: boolean;
}

/** An answer that has begun. */
interface Begun {
  reader: ReadableStreamDefaultReader<Part>;
  /** What came so far, the first piece last. */
  parts: Part[];
  /** Ends the request, on the wire too. */
  controller: AbortController;
  /** Lets go of the turn's signal. */
  release: () => void;
}

/** After an error a server may still say what was used; that is waited for so long. */
const LAST_WORDS_MS = 500;

/**
 * The model's answer as a stream: requests are made until one succeeds, or there is no use in another. Rejects with a ModelError
 * when there is no answer, or with the reason of the signal.
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

/** What is known of a fault: what the server itself reported, or else what the libraries made of it. */
const toldBy = ({ report }: PatientModel, error: unknown): unknown =>
  report === null ? error : report.error;

/** How long the first piece of an answer may take, in milliseconds. */
const patienceFor = ({ patience, access }: PatientModel, options: LanguageModelV4CallOptions): number =>
  patience.firstTokenMs + patience.readingMs(access.provider, requestTokens(options));

/** Makes one request and waits for the first piece of its answer. */
async function begin(model: PatientModel, options: LanguageModelV4CallOptions): Promise<Begun> {
  const controller = new AbortController();
  const { abortSignal } = options;
  const leave = (): void => controller.abort(abortSignal?.reason);
  const release = (): void => abortSignal?.removeEventListener('abort', leave);
  abortSignal?.addEventListener('abort', leave, { once: true });
  const late = (): void => controller.abort(new FaultError('no_first_token'));
  const timer = setTimeout(late, patienceFor(model, options));
  model.report = null;
  try {
    const inner = await model.load();
    const { stream } = await inner.doStream({ ...options, abortSignal: controller.signal });
    const reader = stream.getReader();
    const parts: Part[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done || isCutOff(value) || (value.type === 'finish' && isReported(model)))
        throw new FaultError('broke_off');
      if (value.type === 'error') throw value.error;
      parts.push(value);
      if (isPiece(value)) return { reader, parts, controller, release };
    }
  } catch (error) {
    release();
    const reason: unknown = controller.signal.aborted ? controller.signal.reason : toldBy(model, error);
    controller.abort();
    throw reason;
  } finally {
    clearTimeout(timer);
  }
}

/** The rest of an answer, after what has come of it. */
function follow(model: PatientModel, begun: Begun, tries: number): ReadableStream<Part> {
  const { reader, parts, controller, release } = begun;
  const { access, patience } = model;
  let error: unknown;
  let hasFailed = false;

  /** The next part; null when there is none any more. */
  const next = async (): Promise<Part | null> => {
    const waitMs = hasFailed ? LAST_WORDS_MS : patience.idleMs;
    const timer = setTimeout(() => controller.abort(new FaultError('silent')), waitMs);
    try {
      const { done, value } = await reader.read();
      if (!done) return value;
      fail(new FaultError('broke_off'));
    } catch (cause) {
      fail(controller.signal.aborted ? controller.signal.reason : cause);
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
    release();
    if (hasFailed) {
      const fault = readFault(toldBy(model, error), maskOf(access));
      const { firstTokenMs } = patience;
      out.enqueue({
        type: 'error',
        error: toModelError(fault, { access, patience, tries, isMidway: true, firstTokenMs }),
      });
    }
    if (last !== null) out.enqueue(last);
    out.close();
    // Whatever is left is of no use to anybody.
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
      cancel(reason) {
        release();
        controller.abort(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Whether a part is something of the answer itself, or its end. */
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

/** Whether an answer ended without the server having said so: the connection was closed in good order, but too early. */
function isCutOff(part: Part): boolean {
  if (part.type !== 'finish') return false;
  const { unified, raw } = part.finishReason;
  return (unified === 'interrupted' || unified === 'other') && raw === undefined;
}
