import type { Step } from '../../shared/api/message.ts';
import {
  ThreadLostError,
  type AgentRuntime,
  type TurnPorts,
  type TurnRequest,
  type TurnResult,
} from '../../server/agents/turn.ts';

/** A turn that the processor has begun, waiting for its cues. */
export interface ScriptedTurn {
  readonly request: TurnRequest;
  readonly ports: TurnPorts;
  /** Whether its promise has settled. */
  readonly isOver: boolean;
  /** Adds text to the reply. */
  stream(text: string, steps?: Step[]): void;
  /** Ends it with this text, or with all that was streamed. */
  reply(content?: string): void;
  /** Ends it as a failure of the model. */
  fail(message?: string): void;
  /** Rejects, as no runtime should. */
  crash(error?: Error): void;
  /** Its thread is lost, with all turns that may have shared it. */
  loseThread(): void;
}

/** An agent runtime that does what a test says, when it says so. */
export interface ScriptedRuntime extends AgentRuntime {
  /** Every turn begun, oldest first. */
  readonly turns: ScriptedTurn[];
  /** Turns that aren't over. */
  running(): ScriptedTurn[];
  /** The turn of that chat that isn't over; waits for it to begin. */
  turnOf(chatId: string): Promise<ScriptedTurn>;
  /** What happens to each turn as it begins; nothing when null. */
  onTurn: ((turn: ScriptedTurn) => void) | null;
  /** Whether aborts end a turn; a runtime that ignores them continues as if nothing had happened. */
  heedsAborts: boolean;
}

/** A runtime whose turns wait for their cues, unless `onTurn` gives them at once. */
export function createScriptedRuntime(onTurn: ScriptedRuntime['onTurn'] = null): ScriptedRuntime {
  const turns: ScriptedTurn[] = [];
  const waiters = new Set<() => void>();
  const runtime: ScriptedRuntime = {
    turns,
    onTurn,
    heedsAborts: true,
    running: () => turns.filter((turn) => !turn.isOver),
    async turnOf(chatId) {
      for (;;) {
        const turn = turns.find(({ request, isOver }) => request.chatId === chatId && !isOver);
        if (turn !== undefined) return turn;
        await new Promise<void>((resolve) => waiters.add(resolve));
      }
    },
    run(request, ports) {
      const { promise, turn } = createTurn(request, ports, runtime);
      turns.push(turn);
      runtime.onTurn?.(turn);
      for (const resolve of waiters) resolve();
      waiters.clear();
      return promise;
    },
    close: () => Promise.resolve(),
  };
  return runtime;
}

/** Replies at once with what was asked. */
export const echo = (turn: ScriptedTurn): void =>
  turn.reply(`Re: ${turn.request.messages.at(-1)?.content ?? ''}`);

function createTurn(
  request: TurnRequest,
  ports: TurnPorts,
  runtime: ScriptedRuntime,
): { promise: Promise<TurnResult>; turn: ScriptedTurn } {
  const { promise, resolve, reject } = Promise.withResolvers<TurnResult>();
  let streamed = '';
  let steps: Step[] = [];
  let isOver = false;
  const end = (settle: () => void): void => {
    isOver = true;
    settle();
  };
  ports.signal.addEventListener('abort', () => {
    if (runtime.heedsAborts) end(() => reject(ports.signal.reason));
  });
  const turn: ScriptedTurn = {
    request,
    ports,
    get isOver() {
      return isOver;
    },
    stream(text, newSteps) {
      streamed += text;
      steps = newSteps ?? steps;
      ports.onUpdate({ text, ...(newSteps === undefined ? {} : { steps: newSteps }) });
    },
    reply: (content = streamed) =>
      end(() =>
        resolve({
          outcome: 'replied',
          content,
          reasoning: '',
          steps,
          usage: { inputTokens: 1, outputTokens: 2 },
          stopReason: 'end',
        }),
      ),
    fail: (message = 'The model is not there.') =>
      end(() =>
        resolve({
          outcome: 'failed',
          content: streamed,
          reasoning: '',
          steps,
          error: { code: 'model_failed', message },
        }),
      ),
    crash: (error = new Error('a fault')) => end(() => reject(error)),
    loseThread: () =>
      end(() => reject(new ThreadLostError('agent_crashed', 'It broke down.', request.alone !== true))),
  };
  return { promise, turn };
}
