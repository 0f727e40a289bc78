/** Converts a chat of another app to Parley's export format, so that all later steps are the same for both. */
import type { ExportedMessage } from '../../../shared/api/data.ts';
import { DEFAULT_AGENT_TYPE } from '../../../shared/limits.ts';
import { titleFrom } from '../../lib/titles.ts';
import type { Findings } from '../findings.ts';
import { idFrom } from '../repair-fields.ts';
import { finishChat, openReadChat, takeMessage, type ReadChat } from '../read-chat.ts';
import { turnsOf, type SourceTurn } from './branches.ts';
import type { SourceChat, SourceNode } from './source-chat.ts';
import { isEmptyReply, writeTogether, type WrittenReply } from './write-reply.ts';

/**
 * The chat with that number in its file, from 1; null, with a finding, if it has no messages. Its ids are derived from those of its
 * app, so that it is imported only once.
 */
export function convertChat(
  source: SourceChat,
  app: string,
  number: number,
  findings: Findings,
): ReadChat | null {
  const chatId = idFrom(app, source.id);
  const { messages, isCut } = writeMessages(source, chatId);
  const times = messages.map(({ createdAt }) => createdAt).filter((time) => time !== '');
  const createdAt = source.createdAt ?? times[0] ?? new Date(0).toISOString();
  const title = source.title.replace(/\s+/g, ' ').trim();
  const question = messages.find(({ role }) => role === 'user')?.content ?? messages[0]?.content ?? '';
  const head = {
    id: chatId,
    title: title || titleFrom(question),
    status: 'idle',
    // Only messages name the models that wrote them.
    model: '',
    createdAt,
    updatedAt: source.updatedAt ?? times.at(-1) ?? createdAt,
    workspaceId: '',
    agentType: DEFAULT_AGENT_TYPE,
    pinned: source.pinned ?? false,
    archived: source.archived ?? false,
  };
  const open = openReadChat(
    { chat: head, titleSource: title === '' ? 'message' : 'model' },
    number,
    findings,
  );
  if (open === null) return null;
  if (messages.length === 0) {
    findings.leaveOut(open.location, 'It has no messages, so it is left out.');
    return null;
  }
  if (isCut)
    findings.repaired(
      open.location,
      'Not all of its other versions come along: there are too many, or they belong to no message.',
    );
  let before = createdAt;
  for (const message of messages) {
    before = message.createdAt || before;
    takeMessage({ ...message, createdAt: before }, open, findings);
  }
  return finishChat(open, findings);
}

/** The messages; unknown times are empty. `isCut`: some versions were left out. */
function writeMessages(source: SourceChat, chatId: string): { messages: ExportedMessage[]; isCut: boolean } {
  const messages: ExportedMessage[] = [];
  let isCut = false;
  const idOf = (key: string): string => idFrom(chatId, 'question', key);
  const nodesOf = (ids: readonly string[]): SourceNode[] => ids.flatMap((id) => source.nodes.get(id) ?? []);
  for (const turn of turnsOf(source, () => (isCut = true))) {
    const question = turn.question === null ? null : writeTogether(nodesOf([turn.question]));
    const reply = writeTogether(nodesOf(turn.reply));
    const links = linksOf(turn, idOf);
    if (question !== null)
      messages.push({ ...message('user', idOf(turn.key), question), mode: 'agent', ...links });
    if (isEmptyReply(reply)) continue;
    const model = reply.model ?? source.model ?? null;
    messages.push({
      ...message('assistant', idFrom(chatId, 'reply', turn.key), reply),
      ...(reply.error !== null && {
        status: 'error',
        error: { code: 'model_failed', message: reply.error },
      }),
      ...(model !== null && { model }),
      ...(reply.steps.length > 0 && { steps: reply.steps }),
      ...(reply.reasoning !== '' && { reasoning: reply.reasoning }),
      ...(reply.error === null && { stopReason: reply.stopReason }),
      ...(question !== null && { replyTo: idOf(turn.key) }),
      ...(links.hiddenBy !== undefined && { hiddenBy: links.hiddenBy }),
    });
  }
  return { messages, isCut };
}

const linksOf = (
  { versionOf, retryOf, hiddenBy }: SourceTurn,
  idOf: (key: string) => string,
): Pick<ExportedMessage, 'versionOf' | 'retryOf' | 'hiddenBy'> => ({
  ...(versionOf !== null && { versionOf: idOf(versionOf), retryOf: retryOf && idOf(retryOf) }),
  ...(hiddenBy !== null && { hiddenBy: idOf(hiddenBy) }),
});

const message = (
  role: 'user' | 'assistant',
  id: string,
  { content, createdAt }: WrittenReply,
): Pick<ExportedMessage, 'role' | 'id' | 'content' | 'status' | 'createdAt'> => ({
  role,
  id,
  content,
  status: 'complete',
  createdAt: createdAt ?? '',
});
