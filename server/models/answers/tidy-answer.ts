/**
 * Stands between a server's answer and the library that reads it. The libraries expect exactly the events that they know, and take a
 * reply's end from the connection. Servers send other events too, other fields, one JSON instead of a stream, and errors in many
 * forms, and leave the connection open after the end. All of that is settled here, once for every provider.
 */
import { factsOf, PROVIDER_NAMES, type Provider } from '../../../shared/providers.ts';
import { fieldsOf, listOf } from '../../lib/fields.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { wordsIn } from '../../net/error-words.ts';
import { FaultError } from '../model-fault.ts';
import { brokenOff, endingOf, errorIn, type AnswerFormat, type Heard, type Reason } from './answer-format.ts';
import { createAnthropicFormat } from './anthropic-answers.ts';
import { createChatFormat } from './chat-answers.ts';
import { createEventReader, type AnswerEvent } from './event-reader.ts';
import { createGoogleFormat } from './google-answers.ts';
import { createOllamaFormat } from './ollama-answers.ts';

/** The format of each provider's answers. */
const FORMATS: Readonly<Record<Provider, () => AnswerFormat>> = {
  ollama: createOllamaFormat,
  openai_compatible: () => createChatFormat('field'),
  openai: () => createChatFormat('marks'),
  anthropic: createAnthropicFormat,
  google: createGoogleFormat,
  mistral: () => createChatFormat('parts'),
  azure_openai: () => createChatFormat('marks'),
};

/** What is found out while an answer is read. */
export interface AnswerListener {
  /** The server reports an error, which ends the answer: its JSON, or our own error if that can't be read. */
  onReport: (error: unknown) => void;
  /** Something arrived, if only a comment. */
  onLife: () => void;
}

/** No more is kept of a text in place of an answer. */
const MAX_TEXT_CHARACTERS = 4_000;

/** How long to wait, after the end, for the usage or for the end of the connection. */
const GRACE_MS = { soon: 2_000, now: 50 } as const;

/** The answer as the provider's library knows it. */
export function tidyAnswer(response: Response, provider: Provider, listener: AnswerListener): Response {
  const { body } = response;
  return body === null ? response : new Response(tidied(body, provider, listener), response);
}

function tidied(
  body: ReadableStream<Uint8Array>,
  provider: Provider,
  { onReport, onLife }: AnswerListener,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const events = createEventReader();
  const format: AnswerFormat = FORMATS[provider]();
  const encoder = new TextEncoder();
  let end: Heard['end'];
  let reason: Reason = 'stop';
  let report: { error: unknown } | null = null;
  /** When it is over, by `performance.now()`, once `end` is known. */
  let overAt = 0;
  let hasKnown = false;
  /** The kind of server that sends such things. */
  let otherKind: Provider | undefined;
  /** Its server said that nothing follows. */
  let isDone = false;
  /** A part of it is lost. What follows isn't passed on, but may say what it took. */
  let isDamaged = false;
  /** What came last and is no part of an answer: a JSON, or a text. If no end follows, it says why. */
  let unknown: unknown;

  /** The next bytes; null: the answer is over. */
  async function next(): Promise<Uint8Array | null> {
    const reading = reader.read().then(({ value = null }) => value);
    if (end === undefined) return reading;
    // Whatever happens to the connection, the reply is complete.
    const last = reading.catch(() => null);
    return (await withTimeout(Math.max(0, overAt - performance.now()), last)) ?? null;
  }

  function noteEnd(found: NonNullable<Heard['end']>): void {
    end = found;
    overAt = performance.now() + GRACE_MS[found];
  }

  function readEvent(event: AnswerEvent): object[] {
    if (report !== null || isDone) return [];
    switch (event.kind) {
      case 'done':
        isDone = true;
        noteEnd('now');
        return [];
      case 'damaged':
        isDamaged = true;
        noteEnd('soon');
        return [];
      case 'text':
        if (unknown === undefined || typeof unknown === 'string')
          unknown = `${unknown ?? ''}\n${event.text}`.slice(0, MAX_TEXT_CHARACTERS);
        return [];
      case 'json':
        return (listOf(event.value) ?? [event.value]).flatMap((value) => readJson(value, event));
    }
  }

  function readJson(value: unknown, { isError, isBare }: { isError: boolean; isBare: boolean }): object[] {
    if (report !== null) return [];
    const fields = fieldsOf(value);
    const reported = isError ? value : errorIn(fields);
    const heard: Heard | null =
      reported === undefined ? format.read(fields) : { events: [], error: reported };
    if (heard === null) {
      const hasWords = wordsIn(fields) !== '';
      if (isBare || hasWords) unknown = value;
      if (!hasKnown && !hasWords)
        otherKind ??= PROVIDER_NAMES.find((kind) => FORMATS[kind]().read(fields) !== null);
      return [];
    }
    hasKnown = true;
    unknown = undefined;
    const { error, word = null, details = null } = heard;
    const ending = word === null ? null : endingOf(word);
    if (error !== undefined) report = { error };
    else if (ending === 'error') report = { error: brokenOff(details ?? word ?? '') };
    else if (ending !== null) reason = ending;
    const ended = heard.end ?? (ending === null ? end : 'soon');
    if (ended !== undefined && !isDamaged) noteEnd(ended);
    return isDamaged ? [] : heard.events;
  }

  /** What came in place of the end, if it says something, or in place of the whole answer. */
  function readUnknown(): void {
    const words = wordsIn(unknown);
    const isReport = typeof unknown === 'object' && words !== '';
    if (isReport && (end === undefined || !hasKnown)) report = { error: unknown };
    else if (hasKnown) return;
    else if (otherKind) report = { error: new FaultError('other_kind', factsOf(otherKind).title) };
    else if (unknown !== undefined || isDone) report = { error: new FaultError('unreadable', words) };
  }

  const written = (event: object): string =>
    format.isLines ? `${JSON.stringify(event)}\n` : `data: ${JSON.stringify(event)}\n\n`;

  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        for (;;) {
          const bytes = await next();
          if (bytes !== null) onLife();
          const wasDamaged = isDamaged || bytes !== null;
          const found = (bytes === null ? events.end() : events.read(bytes)).flatMap(readEvent);
          const isOver = bytes === null || report !== null;
          if (isOver && report === null) {
            readUnknown();
            if (end !== undefined) found.push(...format.close(reason));
            // The connection was closed properly, but too early.
            else report ??= { error: new FaultError('broke_off') };
            // What is damaged at the very end was cut.
            if (isDamaged) report = { error: new FaultError(wasDamaged ? 'unreadable' : 'broke_off') };
          }
          if (found.length > 0) out.enqueue(encoder.encode(found.map(written).join('')));
          if (isOver) {
            if (report !== null) onReport(report.error);
            out.close();
            void reader.cancel().catch(() => undefined);
            return;
          }
          if (found.length > 0) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
