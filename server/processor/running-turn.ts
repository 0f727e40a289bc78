import type { Step } from '../../shared/api/message.ts';
import type { AgentRuntime, TurnRequest, TurnUpdate } from '../agents/turn.ts';
import type { FinalReply } from '../store/message-repository.ts';
import type { GrowingReply } from '../store/growing-reply.ts';
import type { TurnTools } from '../outside/turn-tools.ts';
import type { WorkspacePort } from '../tools/tool.ts';
import { failedReply, finalReply } from './final-reply.ts';

/** Streamed text is saved so often at most; the first piece soon, so that a reader sees it begin. */
const SAVE_INTERVAL_MS = 250;
const FIRST_SAVE_MS = 60;

/** How a turn ended: with a reply to store (a failed one too), or because it was stopped or given back. */
export type TurnEnd = { how: 'reply'; final: FinalReply } | { how: 'stopped' } | { how: 'released' };

/** A turn that an agent is working on. */
export interface RunningTurn {
  /** Resolves once, never rejects. What the agent does after that is ignored. */
  readonly end: Promise<TurnEnd>;
  /** What has been written so far. */
  written(): GrowingReply;
  /** Ends the turn now, whether or not the agent heeds its signal. No effect once it has ended. */
  abandon(how: 'stopped' | 'released'): void;
}

/** What a turn runs with. */
export interface RunningTurnDeps {
  runtime: AgentRuntime;
  request: TurnRequest;
  workspace: WorkspacePort;
  /** Makes the turn's outside tools, with the signal that ends it. */
  outside: (signal: AbortSignal) => TurnTools;
  /** Told the steps that wait for a person, whenever which do has changed; none at the end. */
  onAsking: (waiting: readonly Step[]) => void;
  /** The turn fails with `timed_out` when nothing comes for so long. */
  timeoutMs: number;
  /** Saves what has been written; a rejection is ignored, since a later save tells all there is. */
  save: (written: GrowingReply) => Promise<unknown>;
  /** Told whenever something was written. */
  onWritten: () => void;
  /** Told when the runtime rejects though nobody ended the turn. */
  onError: (error: unknown) => void;
}

/** Lets the agent begin. */
export function startTurn({
  runtime,
  request,
  workspace,
  outside,
  onAsking,
  timeoutMs,
  save,
  onWritten,
  onError,
}: RunningTurnDeps): RunningTurn {
  const controller = new AbortController();
  const { promise: end, resolve } = Promise.withResolvers<TurnEnd>();
  let content = '';
  let reasoning = '';
  let steps: Step[] = [];
  let course = Symbol('course');
  let hasEnded = false;
  let isSaving = false;
  let isUnsaved = false;
  let saveTimer: NodeJS.Timeout | undefined;
  let waiting: readonly Step[] = [];
  let timeout = setTimeout(timeOut, timeoutMs);
  const tools = outside(controller.signal);

  function finish(turnEnd: TurnEnd): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(timeout);
    clearTimeout(saveTimer);
    noteWaiting([]);
    resolve(turnEnd);
  }

  /** While a person is asked no time runs out but theirs, which the asking sees to. */
  function noteWaiting(now: readonly Step[]): void {
    if (now.map(questionId).join() === waiting.map(questionId).join()) return;
    waiting = now;
    clearTimeout(timeout);
    if (now.length === 0 && !hasEnded) timeout = setTimeout(timeOut, timeoutMs);
    onAsking(now);
  }

  function abandon(turnEnd: TurnEnd, reason: string): void {
    finish(turnEnd);
    controller.abort(new DOMException(reason, 'AbortError'));
  }

  function timeOut(): void {
    const seconds = Math.max(1, Math.round(timeoutMs / 1000));
    const message = `The assistant made no progress for ${seconds} seconds, so this turn was ended.`;
    abandon(
      { how: 'reply', final: failedReply({ content, steps, reasoning }, { code: 'timed_out', message }) },
      message,
    );
  }

  function onUpdate(update: TurnUpdate): void {
    if (hasEnded) return;
    if (waiting.length === 0) timeout.refresh();
    if (update.restart === true) {
      content = '';
      reasoning = '';
      steps = [];
      course = Symbol('course');
    }
    content += update.text;
    reasoning += update.reasoning ?? '';
    if (update.steps !== undefined) steps = update.steps;
    noteWaiting(steps.filter(({ status }) => status === 'awaiting_approval'));
    const isFirst = saveTimer === undefined;
    if (!isUnsaved && !isSaving)
      saveTimer = setTimeout(saveWritten, isFirst ? FIRST_SAVE_MS : SAVE_INTERVAL_MS);
    isUnsaved = true;
    onWritten();
  }

  function saveWritten(): void {
    isUnsaved = false;
    isSaving = true;
    void save({ content, steps, reasoning, course })
      .catch(() => undefined)
      .then(() => {
        isSaving = false;
        if (isUnsaved && !hasEnded) saveTimer = setTimeout(saveWritten, SAVE_INTERVAL_MS);
      });
  }

  async function run(): Promise<void> {
    try {
      finish({
        how: 'reply',
        final: finalReply(
          await runtime.run(request, {
            workspace,
            outside: tools,
            signal: controller.signal,
            onUpdate,
            onRestart: () => tools.restart(),
          }),
        ),
      });
    } catch (error) {
      if (hasEnded) return;
      onError(error);
      const message =
        'The assistant could not finish this reply because of a fault in Parley; please try again.';
      finish({
        how: 'reply',
        final: failedReply({ content, steps, reasoning }, { code: 'model_failed', message }),
      });
    }
  }

  void run();
  return {
    end,
    written: () => ({ content, steps, reasoning, course }),
    abandon: (how) => abandon({ how }, how === 'stopped' ? 'The turn was stopped.' : 'Parley is stopping.'),
  };
}

const questionId = ({ approval }: Step): string => approval?.id ?? '';
