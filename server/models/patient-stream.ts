/**
 * Asks a connected model, with retries. Before the first piece of an answer nobody has seen anything, so a request that
 * failed for a temporary reason is repeated; after it, any error ends the answer, and what had arrived is kept. Both
 * waits have time-outs. Every failure becomes a ModelError.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { factsOf } from '../../shared/providers.ts';
import { maskOf } from '../connections/credentials.ts';
import { RECORDS } from '../connections/providers/index.ts';
import type { LoadedModel } from '../connections/providers/provider.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { startAwakeTimer } from '../lib/awake-timer.ts';
import { findCalls } from './answers/calls-in-text.ts';
import { findThoughts } from './answers/thoughts-in-text.ts';
import { FaultError, readFault, type ModelFault } from './model-fault.ts';
import { describeFirstWord, describePause, toModelError } from './model-fault-words.ts';
import { pauseAfter, type Patience } from './patience.ts';
import { requestTokens } from './request-size.ts';
import type { ServerRequests } from './server-requests.ts';
import { onceASecond, reportWaiting } from './waiting.ts';

type Part = LanguageModelV4StreamPart;

/** One connection's model, with its settings. */
export interface PatientModel {
  access: ModelAccess;
  patience: Patience;
  load: () => Promise<LoadedModel>;
  /** An error that the server reported within the answer being read; null: none. It says more than the libraries do. */
  report: { error: unknown } | null;
  /** Called when anything arrives from the server; what it does depends on what is being waited for. */
  onLife: () => void;
  /** Called now and then with what is being waited for, in words; empty: nothing that is worth saying. */
  onWaiting: (what: string) => void;
  requests: ServerRequests;
}

/** An answer that has started. */
interface Begun {
  reader: ReadableStreamDefaultReader<Part>;
  /** What a part of the library's becomes. */
  toParts: (part: Part) => Part[];
  /** The parts so far; the first piece is among them. */
  parts: Part[];
  /** Ends the request, at the server too. */
  controller: AbortController;
  /** Fires when the request ends early, also with the turn. */
  signal: AbortSignal;
}

/** How long to wait after an error, since a server may still report the usage. */
const LAST_WORDS_MS = 500;

/** The model's answer, after as many requests as make sense. Rejects with a ModelError when there is none, or with the signal's reason. */
export async function streamPatiently(
  model: PatientModel,
  options: LanguageModelV4CallOptions,
): Promise<AsyncIterable<Part>> {
  const { patience, access } = model;
  const startedAt = performance.now();
  const { abortSignal } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      const begun = await begin(model, model.requests.toSend(options));
      return follow(model, begun, tries);
    } catch (error) {
      abortSignal?.throwIfAborted();
      const read = readFault(error, maskOf(access));
      if (model.requests.learn(error, read.kind, options)) {
        tries -= 1;
        continue;
      }
      const fault = withSize(read, model, options);
      const pauseMs = pauseAfter(fault, patience, { tries, elapsedMs: performance.now() - startedAt });
      if (pauseMs === null) {
        const firstTokenMs = patienceFor(model, options);
        throw toModelError(fault, { access, patience, tries, isMidway: false, firstTokenMs });
      }
      const waiting = reportWaiting(model.onWaiting, describePause(fault, pauseMs, access));
      try {
        await pause(pauseMs, undefined, abortSignal && { signal: abortSignal });
      } finally {
        waiting.stop();
      }
    }
  }
}

/**
 * A refusal that doesn't say why, of a request that takes more than half of what the model reads: that is why. Servers have many
 * words for it, and estimates may be half of what a model counts.
 */
function withSize(
  fault: ModelFault,
  { access }: PatientModel,
  options: LanguageModelV4CallOptions,
): ModelFault {
  const limit = access.contextTokens ?? RECORDS[access.provider].assumedContextTokens;
  const isLong = (share: number): boolean => requestTokens(options) > limit * share;
  return (fault.kind === 'refused' && isLong(0.5)) || (fault.kind === 'server_fault' && isLong(1))
    ? { ...fault, kind: 'too_long', canPass: false }
    : fault;
}

const isReported = ({ report }: PatientModel): boolean => report !== null;

/** The error that the server itself reported, or else the one from the libraries. */
const reportedBy = ({ report }: PatientModel, error: unknown): unknown =>
  report === null ? error : report.error;

/** How long the first piece of an answer may take, in milliseconds. */
const patienceFor = ({ patience, access }: PatientModel, options: LanguageModelV4CallOptions): number =>
  access.firstWordSeconds === undefined
    ? patience.firstTokenMs + patience.readingMs(access.provider, requestTokens(options))
    : access.firstWordSeconds * 1_000;

/** Makes one request and waits for the first piece of its answer. */
async function begin(model: PatientModel, options: LanguageModelV4CallOptions): Promise<Begun> {
  // Not the server's time: the first request loads a library.
  const inner = await model.load();
  const controller = new AbortController();
  const { abortSignal } = options;
  const { access, patience } = model;
  const signal = AbortSignal.any([controller.signal, ...(abortSignal ? [abortSignal] : [])]);
  const late = (): void => controller.abort(new FaultError('no_first_token'));
  const patienceMs = patienceFor(model, options);
  const timer = startAwakeTimer(patienceMs, late);
  const startedAt = performance.now();
  // Beyond that, the limit of turns without progress counts, too.
  const untilMs = access.firstWordSeconds === undefined ? patienceMs - patience.firstTokenMs : patienceMs;
  const waiting = reportWaiting(model.onWaiting, describeFirstWord(access, patienceMs), {
    fromMs: patience.noticeMs,
    untilMs,
  });
  const say = onceASecond(waiting.say);
  model.report = null;
  model.onLife = () => {
    if (performance.now() - startedAt > patience.longestMs) return;
    timer.refresh();
    say();
  };
  try {
    // Services know their models' marks.
    const tools = factsOf(access.provider).isService ? [] : options.tools;
    const { stream } = await inner.doStream({ ...options, abortSignal: signal });
    const reader = stream.getReader();
    const [thoughts, calls] = [findThoughts(), findCalls(tools)];
    const toParts = (part: Part): Part[] => thoughts(part).flatMap(calls);
    const parts: Part[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done || (value.type === 'finish' && isReported(model))) throw new FaultError('broke_off');
      if (value.type === 'error') throw value.error;
      const next = toParts(value);
      parts.push(...next);
      if (next.some(isPiece)) return { reader, toParts, parts, controller, signal };
    }
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : reportedBy(model, error);
    controller.abort();
    throw reason;
  } finally {
    timer.clear();
    waiting.stop();
  }
}

/** The answer: the parts so far, then the rest. */
async function* follow(model: PatientModel, begun: Begun, tries: number): AsyncGenerator<Part> {
  const { reader, toParts, parts, controller, signal } = begun;
  const { access, patience } = model;
  let failure = null as { cause: unknown } | null;
  /** No call is made before the answer is whole: of one that broke off, it may not be what the model meant. */
  const calls: Part[] = [];
  const sayAlive = onceASecond(() => model.onWaiting(''));
  const fail = (cause: unknown): void => {
    failure ??= { cause };
  };

  /** Whether more parts have come. */
  const hasMore = async (): Promise<boolean> => {
    const waitMs = failure === null ? patience.idleMs : LAST_WORDS_MS;
    const timer = startAwakeTimer(waitMs, () => controller.abort(new FaultError('silent')));
    model.onLife = () => {
      timer.refresh();
      sayAlive();
    };
    try {
      const { done, value } = await reader.read();
      if (done) fail(new FaultError('broke_off'));
      else parts.push(...toParts(value));
      return !done;
    } catch (cause) {
      fail(signal.aborted ? signal.reason : cause);
    } finally {
      timer.clear();
    }
    return false;
  };

  try {
    let part: Part | undefined;
    do {
      while ((part = parts.shift()) !== undefined && part.type !== 'finish') {
        if (part.type === 'error') fail(part.error);
        else if (part.type === 'tool-call') calls.push(part);
        else if (failure === null) yield part;
      }
    } while (part === undefined && (await hasMore()));
    if (part !== undefined && isReported(model)) fail(new FaultError('broke_off'));
    if (failure === null) yield* calls;
    else {
      const fault = readFault(reportedBy(model, failure.cause), maskOf(access));
      const { firstTokenMs } = patience;
      const error = toModelError(fault, { access, patience, tries, isMidway: true, firstTokenMs });
      yield { type: 'error', error };
    }
    if (part !== undefined) yield part;
  } finally {
    // The rest is of no use to anybody.
    controller.abort();
  }
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
