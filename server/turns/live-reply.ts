import type { Step } from '../../shared/api/message.ts';
import { applyUpdate, NO_GROWTH, type Growth, type GrowthUpdate } from '../../shared/growth.ts';
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

/** A reply that is being written, as far as its readers know it. Each attempt has its own object. */
export interface LiveReply {
  readonly replyId: string;
  /** What has been written so far. */
  readonly growth: Growth;
}

/** Dependencies of {@link createLiveReply}. */
export interface LiveReplyDeps {
  replyId: string;
  /** Saves the reply so far; false: the turn is over. Repeated when it rejects. Absent: nothing is saved. */
  save?: ((growth: Growth) => Promise<boolean>) | undefined;
  /** How long an attempt may go without progress; while an approval is pending, only its own time limit counts. */
  timeoutMs: number;
  onTimeout: (error: ModelError) => void;
  onGrown: (written: Growth) => void;
  /** Gets the steps that wait for a person, once they are saved, so that they can be read; none at the end. */
  onPendingApprovals: (waiting: readonly Step[]) => void;
}

/** The reply of one attempt: keeps what is written, saves it a few times a second, and notices when nothing happens. */
export function createLiveReply({
  replyId,
  save = () => Promise.resolve(true),
  timeoutMs,
  onTimeout,
  onGrown,
  onPendingApprovals,
}: LiveReplyDeps) {
  let growth = NO_GROWTH;
  let isOver = false;
  let isSaving = false;
  let isUnsaved = false;
  let saveTimer: NodeJS.Timeout | undefined;
  const timeout = startAwakeTimer(timeoutMs, () => {
    if (awaitingApproval().length === 0) onTimeout(noProgressError(timeoutMs));
  });

  const awaitingApproval = (): Step[] => growth.steps.filter(({ status }) => status === 'awaiting_approval');

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
    const isSaved = await save(growth).catch(() => false);
    isSaving = false;
    if (isOver) return;
    if (isSaved) onPendingApprovals(steps);
    else isUnsaved = true;
    if (isUnsaved) saveTimer = setTimeout(() => void saveWritten(), isSaved ? SAVE_INTERVAL_MS : RETRY_MS);
  }

  function change(grown: Growth): void {
    growth = grown;
    onGrown(growth);
  }

  return {
    replyId,
    get growth(): Growth {
      return growth;
    },
    /** More was written. */
    add: (update: GrowthUpdate): void => {
      if (isOver) return;
      const before = awaitingApproval().length;
      change(applyUpdate(growth, update));
      timeout.refresh();
      const delayMs = saveTimer === undefined ? FIRST_SAVE_MS : SAVE_INTERVAL_MS;
      saveIn(awaitingApproval().length === before ? delayMs : 0);
    },
    /** A tool made progress, of which only the time is visible. */
    noteProgress: (): void => {
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
    /** The final reply. */
    setFinal: <T extends Growth>(final: T): T => (growth = final),
    /** What the final reply waits for before it can be stored, in words. */
    setWaiting(waiting: string): void {
      if (growth.waiting !== waiting) change({ ...growth, waiting });
    },
  };
}

function noProgressError(timeoutMs: number): ModelError {
  return new ModelError(
    'timed_out',
    `The assistant made no progress for ${secondsOf(timeoutMs)}, so this turn was ended.`,
  );
}
