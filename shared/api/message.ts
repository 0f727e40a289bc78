import { Type, type Static } from 'typebox';
import { TURN_ERROR_CODES } from '../errors.ts';
import { MESSAGE_MODES, MESSAGE_STATUSES } from '../choices.ts';
import { Attachment } from './attachment.ts';
import {
  choice,
  described,
  flag,
  list,
  marker,
  object,
  optional,
  partial,
  text,
  time,
  Timestamp,
  whole,
} from './common.ts';
import { Parameters } from './parameters.ts';

/** What to do when a tool needs approval. `deny` is for programs that run unattended. Turns of keys without `reach` never ask. */
export const ON_APPROVAL = ['ask', 'deny'] as const;
export type OnApproval = (typeof ON_APPROVAL)[number];

/** `user`: a person or program. `assistant`: the reply. */
export const MESSAGE_ROLES = ['user', 'assistant'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

export type MessageMode = (typeof MESSAGE_MODES)[number];

export const StepApproval = object('A tool call that waits for a person’s approval.', {
  id: text('The id for `POST /api/v1/chats/:chatId/approvals/:id`.', '01jd3v6k2q8x'),
  expiresAt: time('No answer by then counts as a no.'),
  ...optional({
    summary: text('What the tool would do, in words. Absent: its name and input say it all.'),
    diff: text(
      'What would change in an existing text file, as hunks of a unified diff. Absent if there is no such file, or the diff can’t be shown in full.',
      '@@ -1,2 +1,2 @@\n milk\n-bread\n+two loaves',
    ),
  }),
  signIn: Type.Optional(
    object(
      'The tool server that a person has to sign in at before the call can be made: `POST /api/v1/mcp-servers/:serverId/sign-in`. Absent: none.',
      {
        serverId: text('Id of the tool server.'),
        name: text('Its display name.', 'Calendar'),
      },
    ),
  ),
  canRemember: flag('Whether the answer can apply to all later calls of this tool.'),
  call: Type.Optional(
    object(
      "The call that needs approval, if it isn't the step's own: a call by another agent that the step asked.",
      {
        tool: text('The tool’s name.'),
        input: Type.Unknown({ description: 'The input it would be called with.' }),
      },
    ),
  ),
});
export type StepApproval = Static<typeof StepApproval>;

export const StepFile = object(
  'A picture, sound or other file that a tool returned. Read its bytes with `GET /api/v1/chats/:chatId/files/:fileId`.',
  {
    id: text('Unique id.', '01jd3v6k2q8x'),
    name: text('The name its server gave it, else one made from its type. Not unique.', 'chart.png'),
    mediaType: text('The media type its server claims; don’t rely on it.', 'image/png'),
    bytes: whole('Its size in bytes.'),
  },
);
export type StepFile = Static<typeof StepFile>;

export const Step = object('One tool call of a turn. Steps are in the order of the calls.', {
  id: text('Unique id.', '01jd3v6k2q8x'),
  tool: text('The tool’s name.', 'calculate'),
  status: choice(
    ['running', 'awaiting_approval', 'done', 'failed'],
    '`running` while the tool works; then `done` with an output or `failed` with an error. `awaiting_approval`: a person has to answer with `POST …/approvals/{id}` first; until then nothing happens.',
  ),
  input: Type.Unknown({
    examples: [{ expression: '12.5% of 1840' }],
    description: 'The input the tool was called with.',
  }),
  ...optional({
    textBefore: whole(
      "How much of the message's text was written when the tool was called, in UTF-16 code units: the rest came after it. Absent in replies of earlier versions, which didn't record it.",
      { minimum: 0 },
    ),
    output: Type.Unknown({ description: 'What it returned. Absent until it is done.' }),
    files: list(StepFile, 'Files it returned. Absent: none.'),
    error: text('Why it failed, in words. Only on a failed step.'),
    inDoubt: marker(
      'Only on a failed step: the call had started, and it is unknown whether it took effect. A later call of the tool asks first.',
    ),
    approval: described(StepApproval, 'Only on a step with status `awaiting_approval`.'),
  }),
});
export type Step = Static<typeof Step>;

export const Usage = partial(
  {
    inputTokens: whole('Tokens the model read.'),
    outputTokens: whole('Tokens the model wrote.'),
    contextTokens: whole(
      "How much of the model's context the conversation takes up, this reply included. Counts the last round only.",
    ),
    model: text("The model that answered, according to its server. Only if it isn't the one that was asked."),
    leftOut: list(
      Type.String({ examples: ['temperature'] }),
      'What the requests to the model lacked because its server refuses it: parameters by their names, `instructions` (they were sent with the first message), `tools`, `tool:` and the name of a tool, `stream_options` (so it may report no tokens). Absent: nothing.',
    ),
    contextEstimated: marker(
      'Only if the model reported no tokens: `contextTokens` is then an estimate, made from what was sent and received.',
    ),
  },
  { description: 'Tokens the reply took, as far as the model reports them.' },
);
export type Usage = Static<typeof Usage>;

export const Timing = partial(
  {
    firstWordMs: whole(
      'From the request to the model until the first word of `content`. Absent: it wrote none.',
      { minimum: 0 },
    ),
    thoughtMs: whole(
      'How long the model thought, over all rounds: each from the first piece of `reasoning` to whatever came next. Absent: it sent no reasoning, sent it all at once (within a tenth of a second), or sent nothing after it.',
      { minimum: 0 },
    ),
    totalMs: whole(
      'From the request to the model until the end of the reply, tools included. Absent: the reply was stopped or cut off.',
      { minimum: 0 },
    ),
    tokensPerSecond: Type.Number({
      minimum: 0,
      description:
        'How fast the model wrote: the tokens it reports, over the time from the first piece to the last. Waiting, tools and hidden reasoning don’t count, nor do rounds of fewer than ten pieces or half a second, which are too short to measure. Absent: no round could be measured, or the model reported no tokens.',
      examples: [41.7],
    }),
  },
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

export const MessageError = object('Why the reply failed.', {
  code: choice(
    TURN_ERROR_CODES,
    '`timed_out`: no progress within the turn timeout. `interrupted`: the process died three times while working on it, or it was cut off after a call had begun that changes or sends something, so it is not started again by itself. `agent_crashed`: the worker that makes replies died. The others come from the model: `model_unreachable`: its server didn’t answer, or the connection broke. `model_not_found`: there is no such model. `model_key_refused`: its key is missing, wrong or locked. `model_overloaded`: it is too busy or got too many requests, even after retries. `context_too_long`: the conversation is longer than it can read. `model_failed`: any other failure.',
  ),
  message: text('A sentence for a person, with more detail than the code.', 'Its server did not answer.'),
});
export type MessageError = Static<typeof MessageError>;

export const Retry = object('A version of a user message that was made by a retry.', {
  id: text('One of `versions`.'),
  retryOf: text(
    'The version whose question it repeats: the one that was sent or edited, even if this is a retry of a retry. It may have been deleted.',
  ),
});

export const Message = object('One message of a chat.', {
  role: choice(MESSAGE_ROLES, '`user`: a person or program. `assistant`: the reply.'),
  content: text('The text, as Markdown.', '12.5% of 1840 is 230.'),
  status: choice(
    MESSAGE_STATUSES,
    'User messages are `pending` until a worker takes them, then `complete`. Assistant messages are `pending` (nothing written yet), `streaming`, then `complete` or `error`. `compacted`: part of a summary for the model; still readable.',
  ),
  createdAt: Timestamp,
  id: text('Unique id of the message.', '0b9c7d52-1e3f-4a68-8c21-5d7e9f0a4b16'),
  ...optional({
    attachments: list(Attachment, 'On user messages with files, in the order they were given.'),
    mode: choice(MESSAGE_MODES, 'On user messages.'),
    model: text(
      'On assistant messages. On user messages only if the model was chosen for that message alone.',
    ),
    parameters: described(Parameters, 'On user messages that were sent with their own parameters.'),
    steps: list(Step, 'On assistant messages that used tools.'),
    error: described(MessageError, 'On assistant messages with status `error`.'),
    reasoning: text('On assistant messages, if the model sends its reasoning.'),
    usage: Usage,
    timing: described(
      Timing,
      'On finished replies, except those of versions that didn’t measure it. Event streams send the values known so far.',
    ),
    waiting: text(
      'Only in event streams, on a reply that waits for its connected model, or to be saved: what for, in a sentence to show.',
      '127.0.0.1:8080 is loading the model.',
    ),
    stopReason: choice(
      STOP_REASONS,
      'On finished assistant messages. `end`: the model was done. `stopped`: somebody stopped it. `length` (the model’s own limit, or 2,000,000 characters) and `step_limit` cut it off. `content_filter`: a filter withheld the rest, or the model declined; the text may be empty. `unanswered`: the offline assistant could do nothing with the message; another model might.',
    ),
    replyTo: text('On assistant messages: the id of the user message it answers.'),
    versions: list(
      Type.String(),
      'On user messages that were edited or retried: the ids of all versions, oldest first, this one included. Each version has its own branch: its reply and everything after it. Only one is listed at a time.',
    ),
    retries: list(
      Retry,
      'Those of `versions` that are retries, so that only the reply differs. Absent: none. The others differ in the question: the first message and its edits.',
    ),
  }),
});
export type Message = Static<typeof Message>;
