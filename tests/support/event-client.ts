/** A client of a chat's event stream over real HTTP, with the window's own parser and reducer. */
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import {
  NOTHING_KNOWN,
  reduceConversation,
  type ConversationState,
} from '../../renderer/chats/conversation-events.ts';
import { createEventParser } from '../../renderer/api/event-stream.ts';
import type { ConversationEvent } from '../../shared/events.ts';

/** An event as it came. */
export interface ToldEvent {
  id: string;
  event: ConversationEvent;
}

/** An open stream. */
export interface OpenStream {
  readonly response: IncomingMessage;
  /** Ends the connection as a lost network does. */
  cut(): void;
  /** Resolves when the stream has ended, by whomever. */
  readonly ended: Promise<void>;
  /** Resolves when the condition holds of what is known; it is asked after each event. */
  until(condition: () => boolean): Promise<void>;
}

/** How to open a stream. */
export interface OpenOptions {
  /** Where to go on; where the last stream was cut unless given. */
  cursor?: string | null;
  /** Names the cursor as `?after=` and not in the header. */
  inQuery?: boolean;
  /** Another than the client's, as after a restart. */
  port?: number;
}

/** What a client knows of a chat. It outlives its connections. */
export interface EventClient {
  readonly state: ConversationState;
  /** Every event of every connection. */
  readonly told: ToldEvent[];
  /** The last cursor. */
  readonly cursor: string;
  /** Comments and events, as bytes. */
  readonly received: () => number;
  /** Opens a stream where the last one was cut; rejects with the answer's text when it isn't one. */
  open(options?: OpenOptions): Promise<OpenStream>;
}

/** A client for that chat, which has opened nothing yet. */
export function createEventClient(port: number, apiKey: string, chatId: string): EventClient {
  let state = NOTHING_KNOWN;
  let cursor = '';
  let received = 0;
  const told: ToldEvent[] = [];

  async function open({
    cursor: from = cursor,
    inQuery = false,
    port: portNow = port,
  }: OpenOptions = {}): Promise<OpenStream> {
    const isResumed = from !== null && from !== '';
    const query = isResumed && inQuery ? `?after=${encodeURIComponent(from)}` : '';
    const request: ClientRequest = httpRequest({
      host: '127.0.0.1',
      port: portNow,
      agent: false,
      path: `/api/v1/chats/${chatId}/events${query}`,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(isResumed && !inQuery ? { 'last-event-id': from } : {}),
      },
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', reject);
      request.end();
    });
    if (response.statusCode !== 200) {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece as Buffer);
      throw new Error(`${response.statusCode}: ${Buffer.concat(pieces).toString()}`);
    }
    const parser = createEventParser();
    const decoder = new StringDecoder('utf8');
    const waiting = new Set<{ condition: () => boolean; resolve: () => void }>();
    const settle = (): void => {
      for (const waiter of waiting) {
        if (!waiter.condition()) continue;
        waiting.delete(waiter);
        waiter.resolve();
      }
    };
    response.on('data', (bytes: Buffer) => {
      received += bytes.length;
      for (const { id, type, data } of parser.push(decoder.write(bytes))) {
        const event = { type, ...(JSON.parse(data) as object) } as ConversationEvent;
        cursor = id;
        state = reduceConversation(state, event);
        told.push({ id, event });
        settle();
      }
    });
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    const ended = new Promise<void>((resolve) => response.once('close', () => resolve()));
    return {
      response,
      ended,
      cut: () => request.destroy(),
      until: (condition) =>
        new Promise((resolve, reject) => {
          waiting.add({ condition, resolve });
          void ended.then(() => reject(new Error('The stream has ended.')));
          settle();
        }),
    };
  }

  return {
    get state() {
      return state;
    },
    get cursor() {
      return cursor;
    },
    told,
    received: () => received,
    open,
  };
}
