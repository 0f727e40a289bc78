/** What a turn works with, put together from the rows as they are when it begins. */
import type { Provider } from '../../shared/api/connection.ts';
import type { Step } from '../../shared/api/message.ts';
import { APPROVAL_WINDOW_MS } from '../../shared/limits.ts';
import { REHEARSAL_MODEL_NAME } from '../../shared/models.ts';
import type { TurnRequest } from '../agents/turn.ts';
import { isElsewhere } from '../connections/elsewhere.ts';
import type { ModelAccess } from '../models/connected.ts';
import { createApprovals } from './approvals.ts';
import { createCallFiles } from './call-files.ts';
import { createCallJournal } from './call-journal.ts';
import { gatherTools, toInfo } from './gather-tools.ts';
import type { OutsideTool } from '../tools/host-tool.ts';
import { createTurnTools } from './turn-tools.ts';
import { createReplySaver } from '../store/growing-reply.ts';
import type { ToolReach } from '../store/message-repository.ts';
import { toolsThatAsk } from '../tools/catalog.ts';
import type { LiveReplies } from './live-replies.ts';
import { saveProgress, type TakenTurn } from './chat-rows.ts';
import { readCue, readHistory, readToolReach } from './read-history.ts';
import type { ProcessorDeps } from './processor.ts';
import { agentTypesOf, readAgent } from './read-agent.ts';
import { startTurn, type RunningTurn } from './running-turn.ts';
import { createWorkspacePort } from './workspace-port.ts';

/** Whose formats hold pictures in what a tool gave. */
const TAKE_PICTURES: ReadonlySet<Provider> = new Set(['anthropic', 'google']);

const DEFAULT_TURN_TIMEOUT_MS = 5 * 60_000;

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
  /** Finds the tools of a turn; calling what this resolves with lets the agent begin, in a thread of its own if `alone`. */
  prepare(taken: TakenTurn, access: ModelAccess | null, alone: boolean): Promise<() => RunningTurn>;
}

/** A starter of the processor's turns. */
export function createTurnStarter(
  deps: ProcessorDeps,
  { live, onAsking }: TurnStarterListeners,
): TurnStarter {
  const { store, clock, newId } = deps;
  const approvals = deps.approvals ?? createApprovals({ store, clock });
  const now = (): string => clock().toISOString();
  const timeoutMs = (): number => {
    const timeout = deps.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS;
    return typeof timeout === 'number' ? timeout : timeout();
  };

  async function prepare(
    taken: TakenTurn,
    access: ModelAccess | null,
    alone: boolean,
  ): Promise<() => RunningTurn> {
    const { chat, message } = taken;
    const agent = store.read((reader) => readAgent(reader, chat));
    const agentTypes = agentTypesOf(chat.agentType, agent);
    const reach = store.read((reader) => readToolReach(reader, taken));
    const tools =
      message.mode === 'chat' || reach === 'none'
        ? []
        : await gatherTools(deps.outsideSources ?? [], { model: chat.model, agentTypes }, (error) =>
            deps.onError?.(error, chat.id),
          );
    return () => begin(taken, { ...agent, access, ...(alone && { alone }) }, tools, reach);
  }

  function begin(
    taken: TakenTurn,
    who: Pick<TurnRequest, 'agent' | 'helpers' | 'access' | 'alone'>,
    tools: readonly OutsideTool[],
    reach: ToolReach,
  ): RunningTurn {
    const { chat, message, replyId } = taken;
    const onError = (error: unknown): void => deps.onError?.(error, chat.id);
    const journal = createCallJournal({ store, clock, chatId: chat.id, replyId });
    const saver = createReplySaver(replyId);
    return startTurn({
      runtime: deps.runtime,
      request: {
        turnId: `${message.id}.${taken.attempt}`,
        chatId: chat.id,
        workspaceId: chat.workspaceId,
        agentType: chat.agentType,
        ...who,
        mode: message.mode ?? 'agent',
        model: chat.model,
        ...(chat.model === REHEARSAL_MODEL_NAME && store.read((reader) => readCue(reader, taken))),
        // The built-in models do what the person's own words, or script, say.
        ...(who.access !== null && dealWith(toolsThatAsk(isElsewhere(who.access)), reach)),
        ...(tools.length > 0 && { outside: tools.map(toInfo) }),
        ...store.read((reader) => readHistory(reader, taken)),
        now: now(),
        timeZone: typeof deps.timeZone === 'string' ? deps.timeZone : deps.timeZone(),
      },
      workspace: createWorkspacePort({
        store,
        search: deps.search,
        clock,
        newId,
        workspaceId: chat.workspaceId,
        chatId: chat.id,
        fromSeq: message.seq,
        journal,
      }),
      outside: (signal, onProgress) =>
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
            takesPictures: who.access !== null && TAKE_PICTURES.has(who.access.provider),
          }),
          approvals,
          tools,
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

/** What becomes of tools of the turn's own thread that ask first. */
const dealWith = (tools: string[], reach: ToolReach): Pick<TurnRequest, 'asking' | 'withheld'> =>
  reach === 'none' ? { withheld: tools } : { asking: tools };
