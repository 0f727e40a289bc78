/** What a turn works with, put together from the rows as they are when it begins. */
import { APPROVAL_WINDOW_MS } from '../../shared/limits.ts';
import { isRehearsal } from '../../shared/models.ts';
import type { AgentDefinition } from '../agents/definitions.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { RECORDS } from '../connections/providers/index.ts';
import { createApprovals } from './approvals.ts';
import { createCallFiles } from './call-files.ts';
import { createCallJournal } from './call-journal.ts';
import { offerTools } from './offer-tools.ts';
import { createTurnFiles } from './turn-files.ts';
import { createTurnTools } from './turn-tools.ts';
import { wantsServiceTool } from '../models/offline/forms/read-form.ts';
import { createReplySaver } from '../store/growing-reply.ts';
import { findProjectOf } from '../store/project-repository.ts';
import { saveProgress, type TakenTurn } from './chat-rows.ts';
import { readCue, readHistory, readToolReach } from './read-history.ts';
import type { ProcessorDeps } from './processor-deps.ts';
import { readAgents, withInstructions, withParameters } from './read-agent.ts';
import { startTurn, type RunningTurn } from './running-turn.ts';
import type { TurnListeners } from './turn-worker.ts';
import { createWorkspacePort } from './workspace-port.ts';

const DEFAULT_TURN_TIMEOUT_MS = 5 * 60_000;

const noFile = (): Promise<never> => Promise.reject(new Error('There are no files here.'));
const NO_FILES = { read: noFile, textOf: noFile };

/** Starts turns. */
export interface TurnStarter {
  /** How long a turn may get nowhere, in milliseconds, as things are now. */
  timeoutMs(): number;
  /**
   * Finds the tools of a turn, reads its files and lets the agent begin, in a thread of its own if `alone`. The signal ends the turn,
   * with `stopped` or `released` as its reason; it rejects with that when the agent hasn't begun.
   */
  start(
    taken: TakenTurn,
    access: ModelAccess | null,
    how: { alone: boolean; signal: AbortSignal },
  ): Promise<RunningTurn>;
}

/** A starter of the processor's turns. */
export function createTurnStarter(
  deps: ProcessorDeps,
  { live, onAsking }: Pick<TurnListeners, 'live' | 'onAsking'>,
): TurnStarter {
  const { store, clock, newId } = deps;
  const turnFiles = createTurnFiles({ store, files: deps.files ?? NO_FILES });
  const approvals = deps.approvals ?? createApprovals({ store, clock });
  const now = (): string => clock().toISOString();
  const timeoutMs = (): number => {
    const timeout = deps.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS;
    return typeof timeout === 'number' ? timeout : timeout();
  };

  async function start(
    taken: TakenTurn,
    access: ModelAccess | null,
    { alone, signal: ending }: { alone: boolean; signal: AbortSignal },
  ): Promise<RunningTurn> {
    const { chat, message, replyId } = taken;
    const onError = (error: unknown): void => deps.onError?.(error, chat.id);
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
    const { agent, helpers, callable } = await offerTools(deps.toolSources ?? [], asked, onError);
    const { messages, summary } = store.read((reader) => readHistory(reader, taken));
    const seesPictures = access === null ? false : (access.pictures ?? null);
    const given = messages.some(({ attachments }) => attachments.length > 0)
      ? await turnFiles.give(messages, { seesPictures, signal: ending })
      : messages.map(({ message: one }) => one);
    ending.throwIfAborted();
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

  return { timeoutMs, start };
}
