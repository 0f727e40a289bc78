/**
 * Sends what is due. The store says what that is; this only looks when. A time is due until a transaction has both sent its message and
 * moved its schedule on, so no kill loses or repeats it.
 */
import { AppError } from '../errors.ts';
import {
  createRun,
  findAnySchedule,
  findNextDue,
  hasRun,
  listDueSchedules,
  listWaitingSchedules,
  updateNextAt,
  type StoredSchedule,
} from '../store/schedule-repository.ts';
import { breathe } from '../store/pieces.ts';
import { nextOf, OvertakenError, sendSchedule, type SendDeps } from './send-schedule.ts';
import { nextTime } from './times.ts';

/** What is over for longer is not sent any more. */
const DAY_MS = 24 * 60 * 60_000;
/** How long it takes at most to notice that the computer slept or its clock was set. */
const CHECK_MS = 10_000;
/** A clock that went back by less only repeats times that have run. */
const SET_BACK_MS = 60_000;
/** How many are sent at once. */
const AT_ONCE = 25;
/** The pause after the queue or the disk was full. */
const HOLD_MS = 2_000;

/** Sends the messages of a store's schedules. */
export type ScheduleRunner = ReturnType<typeof createScheduleRunner>;

/** Creates the runner; nothing is sent before `check`. */
export function createScheduleRunner(deps: SendDeps & { onError: (error: unknown) => void }) {
  const { store } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  /** The latest that the clock has shown since next times were found anew: by a clock that was ahead, they may be too late. */
  let latestMs = Infinity;
  let isClosed = false;
  const hasClosed = (): boolean => isClosed;
  const clock = (): Date => {
    const now = deps.clock();
    latestMs = Math.max(latestMs, now.getTime());
    return now;
  };

  /** Checks now, or once more after the check under way. */
  const check = (): Promise<void> => (running = (running ?? Promise.resolve()).then(checkOnce));

  async function checkOnce(): Promise<void> {
    let waitMs = HOLD_MS;
    try {
      if (deps.clock().getTime() < latestMs - SET_BACK_MS) {
        await settleNext();
        latestMs = 0;
      }
      const isHeld = await sendDue();
      waitMs = Math.max(untilNext(), isHeld ? HOLD_MS : 0);
    } catch (error) {
      if (!hasClosed() && !isHeldUp(error)) deps.onError(error);
    }
    clearTimeout(timer);
    if (!hasClosed()) timer = setTimeout(() => void check(), waitMs).unref();
  }

  /** How long until something is due, at most until the next check. */
  function untilNext(): number {
    const next = store.read(findNextDue);
    return next === null ? CHECK_MS : Math.min(Date.parse(next) - clock().getTime(), CHECK_MS);
  }

  /** Sends all that is due; true: some of it has to wait. */
  async function sendDue(): Promise<boolean> {
    const full = new Set<string>();
    for (;;) {
      const now = clock().toISOString();
      const due = store.read((reader) => listDueSchedules(reader, now, JSON.stringify([...full]), AT_ONCE));
      if (due.length === 0 || hasClosed()) return full.size > 0;
      const held = await Promise.all(due.map(runDue));
      for (const [index, isHeld] of held.entries()) if (isHeld) full.add(due[index]?.workspaceId ?? '');
      await breathe();
    }
  }

  /** Does what is due; true: its workspace's queue is full, so it stays due. */
  async function runDue(schedule: StoredSchedule): Promise<boolean> {
    const { id, nextAt, since } = schedule;
    const dueAt = dueTime(schedule, clock());
    try {
      if (dueAt === nextAt && nextAt !== null && !store.read((reader) => hasRun(reader, id, nextAt)))
        await sendSchedule({ ...deps, clock }, schedule, nextAt);
      // A clock that was far back made it due before there was a schedule.
      else if (dueAt === nextAt || (nextAt ?? '') < since) await moveOn(schedule, null, dueAt);
      else await moveOn(schedule, { state: 'missed', error: MISSED }, dueAt);
      return false;
    } catch (error) {
      if (error instanceof OvertakenError) return false;
      if (error instanceof AppError && error.code === 'queue_full') return true;
      if (isHeldUp(error) || hasClosed()) throw error;
      if (!(error instanceof AppError)) deps.onError(error);
      const words = error instanceof AppError ? error.message : FAULT;
      await moveOn(schedule, { state: 'not_sent', error: words }, null);
      return false;
    }
  }

  /** Stores that run for the time that a schedule was due, and makes it due at `later`, or else at its next time. */
  const moveOn = (
    { id, nextAt: dueAt }: StoredSchedule,
    run: { state: 'missed' | 'not_sent'; error: string } | null,
    later: string | null,
  ): Promise<void> =>
    store.write((writer) => {
      const schedule = findAnySchedule(writer, id);
      if (schedule === null || schedule.nextAt !== dueAt) return;
      const now = clock();
      if (run !== null) createRun(writer, { scheduleId: id, dueAt, ranAt: now.toISOString(), ...run });
      const isLater = later !== null && later !== dueAt;
      updateNextAt(writer, id, isLater ? later : nextOf(writer, schedule, now));
    });

  /** Finds the next times anew: the clock was set, or the rules of a time zone have changed. */
  async function settleNext(): Promise<void> {
    const now = clock();
    const time = now.toISOString();
    for (const { id } of store.read((reader) => listWaitingSchedules(reader, time))) {
      if (hasClosed()) return;
      await breathe();
      await store.write((writer) => {
        const schedule = findAnySchedule(writer, id);
        if (schedule === null) return;
        const nextAt = nextOf(writer, schedule, now);
        if (nextAt !== schedule.nextAt) updateNextAt(writer, id, nextAt);
      });
    }
  }

  return {
    /** The time by which schedules are made and changed: what it has shown is remembered. */
    clock,
    /** Sends what is due, and from then on whatever becomes due. Call it at the start, and when schedules have changed. */
    check,
    /** Begins no more; what is due is sent after the next start. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Which time of a schedule to send for now: what it is due for, or if that is too long over, a later one; null: none. */
function dueTime({ nextAt, cron, timeZone, since }: StoredSchedule, now: Date): string | null {
  const oldest = new Date(now.getTime() - DAY_MS);
  if (nextAt === null || nextAt >= oldest.toISOString()) return nextAt;
  const from = new Date(Math.max(oldest.getTime(), Date.parse(since)));
  const later = cron === null ? null : nextTime({ cron, timeZone }, from);
  return later !== null && later <= now ? later.toISOString() : null;
}

/** Whether the store or the service can't take it right now. */
const isHeldUp = (error: unknown): boolean =>
  error instanceof AppError && ['storage_full', 'storage_unavailable', 'shutting_down'].includes(error.code);

const MISSED = 'Parley was off for more than a day, so nothing was sent.';
const FAULT = 'Nothing was sent because of a fault in Parley.';
