import { randomUUID } from 'node:crypto';
import { CHATS, type StoredChat } from '../../server/store/chat-columns.ts';
import type { NewMessage } from '../../server/store/message-repository.ts';

const CREATED_AT = '2026-11-20T12:00:00.000Z';

/** A chat to store as it is: at rest, and titled by a person. */
export const storedChat = (fields: Partial<StoredChat> = {}): StoredChat =>
  CHATS.complete({
    id: randomUUID(),
    workspaceId: 'workspace',
    title: 'A chat',
    titleSource: 'person',
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    ...fields,
  });

/** A message to store as it is: complete, and a user's unless it says otherwise. */
export const storedMessage = (fields: Partial<NewMessage> = {}): NewMessage => ({
  id: randomUUID(),
  chatId: 'chat',
  workspaceId: 'workspace',
  role: 'user',
  content: 'text',
  status: 'complete',
  mode: fields.role === 'assistant' ? null : 'agent',
  createdAt: CREATED_AT,
  ...fields,
});
