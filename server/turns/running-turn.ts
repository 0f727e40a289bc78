import type { Step } from '../../shared/api/message.ts';
import type { TurnErrorCode } from '../../shared/errors.ts';
import type { Growth, GrowthUpdate } from '../../shared/growth.ts';
import { ThreadLostError, type AgentRuntime, type TurnRequest } from '../agents/turn.ts';
import type { FinalReply } from '../store/message-repository.ts';
import type { TurnTools } from './turn-tools.ts';
import type { WorkspacePort } from '../tools/tool.ts';
import type { LiveReplies } from './live-replies.ts';
import { failedReply, finalReply, type Written } from './final-reply.ts';

/** Streamed text is saved at most this often; the first piece sooner, so readers see the start. */
const SAVE_INTERVAL_MS = 250;
const FIRST_SAVE_MS = 60;
/** Of a tool's progress only the time is saved. */
const PROGRESS_SAVE_MS = 1_000;
/** The disk refused a save. */
const RETRY_MS = 2_000;

/**
 * How a turn ended: with a reply to store (a failed one too), because it was stopped or given back, or with the thread that
 * it shared.
 */
export type TurnEnd =
  { how: 'reply'; final: FinalReply } | { how: 'stopped' } | { how: 'released' } | { how: 'thread lost' };

/** The end of a failed turn. It keeps what was written. */
export const failedEnd = (written: Written, code: TurnErrorCode, message: string): TurnEnd => ({
  how: 'reply',
  final: failedReply(written, { code, message }),
});

/** Dependencies of a running turn. */
export interface RunningTurnDeps {
  runtime: AgentRuntime;
  request: TurnRequest;
  /** Fires to end the turn at once, even if the agent ignores it. The reason is `stopped` or `released`. */
  ending: AbortSignal;
  workspace: WorkspacePort;
  /** Makes what serves the turn's calls, with the signal that ends it; `onProgress` is to be told when a call gets on. */
  host: (signal: AbortSignal, onProgress: () => void) => TurnTools;
  /**
   * Told the steps that wait for a person once they are saved, so that nobody is told of a question that can't be read yet; none
   * at the end, at once.
   */
  onAsking: (waiting: readonly Step[]) => void;
  /** The turn fails with `timed_out` after this long without progress. */
  timeoutMs: number;
  /** Saves the reply so far; false: the turn is over. Retried when it rejects. */
  save: (growth: Growth) => Promise<boolean>;
  /** Holds the reply while it is written. */
  live: LiveReplies;
  replyId: string;
  /** Called when the runtime rejects although nothing ended the turn. */
  onError: (error: unknown) => void;
}

/** Lets the agent make its reply. Resolves with the outcome and never rejects. What the agent does afterwards is ignored. */
export function runAgent({
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
  onError,
}: RunningTurnDeps): Promise<TurnEnd> {
  const controller = new AbortController();
  const { promise: end, resolve } = Promise.withResolvers<TurnEnd>();
  const { chatId } = request;
  const reply = live.begin(chatId, replyId);
  let hasEnded = false;
  let isSaving = false;
  let isUnsaved = false;
  let saveTimer: NodeJS.Timeout | undefined;
  /** How many approvals are pending. */
  let asking = 0;
  let timeout = setTimeout(timeOut, timeoutMs);
  const tools = host(controller.signal, noteProgress);

  function finish(turnEnd: TurnEnd): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(timeout);
    clearTimeout(saveTimer);
    ending.removeEventListener('abort', endNow);
    live.end(chatId);
    onAsking([]);
    resolve(turnEnd);
  }

  const questions = (): Step[] => reply.growth.steps.filter(({ status }) => status === 'awaiting_approval');

  /** The turn made progress. While a person is asked, only the approval's own timeout runs. */
  function watchTime(): void {
    clearTimeout(timeout);
    if (asking === 0) timeout = setTimeout(timeOut, timeoutMs);
  }

  function abandon(turnEnd: TurnEnd, reason: string): void {
    finish(turnEnd);
    controller.abort(new DOMException(reason, 'AbortError'));
  }

  function timeOut(): void {
    const seconds = Math.max(1, Math.round(timeoutMs / 1000));
    const message = `The assistant made no progress for ${seconds} seconds, so this turn was ended.`;
    abandon(failedEnd(reply.growth, 'timed_out', message), message);
  }

  function endNow(): void {
    const how = ending.reason as 'stopped' | 'released';
    abandon({ how }, how === 'stopped' ? 'The turn was stopped.' : 'Parley is stopping.');
  }

  function onUpdate(update: GrowthUpdate): void {
    if (hasEnded) return;
    live.grow(chatId, update);
    const before = asking;
    if (update.steps !== undefined) asking = questions().length;
    watchTime();
    saveIn(asking !== before ? 0 : saveTimer === undefined ? FIRST_SAVE_MS : SAVE_INTERVAL_MS);
  }

  /** A tool made progress, of which only the time is visible. */
  function noteProgress(): void {
    if (hasEnded) return;
    watchTime();
    saveIn(PROGRESS_SAVE_MS);
  }

  /** Saves the reply after this long, or sooner if that is already scheduled. */
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

  async function run(): Promise<void> {
    try {
      const ports = { workspace, host: tools, signal: controller.signal, onUpdate };
      finish({ how: 'reply', final: finalReply(await runtime.run(request, ports)) });
    } catch (error) {
      if (hasEnded) return;
      if (error instanceof ThreadLostError) {
        await endWithThread(error);
        return;
      }
      onError(error);
      const message =
        'The assistant could not finish this reply because of a fault in Parley; please try again.';
      finish(failedEnd(reply.growth, 'model_failed', message));
    }
  }

  async function endWithThread({ code, message, wasShared }: ThreadLostError): Promise<void> {
    // Let tools finish their changes, so that the next attempt finds them done.
    if (wasShared) await tools.settled();
    abandon(wasShared ? { how: 'thread lost' } : failedEnd(reply.growth, code, message), message);
  }

  ending.addEventListener('abort', endNow, { once: true });
  void run();
  return end;
}
