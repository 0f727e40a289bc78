/** Clients of event streams over real HTTP, with the window's parser and reducer. */
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import {
  NOTHING_KNOWN,
  reduceConversation,
  type ConversationState,
} from '../../renderer/chats/conversation-events.ts';
import type { Chat } from '../../shared/api/chat.ts';
import type { ConversationEvent, WorkspaceEvent } from '../../shared/api/event.ts';
import { apiChecks } from './api-document.ts';

/** An event as it came. */
export interface ReportedEvent<E = ConversationEvent> {
  id: string;
  event: E;
}

/** An open stream. */
export interface OpenStream {
  readonly response: IncomingMessage;
  /** Ends the connection as a lost network does. */
  cut(): void;
  /** Resolves when the stream has ended, on either side. */
  readonly ended: Promise<void>;
  /** Resolves when the condition holds for the client's state; it is checked after each event. */
  until(condition: () => boolean): Promise<void>;
}

/** How to open a stream. */
export interface OpenOptions {
  /** Where to continue; where the last stream was cut unless given. */
  cursor?: string | null;
  /** Sends the cursor as `?after=` instead of in the header. */
  inQuery?: boolean;
  /** Another than the client's, as after a restart. */
  port?: number;
}

/** A client of one stream, which outlives its connections. */
interface StreamClient<E> {
  /** Every event of every connection. */
  readonly reported: ReportedEvent<E>[];
  /** The last cursor. */
  readonly cursor: string;
  /** Comments and events, as bytes. */
  readonly received: () => number;
  /** Opens a stream where the last one was cut; rejects with the answer's text when it isn't one. */
  open(options?: OpenOptions): Promise<OpenStream>;
}

/** A client's state of a chat. */
export interface EventClient extends StreamClient<ConversationEvent> {
  readonly state: ConversationState;
}

/** A client's state of a workspace's chats and of the one it follows. */
export interface WorkspaceClient extends StreamClient<WorkspaceEvent> {
  /** Of the chat that it follows. */
  readonly state: ConversationState;
  /** By their ids; deleted ones aren't in it. */
  readonly chats: ReadonlyMap<string, Chat>;
  /** Whether the list has to be loaded. */
  readonly isStale: boolean;
  /** Takes a loaded list, and the events since then. */
  relist(list: () => Promise<Chat[]>): Promise<void>;
}

/** A client for that chat, which has opened nothing yet. */
export function createEventClient(port: number, apiKey: string, chatId: string): EventClient {
  let state = NOTHING_KNOWN;
  const client = createStreamClient<ConversationEvent>(
    port,
    apiKey,
    `/api/v1/chats/${chatId}/events`,
    (event) => {
      state = reduceConversation(state, event);
    },
  );
  return Object.defineProperty(client as EventClient, 'state', { get: () => state });
}

/** A client for the chats of the key's workspace, and one of them in full; it has opened nothing yet. */
export function createWorkspaceClient(port: number, apiKey: string, chatId?: string): WorkspaceClient {
  let state = NOTHING_KNOWN;
  let chats = new Map<string, Chat>();
  let isStale = true;
  /** Events that arrived while a list was being loaded. */
  let meanwhile: WorkspaceEvent[] = [];

  function take(event: WorkspaceEvent): void {
    meanwhile.push(event);
    if (event.type === 'relist') isStale = true;
    else if (event.type === 'chats') {
      for (const chat of event.chats) chats.set(chat.id, chat);
      for (const id of event.gone) chats.delete(id);
    } else if (event.type === 'queue') {
      for (const [id, queuePosition] of Object.entries(event.positions)) {
        const chat = chats.get(id);
        if (chat !== undefined) chats.set(id, { ...chat, queuePosition });
      }
    } else if (event.type !== 'lists') state = reduceConversation(state, event);
  }

  const path = `/api/v1/events${chatId === undefined ? '' : `?chat=${chatId}`}`;
  const client = createStreamClient<WorkspaceEvent>(port, apiKey, path, take);
  return Object.defineProperties(client as WorkspaceClient, {
    state: { get: () => state },
    chats: { get: () => chats },
    isStale: { get: () => isStale },
    relist: {
      value: async (list: () => Promise<Chat[]>) => {
        while (isStale) {
          isStale = false;
          meanwhile = [];
          chats = new Map((await list()).map((chat) => [chat.id, chat]));
          const reported = meanwhile;
          for (const event of reported.filter(({ type }) => type === 'chats' || type === 'queue'))
            take(event);
        }
      },
    },
  });
}

function createStreamClient<E extends { type: string }>(
  port: number,
  apiKey: string,
  path: string,
  onEvent: (event: E) => void,
): StreamClient<E> {
  let cursor = '';
  let received = 0;
  const reported: ReportedEvent<E>[] = [];

  async function open({
    cursor: from = cursor,
    inQuery = false,
    port: portNow = port,
  }: OpenOptions = {}): Promise<OpenStream> {
    const isResumed = from !== null && from !== '';
    const query =
      isResumed && inQuery ? `${path.includes('?') ? '&' : '?'}after=${encodeURIComponent(from)}` : '';
    const request: ClientRequest = httpRequest({
      host: '127.0.0.1',
      port: portNow,
      agent: false,
      path: `${path}${query}`,
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
    const checks = await apiChecks();
    const parser = createParser({
      onEvent({ id = cursor, event: type = 'message', data }) {
        const parts = JSON.parse(data) as object;
        checks.event(type, parts);
        const event = { type, ...parts } as unknown as E;
        cursor = id;
        onEvent(event);
        reported.push({ id, event });
        settle();
      },
    });
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
      parser.feed(decoder.write(bytes));
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
    get cursor() {
      return cursor;
    },
    reported,
    received: () => received,
    open,
  };
}
