import type { Step } from '../../shared/api/message.ts';
import type { TurnErrorCode } from '../../shared/errors.ts';
import type { Growth, GrowthUpdate } from '../../shared/growth.ts';
import type { HostPort } from '../agents/host-port.ts';
import { ThreadLostError, type AgentRuntime, type TurnRequest } from '../agents/turn.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { ModelError } from '../models/model-error.ts';
import type { FinalReply } from '../store/message-repository.ts';
import type { StoredToolCall } from '../store/tool-call-repository.ts';
import type { WorkspacePort } from '../tools/tool.ts';
import type { LiveReplies } from './live-replies.ts';
import { cutOffError, failedReply, finalReply, type Written } from './final-reply.ts';

/** Streamed text is saved at most this often; the first piece sooner, so readers see the start. */
const SAVE_INTERVAL_MS = 250;
const FIRST_SAVE_MS = 60;
/** Of a tool's progress only the time is saved. */
const PROGRESS_SAVE_MS = 1_000;
/** The disk refused a save. */
const RETRY_MS = 2_000;

/**
 * How a turn ended: with a reply to store (a failed one too), from outside (it was stopped, or Parley is stopping), or with the
 * thread that it shared.
 */
export type TurnEnd =
  | { how: 'reply'; final: FinalReply }
  | { how: 'ended' }
  | { how: 'thread lost'; /** It may have been the cause. */ isSuspect: boolean };

/** The end of a failed turn. It keeps what was written. */
export const failedEnd = (written: Written, code: TurnErrorCode, message: string): TurnEnd => ({
  how: 'reply',
  final: failedReply(written, { code, message }),
});

/** Why a turn that made no progress for this long is ended. */
export function noProgressError(timeoutMs: number): ModelError {
  const seconds = Math.max(1, Math.round(timeoutMs / 1000));
  return new ModelError(
    'timed_out',
    `The assistant made no progress for ${seconds} seconds, so this turn was ended.`,
  );
}

/** Dependencies of a running turn. */
export interface RunningTurnDeps {
  runtime: AgentRuntime;
  request: TurnRequest;
  /** Fires to end the turn at once, even if the agent ignores it. */
  ending: AbortSignal;
  workspace: WorkspacePort;
  /** Creates what serves the turn's calls. The signal ends it; it calls `onProgress` when a call makes progress. */
  host: (signal: AbortSignal, onProgress: () => void) => HostPort;
  /** Gets the steps that wait for a person, once they are saved, so that they can be read; none when the turn ends. */
  onAsking: (waiting: readonly Step[]) => void;
  /** The turn fails with `timed_out` after this long without progress. */
  timeoutMs: number;
  /** Saves the reply so far; false: the turn is over. Retried when it rejects. */
  save: (growth: Growth) => Promise<boolean>;
  /** Holds the reply while it is written. */
  live: LiveReplies;
  replyId: string;
  /** The turn's calls that may have changed or sent something. */
  begunCalls: () => readonly StoredToolCall[];
  /** Called when the runtime rejects although nothing ended the turn. */
  onError: (error: unknown) => void;
}

/** Lets the agent make its reply. Resolves with the outcome and never rejects. What the agent does afterwards is ignored. */
export async function runAgent({
  runtime,
  request,
  ending,
  workspace,
  host,
  onAsking,
  timeoutMs,
  save,
  live,
  replyId,
  begunCalls,
  onError,
}: RunningTurnDeps): Promise<TurnEnd> {
  const { chatId } = request;
  const reply = live.begin(chatId, replyId);
  const over = new AbortController();
  const signal = AbortSignal.any([ending, over.signal]);
  let hasEnded = false;
  let isSaving = false;
  let isUnsaved = false;
  let saveTimer: NodeJS.Timeout | undefined;
  /** How many approvals are pending. Meanwhile only their own timeouts count. */
  let asking = 0;
  const timeout = setTimeout(() => {
    if (asking > 0) timeout.refresh();
    else over.abort(noProgressError(timeoutMs));
  }, timeoutMs);
  const tools = host(signal, noteProgress);

  const questions = (): Step[] => reply.growth.steps.filter(({ status }) => status === 'awaiting_approval');

  function onUpdate(update: GrowthUpdate): void {
    if (hasEnded) return;
    live.grow(chatId, update);
    const before = asking;
    if (update.steps !== undefined) asking = questions().length;
    timeout.refresh();
    saveIn(asking !== before ? 0 : saveTimer === undefined ? FIRST_SAVE_MS : SAVE_INTERVAL_MS);
  }

  /** A tool made progress, of which only the time is visible. */
  function noteProgress(): void {
    if (hasEnded) return;
    timeout.refresh();
    saveIn(PROGRESS_SAVE_MS);
  }

  /** Saves the reply after this long, unless that is already planned; a delay of 0 always counts. */
  function saveIn(delayMs: number): void {
    const isPlanned = isUnsaved && delayMs > 0;
    isUnsaved = true;
    if (isPlanned || isSaving) return;
    clearTimeout(saveTimer);
    saveTimer = setTimeout(() => void saveWritten(), delayMs);
  }

  async function saveWritten(): Promise<void> {
    isUnsaved = false;
    isSaving = true;
    const asked = questions();
    const isSaved = await save(reply.growth).catch(() => false);
    isSaving = false;
    if (hasEnded) return;
    if (isSaved) onAsking(asked);
    else isUnsaved = true;
    if (isUnsaved) saveTimer = setTimeout(() => void saveWritten(), isSaved ? SAVE_INTERVAL_MS : RETRY_MS);
  }

  try {
    const running = runtime.run(request, { workspace, host: tools, signal, onUpdate });
    return { how: 'reply', final: finalReply(await unlessAborted(signal, running)) };
  } catch (error) {
    if (ending.aborted) return { how: 'ended' };
    // Calls that are still running end, too.
    over.abort(error);
    if (error instanceof ThreadLostError && error.wasShared) {
      const begun = begunCalls();
      if (begun.length === 0) return { how: 'thread lost', isSuspect: error.isSuspect };
      return { how: 'reply', final: failedReply(reply.growth, cutOffError(begun)) };
    }
    if (error instanceof ThreadLostError || error instanceof ModelError)
      return failedEnd(reply.growth, error.code, error.message);
    onError(error);
    const message =
      'The assistant could not finish this reply because of a fault in Parley; please try again.';
    return failedEnd(reply.growth, 'model_failed', message);
  } finally {
    hasEnded = true;
    clearTimeout(timeout);
    clearTimeout(saveTimer);
    live.end(chatId);
    onAsking([]);
  }
}
