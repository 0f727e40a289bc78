/** The schedules of a service. Calendars and time zones, which are large, are loaded when there is a schedule or somebody asks for one. */
import { hasSchedules } from '../store/schedule-repository.ts';
import type { ScheduleService, ScheduleServiceDeps } from './schedule-service.ts';

/** The schedules of one service. */
export type Schedules = ReturnType<typeof openSchedules>;

/** Opens the schedules of a store; nothing is sent before `start`. */
export function openSchedules(
  deps: Omit<ScheduleServiceDeps, 'runner'> & { onError: (error: unknown) => void },
) {
  let loading: ReturnType<typeof load> | undefined;
  let isClosed = false;

  async function load() {
    const [{ createScheduleRunner }, { createScheduleService }] = await Promise.all([
      import('./runner.ts'),
      import('./schedule-service.ts'),
    ]);
    const runner = createScheduleRunner(deps);
    if (isClosed) runner.close();
    else void runner.check();
    return { runner, service: createScheduleService({ ...deps, clock: runner.clock, runner }) };
  }

  return {
    /** The service that manages them. */
    service: async (): Promise<ScheduleService> => (await (loading ??= load())).service,
    /** Sends what was missed, and from then on what is due. */
    start(): void {
      if (deps.store.read(hasSchedules)) (loading ??= load()).catch(deps.onError);
    },
    /** Begins no more; what is due is sent after the next start. */
    close(): void {
      isClosed = true;
      loading?.then(({ runner }) => runner.close()).catch(() => undefined);
    },
  };
}
