/** What a turn works with, put together from the rows as they are when it begins. */
import type { Step } from '../../shared/api/message.ts';
import { APPROVAL_WINDOW_MS } from '../../shared/limits.ts';
import { isRehearsal } from '../../shared/models.ts';
import type { AgentDefinition } from '../agents/definitions.ts';
import type { TurnRequest } from '../agents/turn.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { RECORDS } from '../connections/providers/index.ts';
import { createApprovals } from './approvals.ts';
import { createCallFiles } from './call-files.ts';
import { createCallJournal } from './call-journal.ts';
import { offerTools, type Offer } from './offer-tools.ts';
import { createTurnFiles } from './turn-files.ts';
import { createTurnTools } from './turn-tools.ts';
import { wantsServiceTool } from '../models/offline/forms/read-form.ts';
import { createReplySaver } from '../store/growing-reply.ts';
import type { ToolReach } from '../store/message-repository.ts';
import { findProjectOf } from '../store/project-repository.ts';
import type { LiveReplies } from './live-replies.ts';
import { saveProgress, type TakenTurn } from './chat-rows.ts';
import { readCue, readHistory, readToolReach } from './read-history.ts';
import type { ProcessorDeps } from './processor-deps.ts';
import { readAgents, withInstructions, withParameters } from './read-agent.ts';
import { startTurn, type RunningTurn } from './running-turn.ts';
import { createWorkspacePort } from './workspace-port.ts';

const DEFAULT_TURN_TIMEOUT_MS = 5 * 60_000;

const noFile = (): Promise<never> => Promise.reject(new Error('There are no files here.'));
const NO_FILES = { read: noFile, textOf: noFile };

/** Whom a turn under way tells. */
export interface TurnStarterListeners {
  /** Where replies stand while they are written. */
  live: LiveReplies;
  /** A chat's steps that wait for a person, whenever which do has changed. */
  onAsking: (chatId: string, waiting: readonly Step[]) => void;
}

/** Starts turns. */
export interface TurnStarter {
  /** How long a turn may get nowhere, in milliseconds, as things are now. */
  timeoutMs(): number;
  /**
   * Finds the tools of a turn and reads its files; calling what this resolves with lets the agent begin, in a thread of its own if
   * `alone`. The signal ends the reading.
   */
  prepare(
    taken: TakenTurn,
    access: ModelAccess | null,
    how: { alone: boolean; signal: AbortSignal },
  ): Promise<() => RunningTurn>;
}

/** A starter of the processor's turns. */
export function createTurnStarter(
  deps: ProcessorDeps,
  { live, onAsking }: TurnStarterListeners,
): TurnStarter {
  const { store, clock, newId } = deps;
  const turnFiles = createTurnFiles({ store, files: deps.files ?? NO_FILES });
  const approvals = deps.approvals ?? createApprovals({ store, clock });
  const now = (): string => clock().toISOString();
  const timeoutMs = (): number => {
    const timeout = deps.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS;
    return typeof timeout === 'number' ? timeout : timeout();
  };

  async function prepare(
    taken: TakenTurn,
    access: ModelAccess | null,
    { alone, signal }: { alone: boolean; signal: AbortSignal },
  ): Promise<() => RunningTurn> {
    const { chat, message } = taken;
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
    const offer = await offerTools(deps.toolSources ?? [], asked, (error) => deps.onError?.(error, chat.id));
    const { messages, summary } = store.read((reader) => readHistory(reader, taken));
    const seesPictures = access === null ? false : (access.pictures ?? null);
    const given = messages.some(({ attachments }) => attachments.length > 0)
      ? await turnFiles.give(messages, { seesPictures, signal })
      : messages.map(({ message: one }) => one);
    const history = { messages: given, ...(summary !== undefined && { summary }) };
    return () => begin(taken, access, offer, { reach, alone, history });
  }

  function begin(
    taken: TakenTurn,
    access: ModelAccess | null,
    { agent, helpers, callable }: Offer,
    {
      reach,
      alone,
      history,
    }: { reach: ToolReach; alone: boolean; history: Pick<TurnRequest, 'messages' | 'summary'> },
  ): RunningTurn {
    const { chat, message, replyId } = taken;
    const onError = (error: unknown): void => deps.onError?.(error, chat.id);
    const journal = createCallJournal({ store, clock, newId, chatId: chat.id, replyId });
    const saver = createReplySaver(replyId);
    const workspace = createWorkspacePort({
      store,
      search: deps.search,
      clock,
      newId,
      workspaceId: chat.workspaceId,
      chatId: chat.id,
      fromSeq: message.seq,
      journal,
    });
    const timeZone = typeof deps.timeZone === 'string' ? deps.timeZone : deps.timeZone();
    const startedAt = clock();
    return startTurn({
      runtime: deps.runtime,
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
        ...history,
        now: startedAt.toISOString(),
        timeZone,
      },
      workspace,
      host: (signal, onProgress) =>
        createTurnTools({
          store,
          clock,
          newId,
          chatId: chat.id,
          workspaceId: chat.workspaceId,
          journal,
          files: createCallFiles({
            store,
            newId,
            chatId: chat.id,
            replyId,
            takesPictures: access !== null && RECORDS[access.provider].takesPictures,
          }),
          approvals,
          tools: callable,
          context: { workspace, now: startedAt, timeZone },
          mayAsk: reach === 'all',
          approvalMs: deps.approvalMs ?? APPROVAL_WINDOW_MS,
          signal,
          onProgress,
          onFault: (_tool, error) => onError(error),
        }),
      onAsking: (waiting) => onAsking(chat.id, waiting),
      timeoutMs: timeoutMs(),
      live,
      replyId,
      save: (growth) => store.write((writer) => saveProgress(writer, taken, saver, growth, now())),
      onError,
    });
  }

  return { timeoutMs, prepare };
}
