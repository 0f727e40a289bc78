import { Type, type Static } from 'typebox';
import { MESSAGE_MODES } from '../choices.ts';
import { MAX_CONTENT_CHARACTERS, MAX_WHEN_CHARACTERS } from '../limits.ts';
import {
  AgentType,
  choice,
  flag,
  list,
  object,
  orNull,
  partial,
  text,
  time,
  Timestamp,
  WorkspaceId,
} from './common.ts';

/** What came of a time at which a schedule was due. */
export const RUN_STATUSES = [
  'waiting',
  'replied',
  'failed',
  'stopped',
  'deleted',
  'not_sent',
  'missed',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const ScheduleRun = object('What came of a time at which a schedule was due.', {
  dueAt: orNull(Timestamp, 'When it was due. Null: it was run by hand.'),
  ranAt: time('When it was sent. Later than `dueAt` if Parley was off or the computer asleep.'),
  chatId: orNull(Type.String(), 'The chat of its message. Null: there is none any more.'),
  messageId: orNull(Type.String(), 'Its message. Null: there is none any more.'),
  status: choice(
    RUN_STATUSES,
    '`waiting`: the reply is not there yet. `replied`. `failed`: there is no reply; `error` says why. `stopped`: a person stopped it. `deleted`: its message or chat was deleted. `not_sent`: nothing was sent; `error` says why. `missed`: Parley was off for more than a day.',
  ),
  error: orNull(Type.String(), 'What went wrong, in a sentence. Null: nothing did.'),
});
export type ScheduleRun = Static<typeof ScheduleRun>;

const When = text(
  'When to send, in words (`tomorrow at 8:30`, `every weekday at 8`, `every month on the 1st at 9`), as an ISO 8601 time, or as a cron expression of five fields (`0 8 * * 1-5`).',
  { minLength: 1, maxLength: MAX_WHEN_CHARACTERS, examples: ['every weekday at 8'] },
);
const TimeZone = text('The IANA time zone of its times. New schedules: that of the computer.', {
  maxLength: 64,
  examples: ['Europe/Berlin'],
});
const Content = text('The message to send.', {
  pattern: '\\S',
  maxLength: MAX_CONTENT_CHARACTERS,
  examples: ['What is new in these feeds?'],
});
const AllowedTools = list(
  Type.String({ maxLength: 64 }),
  'The tools that ask first and that its turns may use, since nobody is there to be asked. All others that ask are denied. Needs the right `approve`. A tool whose description has changed since is denied until the schedule is saved again.',
  { maxItems: 50 },
);

/** What a schedule sends, where to, and when. */
const fields = {
  content: Content,
  when: When,
  timeZone: TimeZone,
  mode: choice(MESSAGE_MODES, 'As in a send. New schedules: `agent`.'),
  chatId: orNull(Type.String(), 'The chat to send to. Null, as for new schedules: a new chat each time.'),
  projectId: orNull(Type.String(), 'The project of the new chats. Null: none.'),
  agentType: orNull(
    AgentType,
    'The agent that answers; in an existing chat, from then on. Null: the chat’s, or the default one.',
  ),
  model: orNull(
    Type.String({ maxLength: 400 }),
    'The model that answers. Null: the chat’s, or the usual one of new chats.',
  ),
  allowedTools: AllowedTools,
  paused: flag('Whether it sends nothing until that is changed. What was due meanwhile is not sent.'),
};

export const Schedule = object('A message that is sent at a time, or again and again.', {
  id: text('Unique id.'),
  ...fields,
  rule: orNull(Type.String(), 'Its rule as a cron expression. Null: it sends once.'),
  nextAt: orNull(Timestamp, 'When it is due next. Null: it is over.'),
  problem: orNull(
    Type.String(),
    'Why it could not send now, in a sentence, such as that its chat was deleted. Null: it could.',
  ),
  lastRun: orNull(ScheduleRun, 'Its latest run. Null: it has not run.'),
  createdAt: Timestamp,
});
export type Schedule = Static<typeof Schedule>;

/** A schedule in an export or a backup: it comes back paused, with the rights of whoever resumes it. */
export const KeptSchedule = Type.Object({
  ...Type.Pick(Schedule, [
    'id',
    'content',
    'when',
    'timeZone',
    'mode',
    'chatId',
    'projectId',
    'agentType',
    'model',
  ]).properties,
  rule: Schedule.properties.rule,
  at: orNull(Timestamp, 'The one time. Null: it has a rule.'),
  createdAt: Timestamp,
});
export type KeptSchedule = Static<typeof KeptSchedule>;

/** Body of `PATCH /api/v1/schedules/:scheduleId`. Absent fields stay as they are. */
export const UpdateScheduleBody = partial({ ...fields, workspaceId: WorkspaceId });
export type UpdateScheduleBody = Static<typeof UpdateScheduleBody>;

/** Body of `POST /api/v1/schedules`. */
export const CreateScheduleBody = Type.Object({
  ...UpdateScheduleBody.properties,
  content: Content,
  when: When,
});
export type CreateScheduleBody = Static<typeof CreateScheduleBody>;

/** Answer of endpoints about one schedule. */
export const ScheduleAnswer = Type.Object({ schedule: Schedule });
export type ScheduleAnswer = Static<typeof ScheduleAnswer>;

/** Answer of `GET /api/v1/schedules/:scheduleId`. */
export const ScheduleWithRuns = Type.Object({
  schedule: Schedule,
  runs: list(ScheduleRun, 'The latest 50, newest first.'),
});
export type ScheduleWithRuns = Static<typeof ScheduleWithRuns>;

/** Answer of `GET /api/v1/schedules`. */
export const ScheduleList = Type.Object({
  schedules: list(Schedule, 'Those to come, the next one first; then those that are over.'),
});
export type ScheduleList = Static<typeof ScheduleList>;

/** Query of `GET /api/v1/schedules/times`. */
export const TimesQuery = Type.Object({ when: When, timeZone: Type.Optional(TimeZone) });

/** Answer of `GET /api/v1/schedules/times`. */
export const TimesAnswer = Type.Object({
  rule: Schedule.properties.rule,
  timeZone: TimeZone,
  times: list(Timestamp, 'The next times, up to three.'),
  problem: orNull(Type.String(), 'Why it can’t be read, in a sentence. Null: it can.'),
});
export type TimesAnswer = Static<typeof TimesAnswer>;

/** A tool that asks first. */
export const AskingTool = Type.Object({
  name: text('Its name, as `allowedTools` takes it.'),
  title: text('Its display name.'),
  description: text('What it does.'),
});
export type AskingTool = Static<typeof AskingTool>;

/** Answer of `GET /api/v1/schedules/tools`. */
export const AskingTools = Type.Object({ tools: list(AskingTool, 'By name.') });
