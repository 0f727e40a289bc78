import { Type, type Static } from 'typebox';
import { flag, list, object, orNull, text, Timestamp, whole } from './common.ts';

export const ContextSummary = object(
  'The summary that a model reads in place of the earlier part of a conversation.',
  {
    text: text('The summary.', 'They compared prices in three cities.'),
    upTo: text(
      'Id of the last message it covers. All messages listed before it are covered too, except those that were waiting at the time.',
      '0b9c7d52-1e3f-4a68-8c21-5d7e9f0a4b16',
    ),
    messages: whole('How many messages it covers.'),
    model: text(
      'Name of the model that wrote it. `offline-assistant`: at least the newest part was put together from the messages word for word.',
      'ollama/llama3.2',
    ),
    createdAt: Timestamp,
  },
);
export type ContextSummary = Static<typeof ContextSummary>;

export const ContextSetup = object(
  "What a connected model reads before the conversation: the agent's instructions and tools.",
  {
    tokens: whole('About how many tokens they take; included in the context’s `tokens`.'),
    tools: whole('How many tools the model gets.'),
    leftOut: list(Type.String(), "Names of the agent's tools that don't fit into the context."),
  },
);
export type ContextSetup = Static<typeof ContextSetup>;

export const ChatContext = object(
  "How full a chat's context is: how much its model would read if a message were sent now.",
  {
    tokens: orNull(
      Type.Integer(),
      'Null: unknown, as with the offline assistant or before the first message.',
    ),
    isEstimate: flag('False: the model reported `tokens` after its last reply. True: Parley estimated it.'),
    limit: orNull(Type.Integer(), "The context size of the chat's model in tokens; null: unknown."),
    setup: orNull(ContextSetup, 'For the mode `agent`, as of now. Null: the model is built in.'),
    summary: orNull(ContextSummary, 'Null: nothing is summarised.'),
    compacting: flag('Whether a `POST …/compact` is running.'),
    canCompact: flag('Whether `POST …/compact` would summarise anything.'),
  },
);
export type ChatContext = Static<typeof ChatContext>;

/** Answer of `GET /api/v1/chats/:chatId/context` and `POST /api/v1/chats/:chatId/compact`. */
export const ChatContextAnswer = Type.Object({ context: ChatContext });
export type ChatContextAnswer = Static<typeof ChatContextAnswer>;
