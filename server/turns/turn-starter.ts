/** Puts together what a turn needs, from the rows as they are when it starts. */
import type { Step } from '../../shared/api/message.ts';
import { isRehearsal } from '../../shared/models.ts';
import type { AgentDefinition } from '../agents/definitions.ts';
import type { AgentRuntime } from '../agents/turn.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { RECORDS } from '../connections/providers/index.ts';
import type { FileStore } from '../files/file-store.ts';
import { wantsServiceTool } from '../models/offline/forms/read-form.ts';
import type { SearchIndexer } from '../search/search-indexer.ts';
import { createReplySaver } from '../store/growing-reply.ts';
import { findProjectOf } from '../store/project-repository.ts';
import { readInSlices } from '../store/pieces.ts';
import { listBegunCalls } from '../store/tool-call-repository.ts';
import type { Store } from '../store/types.ts';
import type { ToolSource } from '../tools/tool.ts';
import type { Approvals } from './approvals.ts';
import { saveProgress, type TakenTurn } from './chat-rows.ts';
import type { LiveReplies } from './live-replies.ts';
import { offerTools } from './offer-tools.ts';
import {
  readAgents,
  readCue,
  readHistory,
  readToolReach,
  withInstructions,
  withParameters,
} from './read-turn.ts';
import { runAgent, type TurnEnd } from './running-turn.ts';
import { giveFiles } from './turn-files.ts';
import { createTurnTools } from './turn-tools.ts';
import { createWorkspacePort } from './workspace-port.ts';

/** Dependencies for starting turns. */
export interface TurnStarterDeps {
  store: Store;
  runtime: AgentRuntime;
  /** Bytes of messages' files. */
  files: Pick<FileStore, 'read' | 'textOf'>;
  /** Where tools of the service come from. */
  toolSources: readonly ToolSource[];
  approvals: Approvals;
  /** How long a person has to answer, in milliseconds. */
  approvalMs: number;
  /** Updates the search index before a tool searches. */
  search: Pick<SearchIndexer, 'catchUp'>;
  clock: () => Date;
  newId: () => string;
  /** IANA zone of the person, e.g. `Europe/Paris`, as it is now. */
  timeZone: () => string;
  /** The current timeout in milliseconds: a turn without progress for this long fails with `timed_out`. */
  turnTimeoutMs: () => number;
  /** Called with internal errors. The work continues. */
  onError: (error: unknown, chatId: string) => void;
}

/** Where turns report their state. */
export interface TurnListeners {
  live: LiveReplies;
  /** A chat's steps that wait for a person; none at the end. */
  onAsking: (chatId: string, waiting: readonly Step[]) => void;
}

/**
 * Finds the tools of a turn, reads its files and lets the agent make the reply, in a separate thread if `alone`. Resolves with the
 * outcome. Rejects with the signal's reason if that fires before the agent starts.
 */
export type StartTurn = (
  taken: TakenTurn,
  access: ModelAccess | null,
  how: { alone: boolean; signal: AbortSignal },
) => Promise<TurnEnd>;

/** Starts the processor's turns. */
export function createTurnStarter(deps: TurnStarterDeps, { live, onAsking }: TurnListeners): StartTurn {
  const { store, clock, newId } = deps;
  const now = (): string => clock().toISOString();

  return async (taken, access, { alone, signal: ending }) => {
    const { chat, message, replyId } = taken;
    const onError = (error: unknown): void => deps.onError(error, chat.id);
    const [own, ...others] = store.read((reader) => readAgents(reader, chat));
    const project = store.read((reader) => findProjectOf(reader, chat));
    const agents: [AgentDefinition, ...AgentDefinition[]] = [
      withParameters(withInstructions(own, project?.instructions ?? ''), chat.parameters, message.parameters),
      ...others,
    ];
    const reach = store.read((reader) => readToolReach(reader, taken));
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
    ending.throwIfAborted();
    const seesPictures = access === null ? false : (access.pictures ?? null);
    const given = await giveFiles(deps, messages, { seesPictures, signal: ending });
    ending.throwIfAborted();
    const scope = { store, clock, newId, workspaceId: chat.workspaceId, chatId: chat.id, replyId };
    const saver = createReplySaver(replyId);
    const workspace = createWorkspacePort({
      ...scope,
      search: deps.search,
      fromSeq: message.seq,
    });
    const timeZone = deps.timeZone();
    const startedAt = clock();
    return runAgent({
      runtime: deps.runtime,
      ending,
      request: {
        turnId: `${message.id}.${taken.attempt}`,
        chatId: chat.id,
        workspaceId: chat.workspaceId,
        agent,
        ...(helpers.length > 0 && { helpers }),
        access,
        ...(alone && { alone }),
        mode: message.mode ?? 'agent',
        model: chat.model,
        ...(isRehearsal(chat.model) && store.read((reader) => readCue(reader, taken))),
        messages: given,
        ...(summary !== undefined && { summary }),
        now: startedAt.toISOString(),
        timeZone,
      },
      workspace,
      host: (signal, onProgress) =>
        createTurnTools({
          ...scope,
          takesPictures: access !== null && RECORDS[access.provider].takesPictures,
          approvals: deps.approvals,
          tools: callable,
          context: { workspace, now: startedAt, timeZone },
          mayAsk: reach === 'all',
          approvalMs: deps.approvalMs,
          signal,
          onProgress,
          onFault: (_tool, error) => onError(error),
        }),
      onAsking: (waiting) => onAsking(chat.id, waiting),
      timeoutMs: deps.turnTimeoutMs(),
      live,
      replyId,
      begunCalls: () => store.read((reader) => listBegunCalls(reader, replyId)),
      save: (growth) => store.write((writer) => saveProgress(writer, taken, saver, growth, now())),
      onError,
    });
  };
}
