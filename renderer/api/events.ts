import { STREAM_SILENCE_MS, type WorkspaceEvent } from '../../shared/events.ts';
import { createEventParser } from './event-stream.ts';
import type { ApiClient } from './client.ts';
import { ConnectionProblem } from './problem.ts';

/** How to follow a workspace. */
export interface FollowOptions {
  /** The chat that is told in full; null: none. */
  chatId: string | null;
  /** Only asks how things stand. */
  isOnce: boolean;
  /** Where the last stream ended, as it said; empty: nothing is known. */
  cursor: string;
  /** Ends it. */
  signal: AbortSignal;
  /** Told of each event, with the cursor of a client that knows it. */
  onEvent: (event: WorkspaceEvent, cursor: string) => void;
}

/**
 * Follows the events of the workspace until the stream ends. Rejects with ApiProblem when there is none to be had, and with
 * ConnectionProblem when the service can't be reached or has said nothing for so long that the stream must be dead.
 */
export async function followEvents(
  api: Pick<ApiClient, 'open'>,
  { chatId, isOnce, cursor, signal, onEvent }: FollowOptions,
): Promise<void> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  signal.addEventListener('abort', abort);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const noteSound = (): void => {
    clearTimeout(silence);
    silence = setTimeout(abort, STREAM_SILENCE_MS);
  };
  try {
    noteSound();
    const headers = { Accept: 'text/event-stream', ...(cursor !== '' && { 'Last-Event-ID': cursor }) };
    const query = new URLSearchParams({
      ...(chatId !== null && { chat: chatId }),
      ...(isOnce && { once: 'true' }),
    });
    const path = `/api/v1/events?${query.toString()}`;
    // That there is no stream doesn't mean that there is no service; without an answer there is none.
    const response = await api.open(path, { headers, signal: controller.signal }, !isOnce);
    if (response.body === null) return;
    await readEvents(response.body, noteSound, onEvent);
  } catch (problem) {
    if (signal.aborted) return;
    if (controller.signal.aborted) throw new ConnectionProblem('The stream is silent.', { cause: problem });
    throw problem;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', abort);
    controller.abort();
  }
}

async function readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onSound: () => void,
  onEvent: FollowOptions['onEvent'],
): Promise<void> {
  const parser = createEventParser();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      onSound();
      for (const { id, type, data } of parser.push(piece.value)) {
        onEvent({ ...(JSON.parse(data) as object), type } as WorkspaceEvent, id);
      }
    }
  } catch (problem) {
    throw new ConnectionProblem('The stream broke off.', { cause: problem });
  }
}
