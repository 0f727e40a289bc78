/**
 * Turns without rows: a client asks, gets the reply, and nothing is stored. Nobody can be asked during them, and there would be
 * no record of what they did, so their tools contact nothing, ask nobody, and neither read nor change a workspace. A few run at
 * a time beside the turns of chats, and some more may wait: they share the agent thread and must not starve those. Clients take
 * turns, as workspaces do.
 */
import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { MessageError } from '../../shared/api/message.ts';
import type { Parameters } from '../../shared/api/parameters.ts';
import type { Growth, Round, Signed } from '../../shared/growth.ts';
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
import { withThoughts } from './thread/model-messages.ts';
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
  const keptRounds = createKeptRounds();
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
        const direct = { ...what.request, prompt: keptRounds.restore(this.#request, what.request.prompt) };
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
      keptRounds.keep(request, outcome);
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

/** Who asks which model: nobody else gets what is kept. */
export interface RoundScope {
  holder: string;
  model: string;
}

const MOST_ROUNDS = 200;
/** A round of more characters isn't kept. */
const MAX_CHARACTERS = 100_000;

/**
 * What models want back with their calls, for programs that bring their own tools: OpenAI's format has no room for a provider's
 * signatures, and most programs drop what they don't know. So it is kept here, and put back when a call returns. In memory, the
 * latest rounds only: a model can go on without.
 */
export function createKeptRounds() {
  const rounds = new Map<string, Round>();
  const keyOf = ({ holder, model }: RoundScope, callId: string): string =>
    JSON.stringify([holder, model, callId]);

  return {
    keep(scope: RoundScope, { steps: [first], rounds: [round] = [] }: Growth): void {
      const text = JSON.stringify(round ?? {});
      const isWanted = text.includes('"signed":') && text.length <= MAX_CHARACTERS;
      if (first === undefined || round === undefined || !isWanted) return;
      rounds.set(keyOf(scope, first.id), round);
      const [oldest = ''] = rounds.keys();
      if (rounds.size > MOST_ROUNDS) rounds.delete(oldest);
    },
    /** The prompt, with what was kept of the calls in it. */
    restore: (scope: RoundScope, prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
      prompt.map((message) => {
        if (message.role !== 'assistant') return message;
        const calls = message.content.filter((part) => part.type === 'tool-call');
        const round = calls[0] && rounds.get(keyOf(scope, calls[0].toolCallId));
        if (round === undefined) return message;
        const signedCalls = calls.map((call, index) => ({
          ...call,
          providerOptions: { ...toOptions(round.calls[index]?.signed), ...call.providerOptions },
        }));
        const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
        return { ...message, content: [...withThoughts(text, round.thoughts, 0, toOptions), ...signedCalls] };
      }),
  };
}

const toOptions = (signed: Signed = {}): SharedV4ProviderOptions => signed as SharedV4ProviderOptions;
