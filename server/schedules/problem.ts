import { isKnownAgent } from '../agents/answerers.ts';
import { isKnownModel } from '../connections/known-models.ts';
import { findChatIn } from '../store/chat-repository.ts';
import { findKey } from '../store/key-repository.ts';
import { hasProject } from '../store/project-repository.ts';
import type { StoredSchedule } from '../store/schedule-repository.ts';
import type { Reader } from '../store/types.ts';

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
