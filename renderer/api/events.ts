import { createParser } from 'eventsource-parser';
import type { WorkspaceEvent } from '../../shared/api/event.ts';
import { STREAM_SILENCE_MS } from '../../shared/limits.ts';
import type { ApiClient } from './client.ts';
import { ApiProblem, ConnectionProblem } from './problem.ts';

/** How to follow a workspace. */
export interface FollowOptions {
  /** The chat whose messages are reported, too; null: none. */
  chatId: string | null;
  /** Gets the current state only. */
  isOnce: boolean;
  /** The cursor of the last event; empty: from the start. */
  cursor: string;
  signal: AbortSignal;
  /** Called with each event, and with the cursor after it. */
  onEvent: (event: WorkspaceEvent, cursor: string) => void;
}

/**
 * Follows the events of the workspace until the stream ends. Rejects with ApiProblem when the service refuses a stream, and with
 * ConnectionProblem when it can't be reached or has been silent for so long that the stream must be dead.
 */
export async function followEvents(
  api: Pick<ApiClient, 'open'>,
  { chatId, isOnce, cursor, signal, onEvent }: FollowOptions,
): Promise<void> {
  // One controller for both reasons: WebKit collects the signals that `AbortSignal.any` makes, and the abort never comes.
  const ending = new AbortController();
  const end = (): void => ending.abort();
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const restartSilence = (): void => {
    clearTimeout(silence);
    silence = setTimeout(end, STREAM_SILENCE_MS);
  };
  let latest = cursor;
  const parser = createParser({
    onEvent({ id, event: type, data }) {
      latest = id ?? latest;
      onEvent({ ...(JSON.parse(data) as object), type } as WorkspaceEvent, latest);
    },
  });
  try {
    restartSilence();
    const headers = { Accept: 'text/event-stream', ...(cursor !== '' && { 'Last-Event-ID': cursor }) };
    const query = new URLSearchParams({
      ...(chatId !== null && { chat: chatId }),
      ...(isOnce && { once: 'true' }),
    });
    const init = { headers, signal: ending.signal };
    // A refused stream doesn't mean that the service is gone; a poll without an answer does.
    const response = await api.open(`/api/v1/events?${query.toString()}`, init, !isOnce);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      restartSilence();
      parser.feed(piece.value);
    }
  } catch (problem) {
    if (signal.aborted) return;
    if (problem instanceof ApiProblem || problem instanceof ConnectionProblem) throw problem;
    throw new ConnectionProblem('The stream broke off.', { cause: problem });
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
    end();
  }
}
