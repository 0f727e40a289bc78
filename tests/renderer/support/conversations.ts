import type { Attachment } from '../../../shared/api/attachment.ts';
import type { Chat } from '../../../shared/api/chat.ts';
import type { Message } from '../../../shared/api/message.ts';

const NOW = '2026-11-20T12:00:00.000Z';

/** A chat at rest, with these fields changed. */
export const aChat = (changes: Partial<Chat> = {}): Chat => ({
  id: 'chat',
  title: 'A chat',
  status: 'idle',
  model: 'm',
  createdAt: NOW,
  updatedAt: NOW,
  workspaceId: 'w',
  agentType: 'orchestrator',
  pinned: false,
  archived: false,
  ...changes,
});

/** A final message: a reply to `u<n>` when its id begins with "a", with these fields changed. */
export const aMessage = (id: string, changes: Partial<Message> = {}): Message => ({
  id,
  role: id.startsWith('u') ? 'user' : 'assistant',
  content: `text of ${id}`,
  status: 'complete',
  createdAt: NOW,
  ...(id.startsWith('a') && { replyTo: id.replace('a', 'u') }),
  ...changes,
});

/** A small text file of a message, with these fields changed. */
export const aFile = (id: string, changes: Partial<Attachment> = {}): Attachment => ({
  id,
  name: `${id}.txt`,
  kind: 'text',
  mediaType: 'text/plain',
  bytes: 10,
  ...changes,
});
