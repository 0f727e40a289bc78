/**
 * All open event streams, and when they are checked for changes. A possible change only sets a flag; one check of all streams follows, at
 * most every 30 ms, and compares (conversation-diff.ts). While no stream is open, there are no listeners.
 *
 * Rows are sent once they are on disk, as in every response. The growing text of a reply is sent at once: its row follows, and a hanging
 * disk must not hold it up.
 */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { STREAM_HEARTBEAT_MS } from '../../shared/limits.ts';
import { AppError } from '../errors.ts';
import { memoized } from '../lib/memoized.ts';
import { createSlots } from '../lib/slots.ts';
import type { Processor } from '../turns/processor.ts';
import type { Store } from '../store/types.ts';
import { readChatList, type ListStanding } from './chat-list-reading.ts';
import type { StreamEvent } from './sse.ts';
import { readChat } from './chat-reading.ts';
import { openStream, type StreamConnection } from './stream-connection.ts';
import { createStreamDiff, type CurrentState, type StreamSubject, type StreamDiff } from './stream-diff.ts';

/** A stream to open: what to send, and what the client already knows. */
interface StreamRequest extends StreamSubject {
  /** Ends the stream once it has sent the current state. */
  isOnce: boolean;
  response: ServerResponse;
  headers: Record<string, string>;
  /** The key or session that opened it. */
  holder: string;
  /** Whether that key or session is still valid. */
  isInForce: () => boolean;
}

/** The event streams of one service. */
export type EventStreams = ReturnType<typeof createEventStreams>;

interface Stream extends Pick<StreamRequest, 'isOnce' | 'isInForce'> {
  streamDiff: StreamDiff;
  connection: StreamConnection;
  /** Frees its slot. */
  release: () => void;
}

const MAX_STREAMS = 400;
/** The most per key or session, so that none keeps the others out. */
const MAX_STREAMS_OF_ONE = 100;
const RETRY_AFTER_SECONDS = 5;
/** The least time between two checks: growing text is sent about thirty times a second. */
const CHECK_INTERVAL_MS = 30;
/** … or longer, so that checking takes a small part of the service's time, however many streams there are. */
const PAUSE_PER_CHECK = 8;
const LONGEST_PAUSE_MS = 500;
/** How often to send signs of life and check for expired keys and moved queue positions; each turn moves many. */
const CARE_INTERVAL_MS = 1_000;

/** Makes the event streams of a store and its processor. */
export function createEventStreams(deps: {
  store: Store;
  processor: Pick<Processor, 'live' | 'onPendingApprovals'> & ListStanding;
  /** Called with internal errors; the affected stream ends. */
  onError: (error: unknown) => void;
  /** {@link STREAM_HEARTBEAT_MS} unless given. */
  heartbeatMs?: number;
}) {
  const { store, processor, onError, heartbeatMs = STREAM_HEARTBEAT_MS } = deps;
  const streams = new Set<Stream>();
  const room = createSlots({
    most: MAX_STREAMS,
    mostOfOne: MAX_STREAMS_OF_ONE,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    words: (ofOne) =>
      `${ofOne ? `${MAX_STREAMS_OF_ONE} event streams of this key` : `${MAX_STREAMS} event streams`} are open, which is as many as there can be; close some, or ask from time to time.`,
  });
  const grown = new Set<string>();
  const start = randomBytes(9).toString('base64url');
  let stopListening: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;
  let pausedUntil = 0;
  let isStale = false;
  let isComparing = false;
  let timesGoneBack = 0;
  let arePositionsDue = true;
  /** The store's version when positions were last read. */
  let positionsVersion = -1;
  let isClosed = false;

  function schedule(): void {
    timer ??= setTimeout(checkStreams, Math.max(0, pausedUntil - performance.now()));
  }

  function noteChange(): void {
    isStale = true;
    schedule();
  }

  function listen(): () => void {
    const endings = [
      store.onChange((change) => {
        if (change === 'went back') {
          timesGoneBack += 1;
          for (const { streamDiff } of streams) streamDiff.forget();
        }
        noteChange();
      }),
      processor.live.onGrown((chatId) => {
        grown.add(chatId);
        schedule();
      }),
      processor.onPendingApprovals(noteChange),
    ];
    const care = setInterval(() => {
      endUnauthorised();
      // Early rather than late: the next check is a whole interval away.
      for (const { connection } of streams) connection.keepAlive(heartbeatMs - CARE_INTERVAL_MS);
      if (store.version !== positionsVersion) {
        arePositionsDue = true;
        noteChange();
      }
    }, CARE_INTERVAL_MS);
    return () => {
      for (const end of endings) end();
      clearInterval(care);
      if (timer !== null) clearTimeout(timer);
      timer = null;
    };
  }

  function endUnauthorised(): void {
    for (const stream of streams) if (!stream.isInForce()) drop(stream);
  }

  function drop(stream: Stream): void {
    if (!streams.delete(stream)) return;
    stream.release();
    stream.connection.end();
    if (streams.size > 0) return;
    stopListening?.();
    stopListening = null;
  }

  function checkStreams(): void {
    timer = null;
    const startedAt = performance.now();
    endUnauthorised();
    sendGrowth();
    if (isStale && !isComparing) void compareAll();
    const now = performance.now();
    pausedUntil =
      now + Math.max(CHECK_INTERVAL_MS, Math.min((now - startedAt) * PAUSE_PER_CHECK, LONGEST_PAUSE_MS));
  }

  function sendGrowth(): void {
    for (const stream of streams) {
      const { streamDiff, connection } = stream;
      if (!grown.has(streamDiff.chatId ?? '') || connection.isBlocked) continue;
      guarded(stream, () => send(stream, streamDiff.grow()));
    }
    grown.clear();
  }

  async function compareAll(): Promise<void> {
    isComparing = true;
    isStale = false;
    let findings = compareNow();
    if (findings.length > 0) {
      const goneBack = timesGoneBack;
      await store.settled();
      // If the disk refused meanwhile, memory returned to what the disk holds, and that counts.
      if (goneBack !== timesGoneBack) findings = compareNow();
      for (const { stream, makeEvents } of findings) {
        if (streams.has(stream)) guarded(stream, () => sendFound(stream, makeEvents));
      }
    }
    isComparing = false;
    if (isStaleNow()) schedule();
  }

  // A function, since it changes during waits.
  const isStaleNow = (): boolean => isStale && streams.size > 0;

  /** Reads what streams ask for, each thing once. */
  function createReading(): CurrentState {
    const readsPositions = arePositionsDue;
    if (readsPositions) positionsVersion = store.version;
    arePositionsDue = false;
    return {
      chat: memoized((chatId) => readChat(store, chatId, processor)),
      list: memoized((workspaceId) => readChatList(store, workspaceId, processor, readsPositions)),
    };
  }

  /** What has to be sent now. A stream that is blocked is checked again when it can take more. */
  function compareNow(): { stream: Stream; makeEvents: () => StreamEvent[] }[] {
    const now = createReading();
    return [...streams].flatMap((stream) => {
      const { streamDiff, connection } = stream;
      if (connection.isBlocked) return [];
      const makeEvents = guarded(stream, () => streamDiff.compare(now));
      return makeEvents === null ? [] : [{ stream, makeEvents }];
    });
  }

  function sendFound(stream: Stream, makeEvents: () => StreamEvent[]): void {
    const { streamDiff, connection, isOnce } = stream;
    // Text of a growing reply may have blocked it; the same will then be found again.
    if (connection.isBlocked) return;
    const events = makeEvents();
    const sent = (): void => {
      if (isOnce) connection.finish();
      else if (streamDiff.isOver) drop(stream);
    };
    if (events.every((event) => typeof event === 'string')) {
      send(stream, events.join(''));
      sent();
      return;
    }
    connection.sendPieces(piecesOf(events)).then(sent, (error: unknown) => {
      onError(error);
      drop(stream);
    });
  }

  function send({ connection }: Stream, text: string): void {
    if (text !== '') connection.send(text);
  }

  /** An error in one stream ends only that one; its client reconnects. */
  function guarded<T>(stream: Stream, work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      onError(error);
      drop(stream);
      return null;
    }
  }

  /** Responds with a stream; throws AppError `too_many_requests` when there are too many, or `shutting_down`. */
  function open({ response, headers, holder, isInForce, isOnce, ...subject }: StreamRequest): void {
    if (isClosed) throw new AppError('shutting_down');
    const release = isOnce ? () => undefined : room.take(holder);
    const streamDiff = createStreamDiff(subject, start, (chatId) => processor.live.get(chatId));
    const stream: Stream = {
      isInForce,
      isOnce,
      streamDiff,
      release,
      connection: openStream(response, headers, {
        onDrain: () => {
          if (streamDiff.chatId !== null) grown.add(streamDiff.chatId);
          arePositionsDue = true;
          noteChange();
        },
        onClose: () => drop(stream),
      }),
    };
    streams.add(stream);
    stopListening ??= listen();
    arePositionsDue = true;
    noteChange();
  }

  return {
    open,
    /** Number of open streams. */
    get count(): number {
      return streams.size;
    },
    /** Ends them all at once, and opens no more. */
    close(): void {
      isClosed = true;
      for (const stream of [...streams]) drop(stream);
    },
  };
}

async function* piecesOf(events: readonly StreamEvent[]): AsyncGenerator<string> {
  for (const event of events) {
    if (typeof event === 'string') yield event;
    else {
      yield event.begin;
      yield* event.rest;
    }
  }
}
