import { Type, type Static } from 'typebox';
import { Timestamp } from './common.ts';

export const ContextSummary = Type.Object(
  {
    text: Type.String({ description: 'The summary.', examples: ['They compared prices in three cities.'] }),
    upTo: Type.String({
      examples: ['0b9c7d52-1e3f-4a68-8c21-5d7e9f0a4b16'],
      description:
        'Id of the last message it stands for; all listed before it are summarised too, those that waited meanwhile aside.',
    }),
    messages: Type.Integer({ description: 'For how many messages it stands.' }),
    model: Type.String({
      examples: ['ollama/llama3.2'],
      description:
        'Name of the model that made it; `offline-assistant`: at least the newest part was picked out of the messages word for word.',
    }),
    createdAt: Timestamp,
  },
  { description: 'What stands for the earlier part of a conversation, as far as the model is concerned.' },
);
export type ContextSummary = Static<typeof ContextSummary>;

export const ContextSetup = Type.Object(
  {
    tokens: Type.Integer({ description: 'About how many tokens that takes; part of what the whole takes.' }),
    tools: Type.Integer({ description: 'How many tools the model is offered.' }),
    leftOut: Type.Array(Type.String(), {
      description: "Names of the agent's tools for which there is no room.",
    }),
  },
  {
    description: "What a connected model reads before the conversation: the agent's instructions and tools.",
  },
);
export type ContextSetup = Static<typeof ContextSetup>;

export const ChatContext = Type.Object(
  {
    tokens: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Null: nothing is known, as with the offline assistant, or there is no message yet.',
    }),
    isEstimate: Type.Boolean({
      description: 'False: the model told it after its last reply. True: it is reckoned.',
    }),
    limit: Type.Union([Type.Integer(), Type.Null()], {
      description: "Tokens the chat's model reads at most; null: nobody says.",
    }),
    setup: Type.Union([ContextSetup, Type.Null()], {
      description: 'With mode `agent`, and as things are now. Null: the model is built in.',
    }),
    summary: Type.Union([ContextSummary, Type.Null()], { description: 'Null: nothing is summarised.' }),
    compacting: Type.Boolean({ description: 'Whether a `POST …/compact` is under way.' }),
    canCompact: Type.Boolean({ description: 'Whether `POST …/compact` would summarise anything now.' }),
  },
  { description: "How full a chat's context is: what its model would read if a message were sent now." },
);
export type ChatContext = Static<typeof ChatContext>;

/** Answer of `GET /api/v1/chats/:chatId/context` and `POST /api/v1/chats/:chatId/compact`. */
export const ChatContextAnswer = Type.Object({ context: ChatContext });
export type ChatContextAnswer = Static<typeof ChatContextAnswer>;
