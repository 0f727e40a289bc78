import { expect, it, onTestFinished } from 'vitest';
import { backupLines } from '../../../server/data/backup-lines.ts';
import { createAgent } from '../../../server/store/agent-repository.ts';
import { createChat, updateChatMarks } from '../../../server/store/chat-repository.ts';
import { createMessage } from '../../../server/store/message-repository.ts';
import { createNote } from '../../../server/store/note-repository.ts';
import { createWorkspace } from '../../../server/store/workspace-repository.ts';
import { filesOf, openTempStore } from '../../support/store.ts';
import { storedChat, storedMessage } from '../../support/stored.ts';

const TIME = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:00:05.000Z';

it('writes a backup byte for byte as it always was: files from before and after must read the same', async () => {
  const temp = await openTempStore();
  onTestFinished(() => temp.remove());
  await temp.store.write((writer) => {
    createWorkspace(writer, { id: 'w', name: 'Work "1"', createdAt: TIME, defaultModel: 'm' });
    createNote(writer, { id: 'n', workspaceId: 'w', text: 'Tea,\nnot coffee', createdAt: TIME });
    const made = { createdAt: TIME, updatedAt: LATER };
    const agent = { agentType: 'writer', name: 'Writer', description: 'd', instructions: 'i', stepLimit: 9 };
    createAgent(writer, { ...agent, model: null, tools: ['calculate'], ...made });
    const chat = storedChat({ id: 'c', workspaceId: 'w', title: 'Tea', status: 'processing', ...made });
    createChat(writer, { ...chat, attempts: 2, lastProgressAt: LATER });
    updateChatMarks(writer, { ...chat, pinned: true, archived: true, unread: true }, 'c');
    const place = { chatId: 'c', workspaceId: 'w', createdAt: TIME };
    createMessage(writer, storedMessage({ id: 'q', content: 'a\0b', toolReach: 'none', ...place }));
    const reply = storedMessage({
      id: 'r',
      role: 'assistant',
      status: 'error',
      content: 'So "far"',
      ...place,
    });
    createMessage(writer, {
      ...reply,
      model: 'a/b',
      steps: [{ id: '1', tool: 'calculate', status: 'done', input: { x: 1 }, output: 1 }],
      reasoning: 'hm',
      error: { code: 'model_failed', message: 'It said “no”.' },
      usage: { inputTokens: 3 },
      stopReason: 'length',
      replyTo: 'q',
    });
  });
  let text = '';
  for await (const piece of backupLines({ store: temp.store, files: filesOf(temp) }, TIME)) text += piece;
  expect(text.split('\n')).toEqual([
    '{"format":"parley-backup","version":1,"createdAt":"2026-11-20T12:00:00.000Z","settings":{},"agents":[{"agentType":"writer","name":"Writer","description":"d","instructions":"i","model":null,"tools":["calculate"],"stepLimit":9,"createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:05.000Z"}],"workspaces":[',
    '{"workspace":{"id":"w","name":"Work \\"1\\"","createdAt":"2026-11-20T12:00:00.000Z"},"notes":[{"id":"n","text":"Tea,\\nnot coffee","createdAt":"2026-11-20T12:00:00.000Z"}],"chats":[',
    '{"chat":{"id":"c","title":"Tea","status":"processing","model":"offline-assistant","createdAt":"2026-11-20T12:00:00.000Z","updatedAt":"2026-11-20T12:00:05.000Z","workspaceId":"w","agentType":"orchestrator","pinned":true,"archived":true,"unread":true},"titleSource":"person","messages":[',
    '{"role":"user","content":"a\\u0000b","status":"complete","createdAt":"2026-11-20T12:00:00.000Z","id":"q","mode":"agent"},',
    '{"role":"assistant","content":"So \\"far\\"","status":"error","createdAt":"2026-11-20T12:00:00.000Z","id":"r","model":"a/b","steps":[{"id":"1","tool":"calculate","status":"done","input":{"x":1},"output":1}],"error":{"code":"model_failed","message":"It said “no”."},"reasoning":"hm","usage":{"inputTokens":3},"stopReason":"length","replyTo":"q"}',
    ']}',
    ']}',
    ']}',
    '',
  ]);
});
