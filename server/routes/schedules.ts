import {
  AskingTools,
  CreateScheduleBody,
  ScheduleAnswer,
  ScheduleList,
  ScheduleWithRuns,
  TimesAnswer,
  TimesQuery,
  UpdateScheduleBody,
} from '../../shared/api/schedule.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
import type { Schedules } from '../schedules/open-schedules.ts';

const PATH = '/api/v1/schedules/:scheduleId';

/** Endpoints about schedules. */
export function setupScheduleRoutes(app: App, schedules: Pick<Schedules, 'service'>): void {
  const api = createEndpoints(app, 'Schedules', { workspace: 'required' });
  api.get('/api/v1/schedules', 'listSchedules', 'List schedules', {
    description:
      'All schedules of the workspace: those to come, the next one first, then those that are over.',
    response: { 200: ScheduleList },
    result: async ({ workspaceId }) => (await schedules.service()).list(workspaceId),
  });

  api.post('/api/v1/schedules', 'createSchedule', 'Create a schedule', {
    description:
      'Sends a message at a time, or again and again by a rule. Its turns have the rights of the key that made it; once that key has ended, it sends nothing. Schedules made in the window or with the local key stay. Nobody is there to be asked, so tools that ask first are denied, unless `allowedTools` names them.\n\nEach time makes exactly one message, also through restarts and changes of the clock. A time that clocks skip comes an hour later, one that they show twice counts once. What was due while Parley was off is sent once at the next start, if it is less than a day old. Up to 2,000 per workspace.',
    errors: ['conflict', 'approve_required', 'reach_required'],
    body: CreateScheduleBody,
    response: { 201: ScheduleAnswer },
    result: async ({ body, workspaceId, caller }) =>
      (await schedules.service()).create(workspaceId, body, caller),
  });

  api.get('/api/v1/schedules/times', 'readTimes', 'Check when a schedule would send', {
    workspace: null,
    description: 'Reads `when` as a new schedule would, and returns the next times.',
    query: TimesQuery,
    response: { 200: TimesAnswer },
    handle: async ({ query }) => (await schedules.service()).times(query.when, query.timeZone),
  });

  api.get('/api/v1/schedules/tools', 'listAskingTools', 'List the tools that a schedule can allow', {
    workspace: null,
    description: 'Those that ask first. Tool servers that can’t be reached right now are missing.',
    response: { 200: AskingTools },
    result: async () => (await schedules.service()).askingTools(),
  });

  api.get(PATH, 'getSchedule', 'Read a schedule and its runs', {
    response: { 200: ScheduleWithRuns },
    handle: async ({ params, workspaceId }) =>
      (await schedules.service()).find(workspaceId, params.scheduleId),
  });

  api.patch(PATH, 'updateSchedule', 'Change, pause or resume a schedule', {
    description:
      'Absent fields stay as they are. Unless it is only paused, the schedule has the rights of this key from then on; without `approve`, it loses its allowed tools.',
    errors: ['conflict', 'approve_required', 'reach_required'],
    body: UpdateScheduleBody,
    response: { 200: ScheduleAnswer },
    result: async ({ params, body, workspaceId, caller }) =>
      (await schedules.service()).update(workspaceId, params.scheduleId, body, caller),
  });

  api.post(`${PATH}/run`, 'runSchedule', 'Run a schedule now', {
    description:
      'Sends its message at once, besides its times; also if it is paused or over. `lastRun` names the message. A schedule with allowed tools needs the right `approve`.',
    errors: ['conflict', 'queue_full', 'approve_required'],
    response: { 200: ScheduleAnswer },
    result: async ({ params, workspaceId, caller }) =>
      (await schedules.service()).run(workspaceId, params.scheduleId, caller),
  });

  api.delete(PATH, 'deleteSchedule', 'Delete a schedule', {
    description: 'What it has sent stays.',
    response: { 200: ScheduleAnswer },
    result: async ({ params, workspaceId }) =>
      (await schedules.service()).remove(workspaceId, params.scheduleId),
  });
}
