/** The schedules of a workspace, without HTTP. */
import { IANAZone } from 'luxon';
import type {
  AskingTool,
  CreateScheduleBody,
  KeptSchedule,
  Schedule,
  ScheduleWithRuns,
  TimesAnswer,
  UpdateScheduleBody,
} from '../../shared/api/schedule.ts';
import { MAX_SCHEDULE_RUNS, MAX_SCHEDULES } from '../../shared/limits.ts';
import { toolTitle } from '../../shared/tool-title.ts';
import { isKnownAgent } from '../agents/answerers.ts';
import { BUILT_IN_AGENTS } from '../agents/definitions.ts';
import type { Caller } from '../auth/caller.ts';
import { requireModel, requireProject } from '../chats/check-message.ts';
import { AppError, found, invalidField } from '../errors.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { plainLine } from '../lib/plain-text.ts';
import { listAgents } from '../store/agent-repository.ts';
import { findChatIn } from '../store/chat-repository.ts';
import { readInSlices } from '../store/pieces.ts';
import { readSettled } from '../store/read-settled.ts';
import {
  countSchedules,
  deleteSchedule,
  findSchedule,
  listRuns,
  listSchedules,
  newSchedule,
  saveSchedule,
  toKept,
  type AllowedTool,
  type StoredSchedule,
} from '../store/schedule-repository.ts';
import type { Reader, Writer } from '../store/types.ts';
import { findOwnTool, TOOL_CATALOG } from '../tools/catalog.ts';
import type { Tool, ToolSource } from '../tools/tool.ts';
import { readWhen } from './read-when.ts';
import type { ScheduleRunner } from './runner.ts';
import { findProblem, nextOf, sendSchedule, type SendDeps } from './send-schedule.ts';
import { nextTime } from './times.ts';

/** Dependencies of {@link createScheduleService}. */
export interface ScheduleServiceDeps extends SendDeps {
  runner: Pick<ScheduleRunner, 'check'>;
  toolSources: readonly ToolSource[];
  /** The zone of the computer. */
  timeZone: () => string;
}

/** Whose rights a schedule gets. */
type Owner = Pick<Caller, 'keyId' | 'reach' | 'approve'>;

/** One of the catalogue comes without a description for models. */
type KnownTool = Pick<Tool, 'name'> & Partial<Pick<Tool, 'description' | 'described'>>;

/** Manages schedules. Results are on disk before they are returned. All but `list`, `create` and `times` reject with AppError `schedule_not_found`. */
export type ScheduleService = ReturnType<typeof createScheduleService>;

/** Makes the schedule service of a store. */
export function createScheduleService(deps: ScheduleServiceDeps) {
  const { store, clock, newId, runner, toolSources, timeZone: ownZone } = deps;

  function toSchedule(reader: Reader, stored: StoredSchedule): Schedule {
    return {
      ...withoutTime(toKept(stored)),
      allowedTools: stored.allowed.map(({ name }) => name),
      paused: stored.paused,
      nextAt: stored.paused ? null : stored.nextAt,
      problem: findProblem(reader, stored, clock().toISOString()),
      lastRun: listRuns(reader, stored.id, 1)[0] ?? null,
    };
  }

  const find = (reader: Reader, workspaceId: string, id: string): StoredSchedule =>
    found(findSchedule(reader, workspaceId, id), 'schedule_not_found');

  /** Everything that a turn could ask about. Tool servers are asked for their tools. */
  async function listAskingTools(): Promise<(AskingTool & AllowedTool)[]> {
    const agents = [
      ...BUILT_IN_AGENTS.map(({ name }) => name),
      ...store.read(listAgents).map((one) => one.agentType),
    ];
    const hosted = (await Promise.all(toolSources.map((source) => source.list(agents)))).flat();
    return [...TOOL_CATALOG.filter(({ runs }) => runs !== 'service'), ...hosted]
      .filter(({ asks }) => asks !== 'never')
      .map(({ name, description = '', described = '' }: KnownTool) => {
        const about = plainLine(findOwnTool(name)?.sentence ?? description, MAX_ABOUT);
        return { name, title: toolTitle(name), description: about, described };
      });
  }

  /** The tools to allow, as they are described now. */
  async function readAllowed(names: readonly string[], { reach, approve }: Owner): Promise<AllowedTool[]> {
    if (names.length === 0) return [];
    if (!reach) throw new AppError('reach_required');
    if (!approve) throw new AppError('approve_required');
    const known = await listAskingTools();
    return [...new Set(names)].map((name) => {
      const tool = known.find((one) => one.name === name);
      if (tool === undefined)
        throw invalidField('allowedTools', `There is no tool “${name}” that asks first.`);
      return { name, described: tool.described };
    });
  }

  /** The schedule with those fields, checked; it belongs to that caller from then on. */
  function withFields(
    writer: Writer,
    before: StoredSchedule,
    body: UpdateScheduleBody,
    { keyId, reach, approve }: Owner,
    allowed: AllowedTool[] | null,
  ): StoredSchedule {
    const now = clock();
    const { when, timeZone, chatId, projectId, agentType, model } = body;
    // That of an imported schedule may be anything.
    if (!IANAZone.isValidZone(timeZone ?? before.timeZone)) throw invalidField('timeZone', NO_ZONE);
    const after: StoredSchedule = {
      ...before,
      ...definedFields(body, ['content', 'mode', 'timeZone', 'chatId', 'projectId', 'agentType', 'model']),
      keyId: keyId ?? null,
      reach,
      allowed: allowed ?? (approve && reach ? before.allowed : []),
    };
    if (chatId !== undefined && chatId !== null && findChatIn(writer, chatId, after.workspaceId) === null)
      throw invalidField('chatId', '"chatId" must be the id of a chat of the workspace, or null.');
    if (projectId !== undefined) requireProject(writer, after.workspaceId, projectId);
    if (after.chatId !== null && after.projectId !== null)
      throw invalidField(
        'projectId',
        'A chat that exists has its project; leave out "projectId" or "chatId".',
      );
    if (model !== undefined) requireModel(writer, model);
    if (agentType !== undefined && agentType !== null && !isKnownAgent(writer, agentType))
      throw invalidField(
        'agentType',
        '"agentType" must be that of an agent which GET /api/v1/agents lists, or null.',
      );
    // Words such as “in 2 hours” mean the same moment when they come back unchanged.
    if (when !== undefined && when.trim() !== before.timing) {
      const { at, cron } = readWhen(when, { now, timeZone: after.timeZone });
      return planned(writer, { ...after, timing: when.trim(), at: at?.toISOString() ?? null, cron }, now);
    }
    return timeZone === undefined || timeZone === before.timeZone ? after : planned(writer, after, now);
  }

  const planned = (reader: Reader, schedule: StoredSchedule, now: Date): StoredSchedule => ({
    ...schedule,
    since: now.toISOString(),
    nextAt: nextOf(reader, schedule, now),
  });

  /** Stores it, and resolves with it as clients see it. */
  function save(writer: Writer, schedule: StoredSchedule): Schedule {
    saveSchedule(writer, schedule);
    return toSchedule(writer, schedule);
  }

  return {
    /** Those to come, the next one first; then those that are over. */
    list: (workspaceId: string): Promise<Schedule[]> =>
      readInSlices(store, function* (reader) {
        const all: Schedule[] = [];
        for (const stored of listSchedules(reader, workspaceId)) {
          all.push(toSchedule(reader, stored));
          yield;
        }
        return all;
      }),
    /** One, with its latest runs. */
    find: (workspaceId: string, id: string): Promise<ScheduleWithRuns> =>
      readSettled(store, (reader) => {
        const stored = find(reader, workspaceId, id);
        return { schedule: toSchedule(reader, stored), runs: listRuns(reader, id, MAX_SCHEDULE_RUNS) };
      }),
    /** Makes one with the rights of `owner`. Rejects with AppError `invalid_request`, `reach_required`, `approve_required` or `conflict`. */
    async create(workspaceId: string, body: CreateScheduleBody, owner: Owner): Promise<Schedule> {
      const allowed = await readAllowed(body.allowedTools ?? [], owner);
      const schedule = await store.write((writer) => {
        if (countSchedules(writer, workspaceId) >= MAX_SCHEDULES) throw new AppError('conflict', TOO_MANY);
        const now = clock().toISOString();
        const { content, paused = false } = body;
        const blank = newSchedule({
          ...{ id: newId(), workspaceId, content, paused, timing: '', timeZone: ownZone() },
          ...{ since: now, createdAt: now },
        });
        return save(writer, withFields(writer, blank, body, owner, allowed));
      });
      void runner.check();
      return schedule;
    },
    /**
     * Changes one; what is absent stays. Unless it is only paused, it has the rights of `owner` from then on. Rejects as `create`.
     */
    async update(workspaceId: string, id: string, body: UpdateScheduleBody, owner: Owner): Promise<Schedule> {
      const { paused, ...changes } = body;
      const allowed = changes.allowedTools && (await readAllowed(changes.allowedTools, owner));
      const isChanged = Object.keys(changes).some((name) => name !== 'workspaceId');
      const schedule = await store.write((writer) => {
        const before = find(writer, workspaceId, id);
        const isResumed = paused === false && before.paused;
        let after = { ...before, paused: paused ?? before.paused };
        if (isChanged || isResumed) after = withFields(writer, after, changes, owner, allowed ?? null);
        if (isResumed) after = planned(writer, after, clock());
        if (isResumed && after.nextAt === null) throw new AppError('conflict', OVER);
        return save(writer, after);
      });
      void runner.check();
      return schedule;
    },
    /**
     * Sends its message now, besides its times, with no more than the rights of `owner`. Rejects as a send does, and with AppError
     * `conflict` if it can't be sent.
     */
    async run(workspaceId: string, id: string, { reach, approve }: Owner): Promise<Schedule> {
      const stored = store.read((reader) => find(reader, workspaceId, id));
      if (stored.allowed.length > 0 && !approve) throw new AppError('approve_required');
      await sendSchedule(deps, stored, null, reach && stored.reach);
      return readSettled(store, (reader) => toSchedule(reader, find(reader, workspaceId, id)));
    },
    /** Removes one and resolves with it; what it has sent stays. */
    remove: (workspaceId: string, id: string): Promise<Schedule> =>
      store.write((writer) => {
        const schedule = toSchedule(writer, find(writer, workspaceId, id));
        deleteSchedule(writer, id);
        return schedule;
      }),
    /** How `when` is read, and its next times; or why it can't be. */
    times(when: string, timeZone = ownZone()): TimesAnswer {
      const now = clock();
      try {
        if (!IANAZone.isValidZone(timeZone)) throw invalidField('timeZone', NO_ZONE);
        const { at, cron } = readWhen(when, { now, timeZone });
        const times: Date[] = at === null ? [] : [at];
        for (let last: Date | null = now; cron !== null && times.length < SHOWN_TIMES && last !== null;) {
          last = nextTime({ cron, timeZone }, last);
          if (last !== null) times.push(last);
        }
        return { rule: cron, timeZone, times: times.map((time) => time.toISOString()), problem: null };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { rule: null, timeZone, times: [], problem: error.message };
      }
    },
    /** The tools that ask first, which a schedule may allow. */
    askingTools: async (): Promise<AskingTool[]> =>
      (await listAskingTools()).map(({ described: _, ...tool }) => tool),
  };
}

const withoutTime = ({ at: _, ...kept }: KeptSchedule) => kept;

const SHOWN_TIMES = 3;
/** How much of a tool's description is shown, in characters. */
const MAX_ABOUT = 300;
const NO_ZONE = '"timeZone" must be an IANA time zone, such as Europe/Berlin.';
const OVER = 'Its time is over; give it another one with “when”.';
const TOO_MANY = `There are ${MAX_SCHEDULES} schedules in this workspace already, which is the most there can be; delete some that are over.`;
