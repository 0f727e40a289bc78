import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkspacePort } from '../../../server/agents/workspace.ts';
import type { WorkspacePort } from '../../../server/tools/tool.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';

let processing: Processing;
let time = 0;
const clock = (): Date => new Date((time += 1_000));
beforeEach(async () => {
  processing = await startProcessing({ onTurn: echo, clock });
});
afterEach(() => processing.remove());

/** The workspace for the tools of a turn that answers this message. */
async function portOfNextTurn(content: string, workspaceId = WORKSPACE): Promise<WorkspacePort> {
  const { store, chats, search } = processing.life;
  const { id: chatId } = await chats.create({ workspaceId, agentType: 'a' });
  await chats.send({ chatId, workspaceId, content, mode: 'agent' });
  await processing.untilAtRest(chatId);
  const fromSeq = processing.messages(chatId)[0]?.seq ?? 0;
  return createWorkspacePort({
    ...{ store, search, clock, newId: randomUUID, workspaceId },
    except: { chatId, fromSeq },
  });
}

test('finds earlier messages of the workspace, but not the turn itself', async () => {
  const earlier = await processing.createChat();
  await processing.send(earlier, 'The lighthouse is painted red.');
  await processing.untilAtRest(earlier);
  const port = await portOfNextTurn('What colour is the lighthouse?');
  const found = await port.searchMessages('lighthouse', 10);
  expect(found.map(({ chatId, role }) => `${role} in ${chatId}`).sort()).toEqual([
    `assistant in ${earlier}`,
    `user in ${earlier}`,
  ]);
  expect(found[0]?.chatTitle).toBe('The lighthouse is painted red.');
  expect(await port.searchMessages('lighthouse', 1)).toHaveLength(1);
  const elsewhere = await portOfNextTurn('lighthouse', 'elsewhere');
  expect(await elsewhere.searchMessages('lighthouse', 10)).toEqual([]);
});

test('keeps, lists and removes notes of the workspace', async () => {
  const port = await portOfNextTurn('hello');
  const key = await port.addNote('The spare keys are with Ana');
  const wifi = await port.addNote('The Wi-Fi password is swordfish');
  expect(port.listNotes()).toEqual([wifi, key]);
  const elsewhere = await portOfNextTurn('hello', 'elsewhere');
  expect(elsewhere.listNotes()).toEqual([]);
  expect(await elsewhere.deleteNote(key.id)).toBe(false);
  expect(await port.deleteNote(key.id)).toBe(true);
  expect(port.listNotes()).toEqual([wifi]);
});
