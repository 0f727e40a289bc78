import { Type, type Static } from 'typebox';
import { Timestamp } from './common.ts';

/** What stands for the earlier part of a conversation, as far as the model is concerned. */
export const ContextSummary = Type.Object({
  text: Type.String(),
  /** Id of the last message it stands for; all listed before it are summarised too, those that waited meanwhile aside. */
  upTo: Type.String(),
  /** For how many messages it stands. */
  messages: Type.Integer(),
  /** Name of the model that made it; `offline-assistant`: at least the newest part was picked out of the messages word for word. */
  model: Type.String(),
  createdAt: Timestamp,
});
export type ContextSummary = Static<typeof ContextSummary>;

/** What a connected model reads before the conversation: the agent's instructions and tools. */
export const ContextSetup = Type.Object({
  /** About how many tokens that takes; part of what the whole takes. */
  tokens: Type.Integer(),
  /** How many tools the model is offered. */
  tools: Type.Integer(),
  /** Names of the agent's tools for which there is no room. */
  leftOut: Type.Array(Type.String()),
});
export type ContextSetup = Static<typeof ContextSetup>;

/** How full a chat's context is: what its model would read if a message were sent now. */
export const ChatContext = Type.Object({
  /** Null: nothing is known, as with the offline assistant, or there is no message yet. */
  tokens: Type.Union([Type.Integer(), Type.Null()]),
  /** False: the model told it after its last reply. True: it is reckoned. */
  isEstimate: Type.Boolean(),
  /** Tokens the chat's model reads at most; null: nobody says. */
  limit: Type.Union([Type.Integer(), Type.Null()]),
  /** With mode `agent`, and as things are now. Null: the model is built in. */
  setup: Type.Union([ContextSetup, Type.Null()]),
  /** Null: nothing is summarised. */
  summary: Type.Union([ContextSummary, Type.Null()]),
  /** Whether a `POST …/compact` is under way. */
  compacting: Type.Boolean(),
  /** Whether `POST …/compact` would summarise anything now. */
  canCompact: Type.Boolean(),
});
export type ChatContext = Static<typeof ChatContext>;

/** Answer of `GET /api/v1/chats/:chatId/context` and `POST /api/v1/chats/:chatId/compact`. */
export const ChatContextAnswer = Type.Object({ context: ChatContext });
export type ChatContextAnswer = Static<typeof ChatContextAnswer>;
