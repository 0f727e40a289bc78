/**
 * Remembers what models' servers refuse in requests, so that only the first turn has to find it out. In memory and for
 * an hour: a server may be changed or restarted with other options meanwhile.
 */
import type { AgentRuntime } from '../agents/turn.ts';
import { addressOf } from '../connections/places.ts';
import type { ModelAccess } from '../connections/model-access.ts';

const REMEMBERED_MS = 3_600_000;

/** The same runtime, whose turns know what the turns before found out. `now` is in milliseconds. */
export function rememberRefusals(runtime: AgentRuntime, now = (): number => performance.now()): AgentRuntime {
  const known = new Map<string, { refused: readonly string[]; since: number }>();
  const keyOf = (access: ModelAccess): string => `${addressOf(access)} ${access.modelId}`;
  return {
    async run(request, ports) {
      const { access } = request;
      if (access === null) return runtime.run(request, ports);
      const key = keyOf(access);
      const found = known.get(key);
      const before = found !== undefined && now() - found.since < REMEMBERED_MS ? found : null;
      const refused = [...(before?.refused ?? [])];
      const result = await runtime.run({ ...request, access: { ...access, refused } }, ports);
      if (result.refused !== undefined)
        known.set(key, { refused: result.refused, since: before?.since ?? now() });
      return result;
    },
    close: () => runtime.close(),
  };
}
