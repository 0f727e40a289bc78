/** Gathers what a chat's turn needs, from the rows as they are when it starts. */
import { isRehearsal, REHEARSAL_MODEL_NAME } from '../../shared/models.ts';
import { readBranch, type BranchBounds } from '../agents/branch.ts';
import type { AgentDefinition } from '../agents/definitions.ts';
import { readAgents, withInstructions, withParameters } from '../agents/read-agents.ts';
import { sharedInstructions } from '../agents/setup.ts';
import type { TurnRequest } from '../agents/turn.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { isModelName } from '../connections/model-names.ts';
import { RECORDS } from '../connections/providers/index.ts';
import type { FileStore } from '../files/file-store.ts';
import { wantsServiceTool } from '../models/offline/forms/read-form.ts';
import type { SearchIndexer } from '../search/search-indexer.ts';
import { findOpening } from '../store/branch-repository.ts';
import { createReplySaver } from '../store/growing-reply.ts';
import { lesserReach, type StoredMessage } from '../store/message-repository.ts';
import { readInSlices } from '../store/pieces.ts';
import { findAllowedTools } from '../store/schedule-repository.ts';
import type { Reader } from '../store/types.ts';
import type { ToolSource } from '../tools/tool.ts';
import type { Approvals } from './approvals.ts';
import type { FollowUpDeps } from './follow-up.ts';
import { offerTools } from './offer-tools.ts';
import { saveProgress, type TakenTurn } from './rows.ts';
import type { Prepared } from './turn.ts';
import { giveFiles, type FiledMessage } from './turn-files.ts';
import { createTurnTools } from './turn-tools.ts';
import { createWorkspacePort } from './workspace-port.ts';

/** Dependencies of a chat's turn. */
export interface PrepareDeps extends FollowUpDeps {
  /** Bytes of messages' files. */
  files: Pick<FileStore, 'read' | 'textOf'>;
  /** Where tools of the service come from. */
  toolSources: readonly ToolSource[];
  approvals: Approvals;
  /** How long a person has to answer, in milliseconds. */
  approvalMs: number;
  /** Updates the search index before a tool searches. */
  search: Pick<SearchIndexer, 'catchUp'>;
}

/**
 * Finds the tools of a chat's turn, reads its files and makes the request for one attempt. Rejects with the signal's reason if that
 * fires. `onProgress` is called when a tool of the service makes progress.
 */
export async function prepareTurn(
  deps: PrepareDeps,
  taken: TakenTurn,
  access: ModelAccess | null,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<Prepared> {
  const { store, clock, newId } = deps;
  const { chat, message, replyId, attempt } = taken;
  const onError = (error: unknown): void => deps.onError(error, chat.id);
  const [first, ...others] = store.read((reader) => readAgents(reader, chat));
  const instructed = withInstructions(first, ...store.read((reader) => sharedInstructions(reader, chat)));
  const agents: [AgentDefinition, ...AgentDefinition[]] = [
    withParameters(instructed, chat.parameters, message.parameters),
    ...others,
  ];
  // Counted in the store: the history leaves out replies that were stopped early, and may not go back to the first message.
  const script = isRehearsal(chat.model)
    ? store.read((reader) => findOpening(reader, chat.id, message.seq))
    : null;
  const own = message.toolReach ?? 'all';
  // It does what its script says, so it may use no more than whoever sent that; ready scripts are Parley's own.
  const reach = chat.model === REHEARSAL_MODEL_NAME ? lesserReach(own, script?.toolReach ?? 'all') : own;
  const asked = {
    agents,
    model: chat.model,
    wantsServiceTool: wantsServiceTool(message.content),
    access,
    reach,
    isChat: message.mode === 'chat',
  };
  const { agent, helpers, callable } = await offerTools(deps.toolSources, asked, onError);
  const { messages, summary } = await readInSlices(store, (reader) => readHistory(reader, taken));
  signal.throwIfAborted();
  const seesPictures = access === null ? false : (access.pictures ?? null);
  const given = await giveFiles(deps, messages, { seesPictures, signal });
  signal.throwIfAborted();
  const scope = { store, clock, newId, workspaceId: chat.workspaceId, chatId: chat.id, replyId };
  const workspace = createWorkspacePort({ ...scope, search: deps.search, fromSeq: message.seq });
  const timeZone = deps.timeZone();
  const now = clock();
  const saver = createReplySaver(replyId);
  return {
    request: {
      turnId: `${message.id}.${attempt}`,
      chatId: chat.id,
      workspaceId: chat.workspaceId,
      agent,
      ...(helpers.length > 0 && { helpers }),
      access,
      mode: message.mode ?? 'agent',
      model: chat.model,
      ...(script && { rehearsal: { opening: script.opening, turn: script.turn } }),
      messages: given,
      ...(summary !== undefined && { summary }),
      now: now.toISOString(),
      timeZone,
    },
    workspace,
    host: createTurnTools({
      ...scope,
      takesPictures: access !== null && RECORDS[access.provider].takesPictures,
      approvals: deps.approvals,
      tools: callable,
      context: { workspace, now, timeZone },
      mayAsk: reach === 'all',
      allowed: reach === 'unasked' ? store.read((reader) => findAllowedTools(reader, message.id)) : null,
      approvalMs: deps.approvalMs,
      signal,
      onProgress,
      onFault: onError,
    }),
    save: (growth) =>
      store.write((writer) => saveProgress(writer, taken, saver, growth, clock().toISOString())),
  };
}

/** How much of a chat the built-in models read. A connected model gets all of it; what doesn't fit has been summarised. */
const BUILT_IN_BOUNDS: BranchBounds = { maxExchanges: 20, maxCharacters: 400_000 };

/** A conversation and the files of its messages. */
interface FiledHistory extends Pick<TurnRequest, 'summary'> {
  messages: FiledMessage[];
}

/** The conversation up to the message to answer, which is the last one, and the summary of what came before. */
function* readHistory(reader: Reader, turn: TakenTurn): Generator<void, FiledHistory> {
  const { chat, message } = turn;
  const bounds = isModelName(chat.model) ? BUILT_IN_BOUNDS : {};
  const { summary, exchanges } = yield* readBranch(reader, chat.id, { ...bounds, beforeSeq: message.seq });
  const messages = exchanges.flatMap(({ question, reply }): FiledMessage[] => [
    { ...filed(question), isUnanswered: reply === null },
    ...(reply === null
      ? []
      : [
          {
            message: {
              role: 'assistant' as const,
              content: reply.content,
              steps: reply.steps,
              ...(reply.rounds && { rounds: reply.rounds }),
              ...(reply.model !== chat.model && { isOfOther: true as const }),
            },
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
