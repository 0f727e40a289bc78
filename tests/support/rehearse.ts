/** Chats whose replies the model `rehearsal` plays by a script. */
import type { Message, Step, StepApproval } from '../../shared/api/message.ts';
import { eventually } from './eventually.ts';
import type { TestClient } from './service.ts';

/** A message that holds a script, played as fast as can be. */
export const script = (...lines: string[]): string =>
  ['````rehearsal', '::speed max', ...lines, '````'].join('\n');

/** A new chat in which scripts are played; resolves with its id. */
export async function createRehearsal(client: TestClient, chat: object = {}): Promise<string> {
  const { id } = await client.createChat(chat);
  await client.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { model: 'rehearsal' } });
  return id;
}

/** A new chat in which such a script is played; resolves with its id. */
export async function rehearse(client: TestClient, ...lines: string[]): Promise<string> {
  const id = await createRehearsal(client);
  await client.send(id, script(...lines));
  return id;
}

/** The chat's last reply. */
export const replyOf = async (client: TestClient, chatId: string): Promise<Message | undefined> =>
  (await client.messages(chatId)).findLast(({ role }) => role === 'assistant');

/** The steps of the chat's last reply. */
export const stepsOf = async (client: TestClient, chatId: string): Promise<Step[]> =>
  (await replyOf(client, chatId))?.steps ?? [];

/** The first thing that the chat's reply asks for, of that tool alone when one is named, once it does. */
export const asked = (client: TestClient, chatId: string, tool?: string): Promise<StepApproval> =>
  eventually(async () => {
    const approval = (await stepsOf(client, chatId)).find(
      (step) => step.status === 'awaiting_approval' && step.tool === (tool ?? step.tool),
    )?.approval;
    if (approval === undefined) throw new Error('Nothing is asked.');
    return approval;
  });
