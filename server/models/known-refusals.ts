/**
 * Remembers what models' servers refuse in requests (refused-fields.ts), so that only the first turn has to find it out. In memory
 * and for an hour: a server may be changed or restarted with other options meanwhile.
 */
import type { ModelAccess } from '../connections/model-access.ts';
import { baseAddressOf } from '../connections/server-address.ts';

const REMEMBERED_MS = 3_600_000;
/** Of one model, the latest: a program may try many values. */
const MOST = 100;

/** Nothing is known yet. */
export function createRefusals() {
  const known = new Map<string, { refused: readonly string[]; since: number }>();
  const keyOf = (access: ModelAccess): string => `${baseAddressOf(access)} ${access.modelId}`;
  const find = (access: ModelAccess): { refused: readonly string[]; since: number } => {
    const now = performance.now();
    const found = known.get(keyOf(access));
    return found !== undefined && now - found.since < REMEMBERED_MS ? found : { refused: [], since: now };
  };
  return {
    /** The request, with what its model's server is known to refuse. */
    addTo<T extends { access: ModelAccess | null }>(request: T): T {
      const { access } = request;
      if (access === null) return request;
      return { ...request, access: { ...access, refused: [...find(access).refused] } };
    },
    /** Remembers what a turn has found out. */
    learn(access: ModelAccess | null, refused: readonly string[] = []): void {
      if (access !== null && refused.length > 0)
        known.set(keyOf(access), { refused: refused.slice(-MOST), since: find(access).since });
    },
  };
}
