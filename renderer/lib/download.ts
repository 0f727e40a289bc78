import type { Chat } from '../../shared/api/chat.ts';
import type { ApiClient } from '../api/client.ts';

/** Has the browser keep a chat as a file. Rejects as the API does. */
export async function exportChat(api: ApiClient, chat: Chat, format: 'markdown' | 'json'): Promise<void> {
  await api.open(`/api/v1/chats/${encodeURIComponent(chat.id)}/export?format=${format}`);
}
