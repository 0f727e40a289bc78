import { Type, type Static } from 'typebox';
import { TURN_ERROR_CODES } from '../errors.ts';
import { MESSAGE_STATUSES } from '../message-status.ts';
import { Attachment } from './attachment.ts';
import { described, Timestamp } from './common.ts';
import { Parameters } from './parameters.ts';

export { MESSAGE_STATUSES, isUnfinished, type MessageStatus } from '../message-status.ts';

/**
 * What becomes of a tool that asks first: `ask` a person and wait for the answer, or `deny` it at once and go on with the
 * reply, for a program with nobody beside it. Keys without `reach` never meet a question.
 */
export const ON_APPROVAL = ['ask', 'deny'] as const;
export type OnApproval = (typeof ON_APPROVAL)[number];

/** `user`: a person or program. `assistant`: the reply. */
export const MESSAGE_ROLES = ['user', 'assistant'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** `agent`: the model may use tools. `chat`: it answers from the conversation alone. */
export const MESSAGE_MODES = ['agent', 'chat'] as const;
export type MessageMode = (typeof MESSAGE_MODES)[number];

/**
 * `running` while the tool works; then `done` with an output or `failed` with an error. `awaiting_approval`: a person is
 * asked first, and nothing is done until `POST …/approvals/:id` says so.
 */
export const STEP_STATUSES = ['running', 'awaiting_approval', 'done', 'failed'] as const;

export const StepApproval = Type.Object(
  {
    id: Type.String({
      examples: ['01jd3v6k2q8x'],
      description: 'Names it in `POST /api/v1/chats/:chatId/approvals/:id`.',
    }),
    expiresAt: described(Timestamp, "Nobody's answer until then counts as a no."),
    summary: Type.Optional(
      Type.String({
        description:
          'What would be done, in words for the person; absent: the tool and its input say it all.',
      }),
    ),
    diff: Type.Optional(
      Type.String({
        description:
          'What a text file that is there would become, as hunks of a unified diff. Absent where there is none, or it can’t be shown whole.',
        examples: ['@@ -1,2 +1,2 @@\n milk\n-bread\n+two loaves'],
      }),
    ),
    canRemember: Type.Boolean({
      description: 'Whether the answer can be remembered for all later calls of this tool.',
    }),
    call: Type.Optional(
      Type.Object(
        {
          tool: Type.String({ description: 'The tool’s name.' }),
          input: Type.Unknown({ description: 'What it would be called with.' }),
        },
        {
          description:
            "The call that is asked about where that is another than the step's own: one of an agent that the step asked.",
        },
      ),
    ),
  },
  { description: 'What a person is asked before a tool may go on.' },
);
export type StepApproval = Static<typeof StepApproval>;

export const StepFile = Type.Object(
  {
    id: Type.String({ description: 'What it is told apart by.', examples: ['01jd3v6k2q8x'] }),
    name: Type.String({
      examples: ['chart.png'],
      description: 'As its server names it, or after its kind; not unique.',
    }),
    mediaType: Type.String({
      examples: ['image/png'],
      description: 'As its server says it; not to be believed.',
    }),
    bytes: Type.Integer({ description: 'Its size.' }),
  },
  {
    description:
      'A picture, sound or other file that a tool gave; `GET /api/v1/chats/:chatId/files/:fileId` gives its bytes.',
  },
);
export type StepFile = Static<typeof StepFile>;

export const Step = Type.Object(
  {
    id: Type.String({ description: 'What it is told apart by.', examples: ['01jd3v6k2q8x'] }),
    tool: Type.String({ description: 'The tool’s name.', examples: ['calculate'] }),
    status: Type.Enum([...STEP_STATUSES], {
      description:
        '`running` while the tool works; then `done` with an output or `failed` with an error. `awaiting_approval`: a person is asked first, and nothing is done until `POST …/approvals/{id}` says so.',
    }),
    input: Type.Unknown({
      examples: [{ expression: '12.5% of 1840' }],
      description: 'What the tool was called with.',
    }),
    textBefore: Type.Optional(
      Type.Integer({
        description:
          "How many UTF-16 code units of the message's text were there when it was called: what follows was written after it. Absent in replies of earlier versions, where that wasn't kept.",
        minimum: 0,
      }),
    ),
    output: Type.Optional(Type.Unknown({ description: 'What it returned; absent until it is done.' })),
    files: Type.Optional(Type.Array(StepFile, { description: 'Files that it gave besides; absent: none.' })),
    error: Type.Optional(Type.String({ description: 'Why it failed, in words; only on a failed step.' })),
    inDoubt: Type.Optional(
      Type.Literal(true, {
        description:
          'Only on a failed step: it had begun, and whether it took effect is not known. A later call of the tool asks first.',
      }),
    ),
    approval: Type.Optional(described(StepApproval, 'Only on a step with status `awaiting_approval`.')),
  },
  { description: 'One tool call of a turn, in the order the calls were made.' },
);
export type Step = Static<typeof Step>;

export const Usage = Type.Object(
  {
    inputTokens: Type.Optional(Type.Integer({ description: 'What it read.' })),
    outputTokens: Type.Optional(Type.Integer({ description: 'What it wrote.' })),
    contextTokens: Type.Optional(
      Type.Integer({
        description:
          "How much of the model's context the conversation took up, this reply included: of the last round alone.",
      }),
    ),
    model: Type.Optional(
      Type.String({
        description:
          "The model that answered by its server's account; only where that is another than the one that was asked.",
      }),
    ),
    contextEstimated: Type.Optional(
      Type.Literal(true, {
        description:
          'Only when the model told no tokens, and `contextTokens` is an estimate of what it was sent and answered.',
      }),
    ),
  },
  { description: 'Tokens a reply took, as far as the model tells.' },
);
export type Usage = Static<typeof Usage>;

export const Timing = Type.Object(
  {
    firstWordMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'From when the model was asked until its first word of `content` came. Absent: it wrote none.',
      }),
    ),
    thoughtMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'How long it thought, all rounds taken together: each time from the first piece of `reasoning` until what came next. Absent: it told no thoughts, all of them at once (within a tenth of a second), or nothing after them.',
      }),
    ),
    totalMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'From when the model was asked until the reply was done, tools included. Absent: it was stopped, or broken off from outside.',
      }),
    ),
    tokensPerSecond: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'How fast the model wrote: its tokens by its own account, over the time from the first piece to the last. Waiting for it, tools and hidden thoughts are left out, and so are rounds of fewer than ten pieces or half a second, which say nothing of it. Absent: no round could be measured, or the model told no tokens.',
        examples: [41.7],
      }),
    ),
  },
  {
    description:
      'How long the reply took, as it was measured while it was made, in milliseconds by a clock that nobody sets. A reply that was begun anew counts from its last beginning; time in which a person was asked is left out.',
  },
);
export type Timing = Static<typeof Timing>;

/** `end`: the model was done. `stopped`: somebody stopped it. `length` / `step_limit`: a limit cut it off. */
export const STOP_REASONS = ['end', 'stopped', 'length', 'step_limit', 'unanswered'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const MessageError = Type.Object(
  {
    code: Type.Enum([...TURN_ERROR_CODES], {
      description:
        '`timed_out`: no progress within the turn time-out. `interrupted`: the process died under it three times. `agent_crashed`: what makes replies died. The others are the model’s own: `model_unreachable`: its server didn’t answer, or broke off. `model_not_found`: there is no such model. `model_key_refused`: its key is missing, wrong or locked. `model_overloaded`: too many requests, or too busy, also when tried again. `context_too_long`: the conversation is longer than it can read. `model_failed`: any other fault.',
    }),
    message: Type.String({
      description: 'More than the code says, for a person.',
      examples: ['Its server did not answer.'],
    }),
  },
  { description: 'Why a reply could not be made.' },
);
export type MessageError = Static<typeof MessageError>;

export const Retry = Type.Object(
  {
    id: Type.String({ description: 'One of `versions`.' }),
    retryOf: Type.String({
      description:
        'The version whose question it asks once more: the one that was sent or edited, also where a retry of it was tried again. It may have been deleted.',
    }),
  },
  { description: 'A version of a user message that was made by trying again.' },
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
      description: 'What the message is told apart by.',
      examples: ['0b9c7d52-1e3f-4a68-8c21-5d7e9f0a4b16'],
    }),
    attachments: Type.Optional(
      Type.Array(Attachment, {
        description: 'On user messages that have files, in the order they were given.',
      }),
    ),
    mode: Type.Optional(Type.Enum([...MESSAGE_MODES], { description: 'On user messages.' })),
    model: Type.Optional(
      Type.String({
        description: 'On assistant messages; on user messages where it was asked for that message alone.',
      }),
    ),
    parameters: Type.Optional(
      described(Parameters, 'On user messages that were sent with parameters of their own.'),
    ),
    steps: Type.Optional(Type.Array(Step, { description: 'On assistant messages that used tools.' })),
    error: Type.Optional(described(MessageError, 'On assistant messages with status `error`.')),
    reasoning: Type.Optional(
      Type.String({
        description: 'On assistant messages whose model tells what it thought before it answered.',
      }),
    ),
    usage: Type.Optional(Usage),
    timing: Type.Optional(
      described(
        Timing,
        'On replies that are final and were made since it is measured; event streams tell what there is of it earlier.',
      ),
    ),
    stopReason: Type.Optional(
      Type.Enum([...STOP_REASONS], {
        description:
          'On assistant messages that are final. `end`: the model was done. `stopped`: somebody stopped it. `length` (the model’s own limit, or 2,000,000 characters) and `step_limit` cut it off. `unanswered`: the offline assistant could do nothing with the message, another model may.',
      }),
    ),
    replyTo: Type.Optional(
      Type.String({ description: 'On assistant messages: id of the user message it answers.' }),
    ),
    versions: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'On user messages that were edited or tried again: the ids of all versions, oldest first, this one included. Each version has a branch of its own: its reply and all that came after. Only one is listed at a time.',
      }),
    ),
    retries: Type.Optional(
      Type.Array(Retry, {
        description:
          'Those of `versions` that were made by trying again, so that they differ in the reply; absent: none. The others differ in the question: the first, and its edits.',
      }),
    ),
  },
  { description: 'One message of a chat, as clients see it.' },
);
export type Message = Static<typeof Message>;
