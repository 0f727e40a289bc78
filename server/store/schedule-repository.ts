/**
 * Schedules, and what came of each time that one was due. A time that has a run is never run again, whatever the clock does, so a run is
 * stored in the transaction that adds its message.
 */
import type { MessageMode } from '../../shared/api/message.ts';
import type { KeptSchedule, RunStatus, ScheduleRun } from '../../shared/api/schedule.ts';
import { MAX_SCHEDULE_RUNS, MAX_SCHEDULES } from '../../shared/limits.ts';
import { defineTable, flag, json, plain, readValue, text, type RowOf } from './table.ts';
import type { Reader, Writer } from './types.ts';

/** A tool that asks first, as the person saw it who allowed it. */
export interface AllowedTool {
  name: string;
  /** Identifies its description then; empty: it only changes with Parley itself. */
  described: string;
}

const SCHEDULES = defineTable('schedules', {
  id: text(),
  workspaceId: text(),
  /** The message to send. */
  content: text(),
  mode: plain<MessageMode>('agent'),
  /** When, as it was given. */
  timing: text(),
  /** The one time; null: it has a rule. */
  at: plain<string | null>(null),
  /** Its rule; null: it sends once. */
  cron: plain<string | null>(null),
  /** IANA name. */
  timeZone: text(),
  /** Null: a new chat each time. */
  chatId: plain<string | null>(null),
  /** Of new chats; null: none. */
  projectId: plain<string | null>(null),
  /** Null: the chat's, or the usual one. */
  agentType: plain<string | null>(null),
  /** Null: the chat's, or the usual one. */
  model: plain<string | null>(null),
  /** The key whose rights it has; null: a person made it in the window or with the local key. */
  keyId: plain<string | null>(null),
  /** Whether its turns may use tools that reach out. */
  reach: flag(true),
  /** The tools that ask first and which its turns may use. */
  allowed: json<AllowedTool[]>([]),
  paused: flag(false),
  /** Earlier times don't count: it was made, changed or resumed then. */
  since: text(),
  /** When it is due; null: it is over. */
  nextAt: plain<string | null>(null),
  createdAt: text(),
});

/** A schedule as it is stored. */
export type StoredSchedule = RowOf<typeof SCHEDULES.columns>;

/** A workspace's schedules: those to come first, the next one first, then those that are over, newest first. */
export const listSchedules = SCHEDULES.list<[workspaceId: string]>(
  'WHERE workspace_id = ? ORDER BY next_at IS NULL, next_at, created_at DESC, id',
);

/** A workspace's schedule of an id; null: it has none. */
export const findSchedule = SCHEDULES.first<[workspaceId: string, id: string]>(
  'WHERE workspace_id = ? AND id = ?',
);

/** The schedule of an id, in any workspace. */
export const findAnySchedule = SCHEDULES.first<[id: string]>('WHERE id = ?');

/** Whether there is any schedule. */
export const hasSchedules = SCHEDULES.has<[]>('LIMIT 1');

/** How many schedules a workspace has. */
export const countSchedules = SCHEDULES.count<[workspaceId: string]>('WHERE workspace_id = ?');

const ACTIVE = 'paused = 0 AND next_at IS NOT NULL';

/** The schedules that are due at that time (ISO), the oldest first, except those of some workspaces (a JSON list). */
export const listDueSchedules = SCHEDULES.list<[now: string, exceptOf: string, limit: number]>(
  `WHERE ${ACTIVE} AND next_at <= ? AND workspace_id NOT IN (SELECT value FROM json_each(?)) ORDER BY next_at LIMIT ?`,
);

/** When the next schedule of any workspace is due (ISO); null: none is. */
export const findNextDue = (reader: Reader): string | null =>
  readValue<string>(reader, `SELECT min(next_at) FROM schedules WHERE ${ACTIVE}`);

/** The schedules that are not paused and not due at that time (ISO), even if they seem to be over. */
export const listWaitingSchedules = SCHEDULES.list<[now: string]>(
  'WHERE paused = 0 AND (next_at IS NULL OR next_at > ?)',
);

/** A new schedule that is not stored yet. */
export const newSchedule = SCHEDULES.complete;

/** Stores a schedule, in place of what it was. */
export const saveSchedule = SCHEDULES.replace;

/** A schedule for an export or a backup. */
export const toKept = (schedule: StoredSchedule): KeptSchedule => {
  const { id, content, timing, timeZone, mode, chatId, projectId, agentType, model, cron, at, createdAt } =
    schedule;
  const target = { chatId, projectId, agentType, model };
  return { id, content, when: timing, timeZone, mode, ...target, rule: cron, at, createdAt };
};

const hasSchedule = SCHEDULES.has<[id: string]>('WHERE id = ?');

/** Adds the schedules that a store lacks to a workspace, as far as there is room, paused and without rights. */
export function addSchedules(writer: Writer, workspaceId: string, kept: readonly KeptSchedule[]): void {
  let room = MAX_SCHEDULES - countSchedules(writer, workspaceId);
  for (const { when, rule, ...schedule } of kept) {
    if (room <= 0 || hasSchedule(writer, schedule.id)) continue;
    const rights = { reach: false, paused: true, since: schedule.createdAt };
    SCHEDULES.insert(writer, { ...schedule, workspaceId, timing: when, cron: rule, ...rights });
    room -= 1;
  }
}

const saveNext = SCHEDULES.update(['nextAt'], 'WHERE id = ?');

/** Sets when a schedule is due next (ISO); null: it is over. */
export const updateNextAt = (writer: Writer, id: string, nextAt: string | null): void =>
  void saveNext(writer, { nextAt }, id);

/** Removes a schedule and its runs; what it has sent stays. */
export function deleteSchedule(writer: Writer, id: string): void {
  writer.run('DELETE FROM schedule_runs WHERE schedule_id = ?', [id]);
  writer.run('DELETE FROM schedules WHERE id = ?', [id]);
}

const RUNS = defineTable('schedule_runs', {
  scheduleId: text(),
  /** The time of the schedule that it is for; null: a person ran it. */
  dueAt: plain<string | null>(),
  ranAt: text(),
  chatId: plain<string | null>(null),
  messageId: plain<string | null>(null),
  /** `missed`: the time was too long over. */
  state: plain<'sent' | 'not_sent' | 'missed'>(),
  /** Why nothing was sent; null: a message was. */
  error: plain<string | null>(null),
});

/** A run as it is stored. */
type StoredRun = RowOf<typeof RUNS.columns>;

/** Stores a run, in place of a missed one of that time, and drops the oldest. */
export function createRun(writer: Writer, run: Parameters<typeof RUNS.insert>[1]): void {
  RUNS.replace(writer, run);
  writer.run(
    `DELETE FROM schedule_runs WHERE schedule_id = ? AND seq <= (
      SELECT seq FROM schedule_runs WHERE schedule_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
    [run.scheduleId, run.scheduleId, MAX_SCHEDULE_RUNS],
  );
}

/** Whether a schedule has run for that time (ISO). */
export const hasRun = RUNS.has<[scheduleId: string, dueAt: string]>(
  `WHERE schedule_id = ? AND due_at = ? AND state <> 'missed'`,
);

/** The tools that were allowed for the schedule that sent a message; null: none did. */
export const findAllowedTools = SCHEDULES.value<[messageId: string], 'allowed'>(
  'JOIN schedule_runs ON schedules.id = schedule_id WHERE message_id = ?',
  'allowed',
);

/** The latest runs of a schedule with what became of their messages, newest first. */
export const listRuns = (reader: Reader, scheduleId: string, limit: number): ScheduleRun[] =>
  reader
    .all<StoredRun & Outcome>(
      `SELECT due_at AS dueAt, ran_at AS ranAt, chats.id AS chatId, question.id AS messageId, run.state AS state, run.error AS error,
          question.status AS questionStatus, reply.status AS replyStatus, reply.stop_reason AS stopReason, reply.error_message AS replyError
        FROM (SELECT * FROM schedule_runs WHERE schedule_id = ? ORDER BY seq DESC LIMIT ?) AS run
        LEFT JOIN chats ON chats.id = run.chat_id AND chats.deleted_at IS NULL
        LEFT JOIN messages AS question ON question.id = run.message_id AND question.chat_id = chats.id AND question.deleted_at IS NULL
        LEFT JOIN messages AS reply
          ON reply.chat_id = question.chat_id AND reply.seq > question.seq AND reply.reply_to = question.id
        ORDER BY run.seq DESC`,
      [scheduleId, limit],
    )
    .map((row) => {
      const { dueAt, ranAt, chatId, messageId } = row;
      const status = statusOf(row);
      const error = row.error ?? (status === 'failed' ? row.replyError : null);
      return { dueAt, ranAt, chatId, messageId, status, error };
    });

/** What became of a run's message. */
interface Outcome {
  /** Null: it was deleted. */
  questionStatus: string | null;
  /** Null: there is none. */
  replyStatus: string | null;
  stopReason: string | null;
  replyError: string | null;
}

function statusOf({ state, questionStatus, replyStatus, stopReason }: StoredRun & Outcome): RunStatus {
  if (state !== 'sent') return state;
  if (questionStatus === null) return 'deleted';
  if (replyStatus === null) return questionStatus === 'pending' ? 'waiting' : 'stopped';
  if (replyStatus === 'pending' || replyStatus === 'streaming') return 'waiting';
  if (replyStatus === 'error') return 'failed';
  return stopReason === 'stopped' ? 'stopped' : 'replied';
}
