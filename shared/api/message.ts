import { Type, type Static } from 'typebox';
import { TURN_ERROR_CODES } from '../errors.ts';
import { MESSAGE_MODES, MESSAGE_STATUSES } from '../choices.ts';
import { Attachment } from './attachment.ts';
import { described, optional, Timestamp } from './common.ts';
import { Parameters } from './parameters.ts';

/** What to do when a tool needs approval. `deny` is for programs that run unattended. Turns of keys without `reach` never ask. */
export const ON_APPROVAL = ['ask', 'deny'] as const;
export type OnApproval = (typeof ON_APPROVAL)[number];

/** `user`: a person or program. `assistant`: the reply. */
export const MESSAGE_ROLES = ['user', 'assistant'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

export type MessageMode = (typeof MESSAGE_MODES)[number];

export const StepApproval = Type.Object(
  {
    id: Type.String({
      examples: ['01jd3v6k2q8x'],
      description: 'The id for `POST /api/v1/chats/:chatId/approvals/:id`.',
    }),
    expiresAt: described(Timestamp, 'No answer by then counts as a no.'),
    ...optional({
      summary: Type.String({
        description: 'What the tool would do, in words. Absent: its name and input say it all.',
      }),
      diff: Type.String({
        description:
          'What would change in an existing text file, as hunks of a unified diff. Absent if there is no such file, or the diff can’t be shown in full.',
        examples: ['@@ -1,2 +1,2 @@\n milk\n-bread\n+two loaves'],
      }),
    }),
    signIn: Type.Optional(
      Type.Object(
        {
          serverId: Type.String({ description: 'Id of the tool server.' }),
          name: Type.String({ description: 'Its display name.', examples: ['Calendar'] }),
        },
        {
          description:
            'The tool server that a person has to sign in at before the call can be made: `POST /api/v1/mcp-servers/:serverId/sign-in`. Absent: none.',
        },
      ),
    ),
    canRemember: Type.Boolean({
      description: 'Whether the answer can apply to all later calls of this tool.',
    }),
    call: Type.Optional(
      Type.Object(
        {
          tool: Type.String({ description: 'The tool’s name.' }),
          input: Type.Unknown({ description: 'The input it would be called with.' }),
        },
        {
          description:
            "The call that needs approval, if it isn't the step's own: a call by another agent that the step asked.",
        },
      ),
    ),
  },
  { description: 'A tool call that waits for a person’s approval.' },
);
export type StepApproval = Static<typeof StepApproval>;

export const StepFile = Type.Object(
  {
    id: Type.String({ description: 'Unique id.', examples: ['01jd3v6k2q8x'] }),
    name: Type.String({
      examples: ['chart.png'],
      description: 'The name its server gave it, else one made from its type. Not unique.',
    }),
    mediaType: Type.String({
      examples: ['image/png'],
      description: 'The media type its server claims; don’t rely on it.',
    }),
    bytes: Type.Integer({ description: 'Its size in bytes.' }),
  },
  {
    description:
      'A picture, sound or other file that a tool returned. Read its bytes with `GET /api/v1/chats/:chatId/files/:fileId`.',
  },
);
export type StepFile = Static<typeof StepFile>;

export const Step = Type.Object(
  {
    id: Type.String({ description: 'Unique id.', examples: ['01jd3v6k2q8x'] }),
    tool: Type.String({ description: 'The tool’s name.', examples: ['calculate'] }),
    status: Type.Enum(['running', 'awaiting_approval', 'done', 'failed'], {
      description:
        '`running` while the tool works; then `done` with an output or `failed` with an error. `awaiting_approval`: a person has to answer with `POST …/approvals/{id}` first; until then nothing happens.',
    }),
    input: Type.Unknown({
      examples: [{ expression: '12.5% of 1840' }],
      description: 'The input the tool was called with.',
    }),
    ...optional({
      textBefore: Type.Integer({
        description:
          "How much of the message's text was written when the tool was called, in UTF-16 code units: the rest came after it. Absent in replies of earlier versions, which didn't record it.",
        minimum: 0,
      }),
      output: Type.Unknown({ description: 'What it returned. Absent until it is done.' }),
      files: Type.Array(StepFile, { description: 'Files it returned. Absent: none.' }),
      error: Type.String({ description: 'Why it failed, in words. Only on a failed step.' }),
      inDoubt: Type.Literal(true, {
        description:
          'Only on a failed step: the call had started, and it is unknown whether it took effect. A later call of the tool asks first.',
      }),
      approval: described(StepApproval, 'Only on a step with status `awaiting_approval`.'),
    }),
  },
  { description: 'One tool call of a turn. Steps are in the order of the calls.' },
);
export type Step = Static<typeof Step>;

export const Usage = Type.Partial(
  Type.Object({
    inputTokens: Type.Integer({ description: 'Tokens the model read.' }),
    outputTokens: Type.Integer({ description: 'Tokens the model wrote.' }),
    contextTokens: Type.Integer({
      description:
        "How much of the model's context the conversation takes up, this reply included. Counts the last round only.",
    }),
    model: Type.String({
      description:
        "The model that answered, according to its server. Only if it isn't the one that was asked.",
    }),
    leftOut: Type.Array(Type.String({ examples: ['temperature'] }), {
      description:
        'What the requests to the model lacked because its server refuses it: parameters by their names, `instructions` (they were sent with the first message), `tools`, `tool:` and the name of a tool, `stream_options` (so it may report no tokens). Absent: nothing.',
    }),
    contextEstimated: Type.Literal(true, {
      description:
        'Only if the model reported no tokens: `contextTokens` is then an estimate, made from what was sent and received.',
    }),
  }),
  { description: 'Tokens the reply took, as far as the model reports them.' },
);
export type Usage = Static<typeof Usage>;

export const Timing = Type.Partial(
  Type.Object({
    firstWordMs: Type.Integer({
      minimum: 0,
      description: 'From the request to the model until the first word of `content`. Absent: it wrote none.',
    }),
    thoughtMs: Type.Integer({
      minimum: 0,
      description:
        'How long the model thought, over all rounds: each from the first piece of `reasoning` to whatever came next. Absent: it sent no reasoning, sent it all at once (within a tenth of a second), or sent nothing after it.',
    }),
    totalMs: Type.Integer({
      minimum: 0,
      description:
        'From the request to the model until the end of the reply, tools included. Absent: the reply was stopped or cut off.',
    }),
    tokensPerSecond: Type.Number({
      minimum: 0,
      description:
        'How fast the model wrote: the tokens it reports, over the time from the first piece to the last. Waiting, tools and hidden reasoning don’t count, nor do rounds of fewer than ten pieces or half a second, which are too short to measure. Absent: no round could be measured, or the model reported no tokens.',
      examples: [41.7],
    }),
  }),
  {
    description:
      'How long the reply took, in milliseconds of a monotonic clock. If a reply was restarted, only its last attempt counts. Time spent waiting for a person’s approval is left out.',
  },
);
export type Timing = Static<typeof Timing>;

/** Why a reply ended; see {@link Message}. */
export const STOP_REASONS = [
  'end',
  'stopped',
  'length',
  'step_limit',
  'content_filter',
  'unanswered',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const MessageError = Type.Object(
  {
    code: Type.Enum([...TURN_ERROR_CODES], {
      description:
        '`timed_out`: no progress within the turn timeout. `interrupted`: the process died three times while working on it, or it was cut off after a call had begun that changes or sends something, so it is not started again by itself. `agent_crashed`: the worker that makes replies died. The others come from the model: `model_unreachable`: its server didn’t answer, or the connection broke. `model_not_found`: there is no such model. `model_key_refused`: its key is missing, wrong or locked. `model_overloaded`: it is too busy or got too many requests, even after retries. `context_too_long`: the conversation is longer than it can read. `model_failed`: any other failure.',
    }),
    message: Type.String({
      description: 'A sentence for a person, with more detail than the code.',
      examples: ['Its server did not answer.'],
    }),
  },
  { description: 'Why the reply failed.' },
);
export type MessageError = Static<typeof MessageError>;

export const Retry = Type.Object(
  {
    id: Type.String({ description: 'One of `versions`.' }),
    retryOf: Type.String({
      description:
        'The version whose question it repeats: the one that was sent or edited, even if this is a retry of a retry. It may have been deleted.',
    }),
  },
  { description: 'A version of a user message that was made by a retry.' },
);
export type Retry = Static<typeof Retry>;

export const Message = Type.Object(
  {
    role: Type.Enum([...MESSAGE_ROLES], {
      description: '`user`: a person or program. `assistant`: the reply.',
    }),
    content: Type.String({ description: 'The text, as Markdown.', examples: ['12.5% of 1840 is 230.'] }),
    status: Type.Enum([...MESSAGE_STATUSES], {
      description:
        'User messages are `pending` until a worker takes them, then `complete`. Assistant messages are `pending` (nothing written yet), `streaming`, then `complete` or `error`. `compacted`: part of a summary for the model; still readable.',
    }),
    createdAt: Timestamp,
    id: Type.String({
      description: 'Unique id of the message.',
      examples: ['0b9c7d52-1e3f-4a68-8c21-5d7e9f0a4b16'],
    }),
    ...optional({
      attachments: Type.Array(Attachment, {
        description: 'On user messages with files, in the order they were given.',
      }),
      mode: Type.Enum([...MESSAGE_MODES], { description: 'On user messages.' }),
      model: Type.String({
        description:
          'On assistant messages. On user messages only if the model was chosen for that message alone.',
      }),
      parameters: described(Parameters, 'On user messages that were sent with their own parameters.'),
      steps: Type.Array(Step, { description: 'On assistant messages that used tools.' }),
      error: described(MessageError, 'On assistant messages with status `error`.'),
      reasoning: Type.String({ description: 'On assistant messages, if the model sends its reasoning.' }),
      usage: Usage,
      timing: described(
        Timing,
        'On finished replies, except those of versions that didn’t measure it. Event streams send the values known so far.',
      ),
      waiting: Type.String({
        examples: ['127.0.0.1:8080 is loading the model.'],
        description:
          'Only in event streams, on a reply that waits for its connected model: what for, in a sentence to show.',
      }),
      stopReason: Type.Enum([...STOP_REASONS], {
        description:
          'On finished assistant messages. `end`: the model was done. `stopped`: somebody stopped it. `length` (the model’s own limit, or 2,000,000 characters) and `step_limit` cut it off. `content_filter`: a filter withheld the rest, or the model declined; the text may be empty. `unanswered`: the offline assistant could do nothing with the message; another model might.',
      }),
      replyTo: Type.String({ description: 'On assistant messages: the id of the user message it answers.' }),
      versions: Type.Array(Type.String(), {
        description:
          'On user messages that were edited or retried: the ids of all versions, oldest first, this one included. Each version has its own branch: its reply and everything after it. Only one is listed at a time.',
      }),
      retries: Type.Array(Retry, {
        description:
          'Those of `versions` that are retries, so that only the reply differs. Absent: none. The others differ in the question: the first message and its edits.',
      }),
    }),
  },
  { description: 'One message of a chat.' },
);
export type Message = Static<typeof Message>;
