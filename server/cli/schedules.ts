/** `parley schedule`: scheduled messages. */
import type { Schedule, ScheduleAnswer, ScheduleList } from '../../shared/api/schedule.ts';
import { type Client, connect, type ListOptions } from './client.ts';
import { CommandError } from './exit-codes.ts';
import { findNamedChat, shortId } from './find-chat.ts';
import { sayTable, timeColumn } from './table.ts';
import { hint, localTime, note, sayJson, withoutControls } from './terminal.ts';

const PATH = '/api/v1/schedules';

/** Lists all schedules. */
export async function printSchedules(options: ListOptions): Promise<void> {
  const { schedules } = await (await connect(options)).get<ScheduleList>(PATH);
  if (options.json) sayJson({ schedules });
  else if (schedules.length === 0)
    hint('There are no schedules. Add one with: parley schedule add "every Monday at 9" "…"');
  else
    sayTable(schedules, [
      { heading: 'ID', value: ({ id }) => id, shown: ({ id }) => shortId(id) },
      timeColumn('NEXT', ({ nextAt }) => nextAt, '-'),
      { heading: 'WHEN', value: ({ when }) => when },
      { heading: 'STATE', value: stateOf },
      { heading: 'MESSAGE', value: ({ content }) => content, isFlexible: true },
    ]);
  if (!options.json)
    for (const { id, problem, lastRun } of schedules) {
      const words = problem ?? lastRun?.error ?? null;
      if (words !== null) note(`${shortId(id)}: ${withoutControls(words)}`);
    }
}

/** In a word: what keeps it from sending, or what came of its last time. */
function stateOf({ problem, paused, lastRun, nextAt }: Schedule): string {
  if (problem !== null) return 'problem';
  if (paused) return 'paused';
  return lastRun?.status.replace('_', ' ') ?? (nextAt === null ? 'over' : 'new');
}

/** Options of a new schedule. */
export interface AddScheduleOptions extends ListOptions {
  chat?: string;
  project?: string;
  agent?: string;
  model?: string;
  timeZone?: string;
  allow?: string[];
}

/** Adds one. */
export async function addSchedule(when: string, words: string[], options: AddScheduleOptions): Promise<void> {
  const { project: projectId, agent: agentType, model, timeZone, allow: allowedTools } = options;
  const client = await connect(options);
  const chatId = options.chat === undefined ? undefined : (await findNamedChat(client, options.chat)).id;
  const content = words.join(' ');
  const answer = await client.post<ScheduleAnswer>(PATH, {
    json: { content, when, chatId, projectId, agentType, model, timeZone, allowedTools },
  });
  const { id, nextAt } = answer.schedule;
  if (options.json) sayJson(answer);
  else note(`Added ${shortId(id)}: it sends next on ${localTime(nextAt ?? '')}.`);
}

const DONE = { pause: 'Paused', resume: 'Resumed', run: 'Sent', delete: 'Deleted' };

/** Pauses, resumes, runs or deletes one. */
export async function changeSchedule(
  verb: keyof typeof DONE,
  name: string,
  options: ListOptions,
): Promise<void> {
  const client = await connect(options);
  const path = `${PATH}/${encodeURIComponent((await findSchedule(client, name)).id)}`;
  const answer = await {
    pause: () => client.patch<ScheduleAnswer>(path, { json: { paused: true } }),
    resume: () => client.patch<ScheduleAnswer>(path, { json: { paused: false } }),
    run: () => client.post<ScheduleAnswer>(`${path}/run`, {}),
    delete: () => client.delete<ScheduleAnswer>(path),
  }[verb]();
  if (options.json) sayJson(answer);
  else note(`${DONE[verb]}: ${withoutControls(answer.schedule.when)}.`);
}

/** By its id, or the beginning of that. */
async function findSchedule(client: Client, name: string): Promise<Schedule> {
  const { schedules } = await client.get<ScheduleList>(PATH);
  const [schedule, another] = schedules.filter(({ id }) => name !== '' && id.startsWith(name.toLowerCase()));
  if (schedule === undefined)
    throw new CommandError(`There is no schedule "${name}"; parley schedule lists them.`);
  if (another !== undefined) throw new CommandError(`Several ids start with "${name}"; give more of the id.`);
  return schedule;
}
