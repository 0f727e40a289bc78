import type { Message } from '../../shared/api/message.ts';
import type { MessageActions } from '../chats/message-actions.svelte.ts';
import type { Answerer } from '../composer/answerer.svelte.ts';
import { keepFocus } from './keep-focus.ts';

/** Another model takes over the chat, and answers a message anew at once. */
export async function goOnWith(
  answerer: Answerer,
  actions: MessageActions,
  message: Message,
  model: string,
): Promise<void> {
  await answerer.choose('model', model);
  if (answerer.model === model) await actions.retry(message).then(keepFocus);
}
