import { Type, type Static } from 'typebox';
import { orNull, Timestamp } from './common.ts';

export const ContextSummary = Type.Object(
  {
    text: Type.String({ description: 'The summary.', examples: ['They compared prices in three cities.'] }),
    upTo: Type.String({
      examples: ['0b9c7d52-1e3f-4a68-8c21-5d7e9f0a4b16'],
      description:
        'Id of the last message it covers. All messages listed before it are covered too, except those that were waiting at the time.',
    }),
    messages: Type.Integer({ description: 'How many messages it covers.' }),
    model: Type.String({
      examples: ['ollama/llama3.2'],
      description:
        'Name of the model that wrote it. `offline-assistant`: at least the newest part was put together from the messages word for word.',
    }),
    createdAt: Timestamp,
  },
  { description: 'The summary that a model reads in place of the earlier part of a conversation.' },
);
export type ContextSummary = Static<typeof ContextSummary>;

export const ContextSetup = Type.Object(
  {
    tokens: Type.Integer({
      description: 'About how many tokens they take; included in the context’s `tokens`.',
    }),
    tools: Type.Integer({ description: 'How many tools the model gets.' }),
    leftOut: Type.Array(Type.String(), {
      description: "Names of the agent's tools that don't fit into the context.",
    }),
  },
  {
    description: "What a connected model reads before the conversation: the agent's instructions and tools.",
  },
);
export type ContextSetup = Static<typeof ContextSetup>;

export const ChatContext = Type.Object(
  {
    tokens: orNull(Type.Integer(), {
      description: 'Null: unknown, as with the offline assistant or before the first message.',
    }),
    isEstimate: Type.Boolean({
      description: 'False: the model reported `tokens` after its last reply. True: Parley estimated it.',
    }),
    limit: orNull(Type.Integer(), {
      description: "The context size of the chat's model in tokens; null: unknown.",
    }),
    setup: orNull(ContextSetup, {
      description: 'For the mode `agent`, as of now. Null: the model is built in.',
    }),
    summary: orNull(ContextSummary, { description: 'Null: nothing is summarised.' }),
    compacting: Type.Boolean({ description: 'Whether a `POST …/compact` is running.' }),
    canCompact: Type.Boolean({ description: 'Whether `POST …/compact` would summarise anything.' }),
  },
  { description: "How full a chat's context is: how much its model would read if a message were sent now." },
);
export type ChatContext = Static<typeof ChatContext>;

/** Answer of `GET /api/v1/chats/:chatId/context` and `POST /api/v1/chats/:chatId/compact`. */
export const ChatContextAnswer = Type.Object({ context: ChatContext });
export type ChatContextAnswer = Static<typeof ChatContextAnswer>;
