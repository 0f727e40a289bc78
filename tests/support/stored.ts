import { randomUUID } from 'node:crypto';
import { CHATS, type StoredChat } from '../../server/store/chat-columns.ts';
import { createMessage, type NewMessage } from '../../server/store/message-repository.ts';
import type { Service } from '../../server/service.ts';
import type { Chat } from '../../shared/api/chat.ts';

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

/** Adds waiting messages to a chat that no worker takes. */
export async function park(
  { service }: { service: Pick<Service, 'store'> },
  { id: chatId, workspaceId }: Chat,
  from: number,
  to: number,
): Promise<void> {
  await service.store.write((writer) => {
    for (let index = from; index < to; index += 1) {
      createMessage(
        writer,
        storedMessage({ id: `waiting-${index}`, chatId, workspaceId, status: 'pending' }),
      );
    }
  });
}
