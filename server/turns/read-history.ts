import { REHEARSAL_MODEL_NAME } from '../../shared/models.ts';
import type { TurnRequest } from '../agents/turn.ts';
import { readBranch, type BranchBounds } from '../agents/branch.ts';
import { isModelName } from '../connections/model-names.ts';
import { lesserReach, type StoredMessage, type ToolReach } from '../store/message-repository.ts';
import { findOpening } from '../store/branch-repository.ts';
import type { Reader } from '../store/types.ts';
import type { TakenTurn } from './chat-rows.ts';
import type { FiledMessage } from './turn-files.ts';

/** As much as the offline assistant heeds. A connected model gets all: what it can't read is summarised before (server/context/). */
const BUILT_IN_BOUNDS: BranchBounds = { maxExchanges: 20, maxCharacters: 400_000 };

/** A conversation, and which files its messages have. */
export interface FiledHistory extends Pick<TurnRequest, 'summary'> {
  messages: FiledMessage[];
}

/** The conversation up to the message to answer, which is the last, and the summary that stands for what is before it. */
export function readHistory(reader: Reader, turn: TakenTurn): FiledHistory {
  const { chat, message } = turn;
  const bounds = isModelName(chat.model) ? BUILT_IN_BOUNDS : {};
  const { summary, exchanges } = readBranch(reader, chat.id, { ...bounds, beforeSeq: message.seq });
  const messages = exchanges.flatMap(({ question, reply }): FiledMessage[] => [
    { ...filed(question), isUnanswered: reply === null },
    ...(reply === null
      ? []
      : [
          {
            message: { role: 'assistant' as const, content: reply.content, steps: reply.steps },
            attachments: [],
          },
        ]),
  ]);
  messages.push(filed(message));
  return { messages, ...(summary !== null && { summary: summary.text }) };
}

const filed = ({ content, attachments }: Pick<StoredMessage, 'content' | 'attachments'>): FiledMessage => ({
  message: { role: 'user', content, steps: [] },
  attachments: attachments ?? [],
});

/**
 * Where the chat's rehearsal stands. Counted in the store, not in the history: that leaves out what was stopped early, and
 * doesn't reach back to the first message for ever.
 */
export function readCue(reader: Reader, { chat, message }: TakenTurn): Pick<TurnRequest, 'rehearsal'> {
  const found = findOpening(reader, chat.id, message.seq);
  return found === null ? {} : { rehearsal: { opening: found.opening, turn: found.turn } };
}

/**
 * Which tools a turn gets: those of the key that sent the message. A rehearsal does what its script says, so it gets no more
 * than whoever wrote that; ready scripts are Parley's own.
 */
export function readToolReach(reader: Reader, { chat, message }: TakenTurn): ToolReach {
  const own = message.toolReach ?? 'all';
  if (chat.model !== REHEARSAL_MODEL_NAME) return own;
  return lesserReach(own, findOpening(reader, chat.id, message.seq)?.toolReach ?? 'all');
}
