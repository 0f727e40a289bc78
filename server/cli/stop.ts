/** `parley stop`: ends the reply that is being written in a chat. */
import type { ChatAnswer } from '../../shared/api/chat.ts';
import { isUnsettled } from '../../shared/choices.ts';
import { connect, type ServiceOptions } from './client.ts';
import { chatPath, findNamedChat } from './find-chat.ts';
import { note } from './terminal.ts';

/** Stops the reply, and everything that waits in the chat. */
export async function stop(name: string, options: ServiceOptions): Promise<void> {
  const client = await connect(options);
  const chat = await findNamedChat(client, name);
  await client.post<ChatAnswer>(chatPath(chat.id, '/stop'));
  note(isUnsettled(chat.status) ? 'Stopped.' : 'No reply was in progress in that chat.');
}
