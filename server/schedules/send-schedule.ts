import { isKnownAgent } from '../agents/answerers.ts';
import type { ChatService } from '../chats/chat-service.ts';
import type { ServiceDeps } from '../chats/deps.ts';
import { isKnownModel } from '../connections/known-models.ts';
import { AppError } from '../errors.ts';
import { findChatIn } from '../store/chat-repository.ts';
import { findKey } from '../store/key-repository.ts';
import { hasProject } from '../store/project-repository.ts';
import {
  createRun,
  findAnySchedule,
  hasRun,
  updateNextAt,
  type StoredSchedule,
} from '../store/schedule-repository.ts';
import type { Reader } from '../store/types.ts';
import { nextTime } from './times.ts';

/** Dependencies of sending. */
export interface SendDeps extends ServiceDeps {
  chats: Pick<ChatService, 'send'>;
}

/** A schedule was changed, or has run for that time, since it was read. */
export class OvertakenError extends Error {
  override name = 'OvertakenError';
}

/**
 * Sends a schedule's message; in the same transaction, its run is stored and it moves on. `dueAt` (ISO): the time of its own that this is
 * for; null: a person runs it. Rejects as a send does, with {@link OvertakenError}, and with AppError `conflict` if it can't be sent.
 */
export async function sendSchedule(
  { store, clock, newId, chats }: SendDeps,
  schedule: StoredSchedule,
  dueAt: string | null,
  reach = schedule.reach,
): Promise<void> {
  const { id, workspaceId, chatId, projectId, agentType, model, keyId, content, mode } = schedule;
  const target = chatId ?? newId();
  const messageId = newId();
  const now = clock();
  const ranAt = now.toISOString();
  const key = store.read((reader) => {
    requireNoProblem(reader, schedule, ranAt);
    return keyId === null ? null : findKey(reader, keyId);
  });
  await chats.send({
    chatId: target,
    workspaceId,
    isNewChat: chatId === null,
    projectId,
    messageId,
    content,
    mode,
    // A new chat begins with the model; an existing one keeps its own.
    ...(chatId !== null && model !== null && { model }),
    ...((agentType ?? (chatId === null ? model : null)) !== null && {
      answerer: {
        ...(agentType !== null && { agentType }),
        ...(chatId === null && model !== null && { model }),
      },
    }),
    toolReach: reach ? 'unasked' : 'none',
    ...(key !== null && key.webhook !== null && { notifies: key.id }),
    also(writer) {
      const current = findAnySchedule(writer, id);
      if (current === null || (dueAt !== null && (current.paused || current.nextAt !== schedule.nextAt)))
        throw new OvertakenError();
      if (dueAt !== null && hasRun(writer, id, dueAt)) throw new OvertakenError();
      requireNoProblem(writer, current, ranAt);
      createRun(writer, { scheduleId: id, dueAt, ranAt, chatId: target, messageId, state: 'sent' });
      if (dueAt !== null) updateNextAt(writer, id, nextOf(writer, current, now));
    },
  });
}

function requireNoProblem(reader: Reader, schedule: StoredSchedule, now: string): void {
  const problem = findProblem(reader, schedule, now);
  if (problem !== null) throw new AppError('conflict', problem);
}

/** Why a schedule can't send at that time (ISO), in a sentence; null: it can. */
export function findProblem(reader: Reader, schedule: StoredSchedule, now: string): string | null {
  const { workspaceId, chatId, projectId, agentType, model, keyId } = schedule;
  const key = keyId === null ? null : findKey(reader, keyId);
  if (keyId !== null && (key === null || key.revokedAt !== null || (key.expiresAt ?? now) < now))
    return KEY_ENDED;
  if (chatId !== null && findChatIn(reader, chatId, workspaceId) === null) return CHAT_GONE;
  if (projectId !== null && !hasProject(reader, workspaceId, projectId)) return 'Its project was deleted.';
  if (agentType !== null && !isKnownAgent(reader, agentType)) return `Its agent “${agentType}” was deleted.`;
  if (model !== null && !isKnownModel(reader, model)) return `Its model “${model}” is not there any more.`;
  return null;
}

const KEY_ENDED = 'The API key that made it has ended. Save it again to take it over.';
const CHAT_GONE = 'Its chat was deleted, or moved to another workspace.';

/** The first time after `now` for which a schedule hasn't run (ISO); null: it is over. */
export function nextOf(reader: Reader, schedule: StoredSchedule, now: Date): string | null {
  const { id, at, cron, timeZone } = schedule;
  if (cron === null) return at !== null && at > now.toISOString() && !hasRun(reader, id, at) ? at : null;
  let next = nextTime({ cron, timeZone }, now);
  while (next !== null && hasRun(reader, id, next.toISOString())) next = nextTime({ cron, timeZone }, next);
  return next?.toISOString() ?? null;
}
