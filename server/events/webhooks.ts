/**
 * Notifies programs when turns that they started have ended, following Standard Webhooks
 * (https://www.standardwebhooks.com). Pending events are in the store, so a restart loses nothing, but may send an
 * event twice, under the same `webhook-id`. The message rows show which turns have ended, whatever ended them.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Webhook } from '../../shared/api/key.ts';
import { findDirect, type FindRoute } from '../net/route.ts';
import { send } from '../net/send.ts';
import { codeIn, describeTrouble, troubleOf } from '../net/trouble.ts';
import { lookUpHere, webhookSecretName } from '../net/webhook-address.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { findKey } from '../store/key-repository.ts';
import type { Store } from '../store/types.ts';
import {
  countWebhookEvents,
  deleteLostWebhookEvents,
  deleteWebhookEvent,
  findNextDelivery,
  listEndedTurns,
  updateWebhookBody,
  updateWebhookFailure,
  type EndedEvent,
  type EndedTurn,
} from '../store/webhook-repository.ts';

/** The outcome of one attempt to deliver an event. */
export interface Delivery {
  /** The `webhook-id`. */
  id: string;
  /** Name of the key. */
  key: string;
  url: string;
  /** Status of the response; 0: there was none. */
  status: number;
  /** Why there was no response, in a sentence; null: there was one. */
  problem: string | null;
  durationMs: number;
}

/** The webhooks of one service. */
export type Webhooks = ReturnType<typeof createWebhooks>;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** About four hours in all. */
const RETRY_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS].concat([
  60 * MINUTE_MS,
  120 * MINUTE_MS,
]);
/** How long changes are collected before the rows are read, or longer if the last read took long. */
const GATHER_MS = 50;
const PAUSE_PER_CHECK = 10;
const LONGEST_GATHER_MS = 2_000;
const TIMEOUT_MS = 10_000;
const CONNECT_MS = 3_000;
const AT_ONCE = 8;
/** The most deliveries at once per key: a hanging receiver must not block those of other keys. */
const AT_ONCE_OF_ONE = 2;
/** The pause when the store can't record a delivery: without it, the event would be sent again at once. */
const PAUSE_MS = MINUTE_MS;
const GONE = 410;
const PREFIX = 'whsec_';

/** Creates the webhooks of a service; nothing is sent before `start`. */
export function createWebhooks(deps: {
  store: Store;
  secrets: Pick<Secrets, 'read'>;
  /** Finds the way to an address; direct unless given. */
  findRoute?: FindRoute;
  /** Called with each attempt. */
  onDelivery: (delivery: Delivery) => void;
  onError: (error: unknown) => void;
  /** How long after each failure to try again, in milliseconds; after the last one, the event is dropped. */
  retryMs?: readonly number[];
}) {
  const { store, secrets, findRoute = findDirect, onDelivery, onError, retryMs = RETRY_MS } = deps;
  const closing = new AbortController();
  /** Events being delivered, each with its key. */
  const underWay = new Map<string, string>();
  const longestRetryMs = Math.max(0, ...retryMs);
  let gather: NodeJS.Timeout | null = null;
  let next: NodeJS.Timeout | null = null;
  let stopListening: (() => void) | null = null;
  let gatherMs = GATHER_MS;
  const isOver = (): boolean => closing.signal.aborted;
  const report = (error: unknown): void => {
    if (!isOver()) onError(error);
  };

  function checkSoon(): void {
    gather ??= setTimeout(() => {
      gather = null;
      check().catch(report);
    }, gatherMs).unref();
  }

  async function check(): Promise<void> {
    if (isOver() || store.read(countWebhookEvents) === 0) return;
    const startedAt = performance.now();
    const ended = store.read(listEndedTurns);
    const tookMs = performance.now() - startedAt;
    gatherMs = Math.min(Math.max(GATHER_MS, tookMs * PAUSE_PER_CHECK), LONGEST_GATHER_MS);
    if (ended.length > 0) {
      const now = new Date();
      await store.write((writer) => {
        for (const turn of ended) updateWebhookBody(writer, turn.id, bodyOf(turn, now), now.getTime());
      });
    }
    deliverDue();
  }

  function deliverDue(): void {
    if (isOver()) return;
    if (next !== null) clearTimeout(next);
    next = null;
    while (underWay.size < AT_ONCE) {
      const now = Date.now();
      const latestMs = now + longestRetryMs;
      const event = store.read((reader) =>
        findNextDelivery(reader, [...underWay.keys()], fullKeys(), latestMs),
      );
      if (event === null) return;
      if (event.dueAtMs > now && event.dueAtMs <= latestMs) {
        next = setTimeout(deliverDue, Math.min(event.dueAtMs - now, RETRY_MS[0] ?? 0)).unref();
        return;
      }
      underWay.set(event.id, event.keyId);
      deliver(event)
        .catch(async (error: unknown) => {
          report(error);
          await sleep(PAUSE_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
        })
        .finally(() => {
          underWay.delete(event.id);
          deliverDue();
        });
    }
  }

  function fullKeys(): string[] {
    const keys = [...underWay.values()];
    return keys.filter((key) => keys.filter((other) => other === key).length >= AT_ONCE_OF_ONE);
  }

  async function deliver(event: EndedEvent): Promise<void> {
    const key = store.read((reader) => findKey(reader, event.keyId));
    const secret = await secrets.read(webhookSecretName(event.keyId));
    const { webhook = null } = key ?? {};
    if (key === null || webhook === null || key.revokedAt !== null || secret.state === 'absent') {
      await store.write((writer) => deleteWebhookEvent(writer, event.id));
      return;
    }
    const startedAt = performance.now();
    // A secret that can't be opened right now counts as a temporary failure.
    const { status, problem } =
      secret.state === 'present'
        ? await post(webhook, event, secret.text)
        : { status: 0, problem: secret.reason };
    if (isOver()) return;
    onDelivery({
      id: event.id,
      key: key.name,
      url: webhook.url,
      status,
      problem,
      durationMs: performance.now() - startedAt,
    });
    const retryIn = retryMs[event.attempts];
    const isDone = (status >= 200 && status < 300) || status === GONE || retryIn === undefined;
    await store.write((writer) => {
      if (isDone) deleteWebhookEvent(writer, event.id);
      else updateWebhookFailure(writer, event.id, event.attempts + 1, Date.now() + retryIn);
    });
  }

  async function post(
    { url, anywhere }: Webhook,
    { id, body }: EndedEvent,
    secret: string,
  ): Promise<Pick<Delivery, 'status' | 'problem'>> {
    try {
      const answer = await send(new URL(url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': 'Parley',
          ...signatureOf(id, body, secret),
        },
        body,
        connectMs: CONNECT_MS,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
        route: await findRoute(url),
        ...(anywhere !== true && { lookup: lookUpHere }),
      });
      answer.destroy();
      return { status: answer.statusCode ?? 0, problem: null };
    } catch (error) {
      const { what, todo } = describeTrouble(troubleOf(codeIn(error) ?? ''), url);
      return { status: 0, problem: `${what}; ${todo}.` };
    }
  }

  return {
    /** Starts sending, beginning with what an earlier process left. */
    start(): void {
      stopListening = store.onChange(checkSoon);
      store.write(deleteLostWebhookEvents).catch(report);
      checkSoon();
    },
    /** Ends deliveries under way; they are sent after the next start. */
    close(): void {
      closing.abort(new Error('The service is closing.'));
      stopListening?.();
      for (const timer of [gather, next]) if (timer !== null) clearTimeout(timer);
    },
  };
}

/** The headers with which the receiver checks that the event is from here and not an old one replayed. */
function signatureOf(id: string, body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / SECOND_MS));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

function outcomeOf({ replyId, status, stopReason }: EndedTurn): string {
  if (replyId === null) return 'cancelled';
  if (stopReason === 'stopped') return 'stopped';
  return status === 'error' ? 'failed' : 'completed';
}

function bodyOf(turn: EndedTurn, now: Date): string {
  const { chatId, workspaceId, messageId, replyId, stopReason, errorCode } = turn;
  return JSON.stringify({
    type: `turn.${outcomeOf(turn)}`,
    timestamp: now.toISOString(),
    data: {
      chatId,
      workspaceId,
      messageId,
      ...(replyId !== null && { replyId }),
      ...(stopReason !== null && { stopReason }),
      ...(errorCode !== null && { errorCode }),
    },
  });
}
