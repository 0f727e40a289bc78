import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { MessageMode, Step, StopReason, Usage } from '../../shared/api/message.ts';
import type { TurnErrorCode } from '../../shared/errors.ts';
import type { Growth, GrowthUpdate, Round } from '../../shared/growth.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import type { AgentDefinition } from './definitions.ts';
import type { RehearsalCue } from '../models/rehearsal/acts.ts';
import type { CallTool } from './call-tool.ts';
import type { ToolOutline } from '../tools/tool.ts';

/** A file of a message, as far as a model can be given it. */
export type TurnFile = { name: string; mediaType: string } & (
  | {
      gives: 'text';
      text: string;
      /** It goes on: this is its beginning. */
      isCut: boolean;
    }
  | {
      gives: 'picture';
      /** In base64. */
      data: string;
      /** How closely to look at it, in a client's word; absent: as the server likes. */
      detail?: string;
    }
  /** `reason` goes on from its name, as “is protected by a password”. */
  | { gives: 'nothing'; reason: string }
);

/** A message of the conversation so far, as the model gets it. */
export interface HistoryMessage {
  role: 'user' | 'assistant';
  content: string;
  /** Files of a user message, in order; absent: it has none. */
  files?: readonly TurnFile[];
  /** Tool calls of an assistant message, with their results; empty for user messages. */
  steps: Step[];
  /** Of an assistant message; absent: unknown. */
  rounds?: readonly Round[];
  /** Another model wrote it, so its signatures are of no use; absent: the same. */
  isOfOther?: true;
}

/** A tool that an agent gets in a turn: one of its thread, or one that the service runs. */
export type TurnTool = { runs: 'thread'; name: string } | ({ runs: 'workspace' | 'service' } & ToolOutline);

/** An agent in a turn. */
export interface TurnAgent extends AgentDefinition {
  /** The tools that it gets, in the order in which its model gets them; see server/turns/offer-tools.ts. */
  offered: TurnTool[];
}

/** An agent without tools, for a single request to a model. */
export const bareAgent = (name: string, instructions: string): TurnAgent => ({
  name,
  title: name,
  description: '',
  instructions,
  tools: [],
  offered: [],
  stepLimit: 1,
});

/** How a model is to choose its words, as far as it heeds that; what is absent is left to it. */
export type ModelCallSettings = Pick<
  LanguageModelV4CallOptions,
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'stopSequences'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
>;

/**
 * What a program asks of the model itself. It goes there as it stands, with no agent's instructions and no tools but these,
 * whose calls are the program's to make: they are the steps of the result, each with its input as the model wrote it.
 */
export type DirectRequest = ModelCallSettings &
  Pick<
    LanguageModelV4CallOptions,
    'prompt' | 'tools' | 'toolChoice' | 'responseFormat' | 'reasoning' | 'providerOptions'
  >;

/** All that is needed to make one reply. Plain data: it crosses a thread. */
export interface TurnRequest {
  chatId: string;
  workspaceId: string;
  /** The agent as it is at the turn's start. */
  agent: TurnAgent;
  /** Agents that it may ask; absent: it asks nobody. */
  helpers?: TurnAgent[];
  mode: MessageMode;
  /** Name of the model, e.g. `offline-assistant` or `ollama/llama3.2`. */
  model: string;
  /** How to reach it; null for one that is built in. */
  access: ModelAccess | null;
  /** Where the chat's rehearsal stands; absent: the model plays none. */
  rehearsal?: RehearsalCue;
  /** It gets a thread of its own; absent: it shares one. */
  alone?: true;
  /** Its answer is no reply of a conversation, so how full a context it leaves is of no interest; absent: it is one. */
  isAside?: true;
  /** Absent: the agent answers `messages`. Else that goes to the model in their place, and the agent is passed over. */
  direct?: DirectRequest;
  /** What stands for the part of the conversation before `messages`; absent: there is none. */
  summary?: string;
  /** The conversation, oldest first; the last is the user message to answer. */
  messages: HistoryMessage[];
  /** ISO time that counts as "now". */
  now: string;
  /** IANA zone of the person. */
  timeZone: string;
}

/** Of the tokens of a direct request, how many were read from a cache and how many were reasoning; 0: none, or not reported. */
export interface TokenDetails {
  cachedTokens: number;
  reasoningTokens: number;
}

/**
 * How a turn ended, with all that was written: it replaces what updates gave, and a quick turn gives no updates at all. An
 * aborted turn rejects with the signal's reason instead.
 */
export type TurnResult = Growth &
  (
    | { outcome: 'replied'; usage: Usage; stopReason: StopReason; counts?: TokenDetails }
    | {
        outcome: 'failed';
        /** What it took until then, as far as the model reported it. */
        usage?: Usage;
        error: { code: TurnErrorCode; message: string };
      }
  );

/** The error of a turn that a fault of ours ended, before it was stored anywhere. */
export const NO_REPLY = {
  code: 'agent_crashed',
  message: 'Something went wrong inside Parley, so there is no reply. Try again.',
} as const;

/** What a turn may use while it runs. */
export interface TurnPorts {
  /** Fires when the turn is stopped, times out or the service shuts down. */
  signal: AbortSignal;
  /** Calls a tool that the service runs. */
  callTool: CallTool;
  /** Called with each piece of progress, in order; an empty one says that the turn gets on. */
  onUpdate: (update: GrowthUpdate) => void;
}

/** The thread that a turn ran in is lost, or there was none to be had. The message is in words for the person. */
export class ThreadLostError extends Error {
  override name = 'ThreadLostError';
  readonly code: TurnErrorCode;
  /** Another turn may have been the cause: this one is to be run again. */
  readonly wasShared: boolean;
  /** It may have been the cause itself, so it is to be run alone. */
  readonly isSuspect: boolean;
  constructor(code: TurnErrorCode, message: string, wasShared: boolean, isSuspect = true) {
    super(message);
    this.code = code;
    this.wasShared = wasShared;
    this.isSuspect = isSuspect;
  }
}

/** Makes replies. The processor knows no more of agents, models and threads than this. */
export interface AgentRuntime {
  /**
   * Runs one turn to its end; rejects only when `ports.signal` fired, with {@link ThreadLostError}, or when the runtime
   * is closed.
   */
  run(request: TurnRequest, ports: TurnPorts): Promise<TurnResult>;
  /** Ends what still runs and frees threads. */
  close(): Promise<void>;
}
