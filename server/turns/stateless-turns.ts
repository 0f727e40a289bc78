/**
 * Turns without rows: a client asks, gets the reply, and nothing is stored. Nobody can be asked during them, and there would be
 * no record of what they did, so their tools contact nothing, ask nobody, and neither read nor change a workspace. A few run at
 * a time beside the turns of chats, and some more may wait: they share the agent thread and must not starve those. Clients take
 * turns, as workspaces do.
 */
import { randomUUID } from 'node:crypto';
import type { Parameters } from '../../shared/api/parameters.ts';
import type { TurnErrorCode } from '../../shared/errors.ts';
import { applyUpdate, NO_GROWTH, type Growth } from '../../shared/growth.ts';
import { NO_PORTS } from '../agents/host-port.ts';
import {
  bareAgent,
  ThreadLostError,
  type AgentRuntime,
  type DirectRequest,
  type HistoryMessage,
  type TurnRequest,
  type TurnResult,
} from '../agents/turn.ts';
import type { ResolveAccess } from '../connections/access.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { AppError } from '../errors.ts';
import { createPlaces } from '../lib/places.ts';
import { ModelError } from '../models/model-error.ts';
import type { RehearsalCue } from '../models/rehearsal/acts.ts';
import type { Store } from '../store/types.ts';
import { createFairPQueue } from './fair-queue.ts';
import { createKeptRounds, type RoundScope } from './kept-rounds.ts';
import { offerTools } from './offer-tools.ts';
import { readAgents, resolveInTime, withParameters } from './read-turn.ts';
import { noProgressError } from './running-turn.ts';

/** The model itself, or an agent: with which parameters, and the conversation, whose last message is the user's to answer. */
export type Asked =
  | { of: 'model'; request: DirectRequest }
  | { of: 'agent'; agentType: string; parameters: Parameters; messages: HistoryMessage[] };

/** A request for a stateless turn. */
export interface StatelessRequest {
  /** The model that answers. */
  model: string;
  /** Called when the turn starts, since it may have to read files. If it rejects, so does the turn. */
  asked: (signal: AbortSignal) => Promise<Asked>;
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
export interface StatelessTurns {
  /**
   * Resolves with how the turn ended; what goes wrong is a result, too. Rejects with the signal's reason, and with AppError
   * `too_many_requests` or `shutting_down`.
   */
  run(request: StatelessRequest): Promise<TurnResult>;
  /** Ends running turns and starts no more. */
  close(): void;
}

/** Dependencies of {@link createStatelessTurns}. */
export interface StatelessTurnsDeps {
  store: Pick<Store, 'read'>;
  runtime: AgentRuntime;
  resolveAccess: ResolveAccess;
  clock: () => Date;
  /** IANA zone of the person. */
  timeZone: () => string;
  /** How long a turn may go without progress, in milliseconds. */
  turnTimeoutMs: () => number;
  /** Called with internal errors. */
  onError: (error: unknown) => void;
}

/** Half as many as chats that run at once. */
const AT_ONCE = 16;
/** How many may run or wait in total, and per key or session, so that no client keeps the others out. */
const MOST = 200;
const MOST_OF_ONE = 100;
const RETRY_AFTER_SECONDS = 2;
/** Each takes the memory of a separate thread. */
const ALONE_AT_ONCE = 2;

/** Makes the stateless turns of a service. */
export function createStatelessTurns(deps: StatelessTurnsDeps): StatelessTurns {
  const { store, runtime, resolveAccess, clock } = deps;
  const queue = createFairPQueue(AT_ONCE);
  const aloneQueue = createFairPQueue(ALONE_AT_ONCE);
  const closing = new AbortController();
  const keptRounds = createKeptRounds();
  const places = createPlaces({
    most: MOST,
    mostOfOne: MOST_OF_ONE,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    words: () => TOO_MANY,
  });

  async function run(request: StatelessRequest): Promise<TurnResult> {
    const leave = places.take(request.holder);
    const signal = AbortSignal.any([request.signal, closing.signal]);
    try {
      signal.throwIfAborted();
      const result = await queue.add(() => make({ ...request, signal }), { signal, owner: request.holder });
      keptRounds.keep(request, result);
      return result;
    } finally {
      leave();
    }
  }

  async function make(request: StatelessRequest): Promise<TurnResult> {
    const { model, signal } = request;
    const found = await resolveInTime(resolveAccess(model), deps.turnTimeoutMs(), signal);
    if (found.kind === 'refused') return failed(NO_GROWTH, found.code, found.message);
    const access = found.kind === 'connected' ? found.access : null;
    const turn: TurnRequest = {
      turnId: `stateless.${randomUUID()}`,
      chatId: '',
      workspaceId: '',
      mode: 'agent',
      isAside: true,
      model,
      access,
      rehearsal: request.rehearsal,
      now: clock().toISOString(),
      timeZone: deps.timeZone(),
      ...(await whatIsAsked(request, await request.asked(signal), access)),
    };
    // If its thread was lost, that may have been another turn's fault.
    return (
      (await attempt(turn, request)) ??
      (await aloneQueue.add(() => attempt({ ...turn, alone: true }, request), {
        signal,
        owner: request.holder,
      })) ??
      failed(NO_GROWTH, 'agent_crashed', BROKEN)
    );
  }

  /** Null: the thread that it shared was lost before anything was reported, so it can start again. */
  async function attempt(
    turn: TurnRequest,
    { signal, onGrowth }: StatelessRequest,
  ): Promise<TurnResult | null> {
    let growth = NO_GROWTH;
    const stuck = new AbortController();
    const timeoutMs = deps.turnTimeoutMs();
    const timer = setTimeout(() => stuck.abort(noProgressError(timeoutMs)), timeoutMs);
    try {
      return await runtime.run(turn, {
        ...NO_PORTS,
        signal: AbortSignal.any([signal, stuck.signal]),
        onUpdate(update) {
          timer.refresh();
          growth = applyUpdate(growth, update);
          onGrowth(growth);
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ThreadLostError && error.wasShared && isSilent(growth)) return null;
      if (error instanceof ThreadLostError || error instanceof ModelError)
        return failed(growth, error.code, error.message);
      deps.onError(error);
      return failed(growth, 'agent_crashed', BROKEN);
    } finally {
      clearTimeout(timer);
    }
  }

  async function whatIsAsked(
    scope: RoundScope,
    asked: Asked,
    access: ModelAccess | null,
  ): Promise<Pick<TurnRequest, 'agent' | 'helpers' | 'messages' | 'direct'>> {
    const { model } = scope;
    if (asked.of === 'model') {
      const prompt = keptRounds.restore(scope, asked.request.prompt);
      return { agent: bareAgent('none', ''), messages: [], direct: { ...asked.request, prompt } };
    }
    const { agentType, parameters, messages } = asked;
    const [own, ...others] = store.read((reader) => readAgents(reader, { agentType, model }));
    const agents = [withParameters(own, parameters), ...others] as const;
    const request = { agents, model, access, reach: 'none', isChat: false } as const;
    const offer = await offerTools([], request, deps.onError);
    return {
      agent: offer.agent,
      ...(offer.helpers.length > 0 && { helpers: offer.helpers }),
      messages,
    };
  }

  return { run, close: () => closing.abort(new AppError('shutting_down')) };
}

const TOO_MANY =
  'Too many requests are running or waiting. Try again when some have been answered, or send fewer at once.';
const BROKEN = 'Something went wrong inside Parley, so there is no reply. Try again.';

const isSilent = ({ content, reasoning, steps }: Growth): boolean =>
  content === '' && reasoning === '' && steps.length === 0;

const failed = (growth: Growth, code: TurnErrorCode, message: string): TurnResult => ({
  outcome: 'failed',
  ...growth,
  error: { code, message },
});
