import type { Step } from '../../shared/api/message.ts';
import { applyUpdate, type Growth, type GrowthUpdate } from '../../shared/growth.ts';
import { secondsOf } from '../../shared/numbers.ts';
import { startAwakeTimer } from '../lib/awake-timer.ts';
import { ModelError } from '../models/model-error.ts';

/** Streamed text is saved at most this often; the first piece sooner, so readers see the start. */
const SAVE_INTERVAL_MS = 250;
const FIRST_SAVE_MS = 60;
/** Of a tool's progress only the time is saved. */
const PROGRESS_SAVE_MS = 1_000;
/** The disk refused a save. */
const RETRY_MS = 2_000;

/** Dependencies of {@link followProgress}. */
export interface ProgressDeps {
  /** Gets the reply as it grows. */
  live: { growth: Growth };
  /** As in `Prepared`. */
  save: ((growth: Growth) => Promise<boolean>) | undefined;
  /** How long an attempt may go without progress; while an approval is pending, only its own time limit counts. */
  timeoutMs: number;
  onTimeout: (error: ModelError) => void;
  onGrown: (written: Growth) => void;
  /** Gets the steps that wait for a person, once they are saved, so that they can be read; none at the end. */
  onPendingApprovals: (waiting: readonly Step[]) => void;
}

/** Follows one attempt at a reply: keeps what is written, saves it a few times a second, and notices when nothing happens. */
export function followProgress({
  live,
  save = () => Promise.resolve(true),
  timeoutMs,
  onTimeout,
  onGrown,
  onPendingApprovals,
}: ProgressDeps) {
  let isOver = false;
  let isSaving = false;
  let isUnsaved = false;
  let saveTimer: NodeJS.Timeout | undefined;
  const timeout = startAwakeTimer(timeoutMs, () => {
    if (awaitingApproval().length === 0) onTimeout(noProgressError(timeoutMs));
  });

  const awaitingApproval = (): Step[] =>
    live.growth.steps.filter(({ status }) => status === 'awaiting_approval');

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
    const steps = awaitingApproval();
    const isSaved = await save(live.growth).catch(() => false);
    isSaving = false;
    if (isOver) return;
    if (isSaved) onPendingApprovals(steps);
    else isUnsaved = true;
    if (isUnsaved) saveTimer = setTimeout(() => void saveWritten(), isSaved ? SAVE_INTERVAL_MS : RETRY_MS);
  }

  return {
    /** The reply has grown. */
    add: (update: GrowthUpdate): void => {
      if (isOver) return;
      const before = awaitingApproval().length;
      live.growth = applyUpdate(live.growth, update);
      onGrown(live.growth);
      timeout.refresh();
      const delayMs = saveTimer === undefined ? FIRST_SAVE_MS : SAVE_INTERVAL_MS;
      saveIn(awaitingApproval().length === before ? delayMs : 0);
    },
    /** A tool made progress, of which only the time is visible. */
    note: (): void => {
      if (isOver) return;
      timeout.refresh();
      saveIn(PROGRESS_SAVE_MS);
    },
    /** The attempt is over: what comes later is ignored. */
    close(): void {
      isOver = true;
      timeout.clear();
      clearTimeout(saveTimer);
      onPendingApprovals([]);
    },
  };
}

function noProgressError(timeoutMs: number): ModelError {
  return new ModelError(
    'timed_out',
    `The assistant made no progress for ${secondsOf(timeoutMs)}, so this turn was ended.`,
  );
}
