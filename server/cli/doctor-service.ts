import { connect as connectTo } from 'node:net';
import { once } from 'node:events';
import type { StorageAnswer } from '../../shared/api/storage.ts';
import type { Owner } from '../process/owner/owner.ts';
import { connect } from './client.ts';
import { type Finding, findingsOf } from './finding.ts';

const USUAL_PORT = 4141;
const CONNECT_MS = 1_000;

/** Checks whether the folder's service answers, and reports the state of its store. */
export async function lookAtService(dataDir: string, { pid, baseUrl }: Owner): Promise<Finding[]> {
  const who = pid === null ? 'Another process' : `Process ${pid}`;
  const runs = `${who} is using the folder${baseUrl === null ? '' : `, at ${baseUrl}`}`;
  let notices: StorageAnswer['storage']['notices'];
  try {
    const client = await connect({ dataDir });
    ({ notices } = (await client.get<StorageAnswer>('/api/v1/storage')).storage);
  } catch (error) {
    return [
      findingsOf('Service').problem(
        `${runs}, but doesn't answer as it should: ${error instanceof Error ? error.message : String(error)}`,
        `If it has just started, wait a moment. Otherwise end ${pid === null ? 'it' : `it (process ${pid})`} and start Parley again; no accepted message is lost.`,
      ),
    ];
  }
  return [
    findingsOf('Service').ok(`${runs}, and answers.`),
    ...(notices.length === 0
      ? [findingsOf('Store').ok('The service reports no problems.')]
      : notices.map(({ message }) => ({ check: 'Store', state: 'warning', message }) as const)),
  ];
}

/** Checks whether the port for the next start is free; null: the default port. */
export async function lookAtPort(set: number | null): Promise<Finding> {
  const port = set ?? USUAL_PORT;
  const { ok, warning } = findingsOf('Port');
  if (!(await isTaken(port))) return ok(`${port} is free.`);
  const where = set === null ? '' : ', which the settings name,';
  return warning(
    `Another program uses port ${port}${where} so Parley will start on another.`,
    'Programs that read connection.json, like this one, still find it. For a fixed address, end that program or set another port.',
  );
}

async function isTaken(port: number): Promise<boolean> {
  const socket = connectTo({ host: '127.0.0.1', port, timeout: CONNECT_MS });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
