/**
 * Turns without rows: a client asks, gets the reply, and nothing is stored. Nobody can be asked during them, and there would be
 * no record of what they did, so their tools contact nothing, ask nobody, and neither read nor change a workspace. A few run at
 * a time beside the turns of chats, and some more may wait: they share the agent thread and must not starve those. Clients take
 * turns, as workspaces do.
 */
import type { MessageError } from '../../shared/api/message.ts';
import type { Parameters } from '../../shared/api/parameters.ts';
import type { Growth } from '../../shared/growth.ts';
import { refuseCalls } from '../agents/call-tool.ts';
import { readAgents, withParameters } from '../agents/read-agents.ts';
import {
  bareAgent,
  NO_REPLY,
  type DirectRequest,
  type HistoryMessage,
  type ThreadLostError,
  type TurnRequest,
  type TurnResult,
} from '../agents/turn.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { AppError } from '../errors.ts';
import { createSlots } from '../lib/slots.ts';
import type { RehearsalCue } from '../models/rehearsal/acts.ts';
import type { Store } from '../store/types.ts';
import { ALONE_AT_ONCE, createFairPQueue } from './fair-queue.ts';
import { offerTools } from './offer-tools.ts';
import { isSilent, Turn, type Prepared, type TurnDeps } from './turn.ts';

/** The model itself, or an agent: with which parameters, and the conversation, whose last message is the user's to answer. */
export type StatelessInput =
  | { of: 'model'; request: DirectRequest }
  | { of: 'agent'; agentType: string; parameters: Parameters; messages: HistoryMessage[] };

/** A request for a stateless turn. */
export interface StatelessRequest {
  /** The model that answers. */
  model: string;
  /** Called when the turn starts, since it may have to read files. If it rejects, so does the turn. */
  readInput: (signal: AbortSignal, access: ModelAccess | null) => Promise<StatelessInput>;
  /** A rehearsal's position in its script. */
  rehearsal: RehearsalCue;
  /** The key or session that asks. */
  holder: string;
  /** Ends the turn, even while it waits. */
  signal: AbortSignal;
  /** Called with the reply so far whenever it grows. A quick turn may not call it before its end. */
  onGrowth: (growth: Growth) => void;
}

/** The stateless turns of a service. */
export type StatelessTurns = ReturnType<typeof createStatelessTurns>;

/** Dependencies of {@link createStatelessTurns}. */
export interface StatelessTurnsDeps extends TurnDeps {
  store: Pick<Store, 'read'>;
  clock: () => Date;
  /** IANA zone of the person. */
  timeZone: () => string;
}

/** Half as many as chats that run at once. */
const AT_ONCE = 16;
/** How many may run or wait in total, and per key or session, so that no client keeps the others out. */
const MOST = 200;
const MOST_OF_ONE = 100;
const RETRY_AFTER_SECONDS = 2;

/** Makes the stateless turns of a service. */
export function createStatelessTurns(deps: StatelessTurnsDeps) {
  const slots = createFairPQueue(AT_ONCE);
  const aloneSlots = createFairPQueue(ALONE_AT_ONCE);
  const turns = new Set<Turn>();
  let isClosed = false;
  const clients = createSlots({
    most: MOST,
    mostOfOne: MOST_OF_ONE,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    words: () => TOO_MANY,
  });

  /** A turn without rows. */
  class StatelessTurn extends Turn {
    readonly #request: StatelessRequest;

    constructor(request: StatelessRequest) {
      const { model, holder: owner, onGrowth: onGrown } = request;
      super(deps, {
        ...{ model, chatId: '', replyId: '', faultError: NO_REPLY, owner, slots, aloneSlots, onGrown },
      });
      this.#request = request;
    }

    protected override async prepare(access: ModelAccess | null): Promise<Prepared> {
      const { model, rehearsal, readInput } = this.#request;
      const request: Omit<TurnRequest, 'agent' | 'messages'> = {
        chatId: '',
        workspaceId: '',
        mode: 'agent',
        isAside: true,
        model,
        access,
        rehearsal,
        now: deps.clock().toISOString(),
        timeZone: deps.timeZone(),
      };
      const what = await readInput(this.signal, access);
      if (what.of === 'model') {
        const direct = what.request;
        return {
          callTool: refuseCalls,
          request: { ...request, agent: bareAgent('none', ''), messages: [], direct },
        };
      }
      const { agentType, parameters, messages } = what;
      const [own, ...others] = deps.store.read((reader) => readAgents(reader, { agentType, model }));
      const agents = [withParameters(own, parameters), ...others] as const;
      const offer = { agents, model, access, reach: 'none', isChat: false } as const;
      // Of the service's tools they get those of the workspace, whose calls are refused in words.
      const { agent, helpers } = await offerTools([], offer, () => undefined);
      return {
        callTool: refuseCalls,
        request: { ...request, agent, ...(helpers.length > 0 && { helpers }), messages },
      };
    }

    protected override whyNotAgain(written: Growth, error: ThreadLostError): MessageError | null {
      // What the client has read can't be taken back.
      return isSilent(written) ? null : error;
    }
  }

  /**
   * Resolves with how the turn ended; what goes wrong is a result, too. Rejects with the signal's reason, and with AppError
   * `too_many_requests` or `shutting_down`.
   */
  async function run(request: StatelessRequest): Promise<TurnResult> {
    const { holder: owner, signal } = request;
    const leave = clients.take(owner);
    const turn = new StatelessTurn(request);
    const end = (): void => turn.end(signal.reason as Error);
    try {
      signal.throwIfAborted();
      if (isClosed) throw new AppError('shutting_down');
      signal.addEventListener('abort', end, { once: true });
      turns.add(turn);
      await slots.add(() => turn.run(), { signal, owner });
      const { outcome } = turn;
      if (outcome === null || outcome === 'ended') throw turn.signal.reason as Error;
      return outcome;
    } finally {
      signal.removeEventListener('abort', end);
      turns.delete(turn);
      leave();
    }
  }

  return {
    run,
    /** Calls it with each turn that runs or waits. */
    forEachTurn: (change: (turn: Turn) => void): void => turns.forEach(change),
    /** Ends running turns and starts no more. */
    close(): void {
      isClosed = true;
      for (const turn of turns) turn.end(new AppError('shutting_down'));
    },
  };
}

const TOO_MANY =
  'Too many requests are running or waiting. Try again when some have been answered, or send fewer at once.';
