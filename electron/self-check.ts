/**
 * `--self-check`: tests whether the parts of Parley work on this machine, each on its own. Some can only be tested in the real
 * Electron and inside the package: threads started from the archive, the key store, the tray. It works in
 * a folder of its own and leaves the person's data alone.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../shared/api/message.ts';
import type { Service } from '../server/service.ts';
import { messageOf } from '../server/lib/message-of.ts';
import { withTimeout } from '../server/lib/with-timeout.ts';

/** A part and its result: it works, this system doesn't have it, or it should work and doesn't. */
export interface CheckRow {
  name: string;
  state: 'ok' | 'missing' | 'failed';
  /** What was found, or why not; one line. */
  detail: string;
  tookMs: number;
}

/** The result of one check: what was found, or that this system doesn't have it. Rejects when it should work and doesn't. */
export type CheckResult = string | { missing: string };

/** What is checked. */
export interface SelfCheckParts {
  /** Starts a separate service on a folder. */
  startService: (dataDir: string) => Promise<Service>;
  /** The text of a small page, as read by the thread that reads pages. */
  readHtml: (html: string) => Promise<string>;
  /** Parts of the desktop, by name; each may use the service. */
  desktop: Readonly<Record<string, (service: Service) => Promise<CheckResult>>>;
}

const LIMIT_MS = 30_000;

/** Checks every part, even after one failed. Takes a few seconds; never rejects. */
export async function selfCheck({ startService, readHtml, desktop }: SelfCheckParts): Promise<CheckRow[]> {
  const rows: CheckRow[] = [];
  const check = async (name: string, find: () => Promise<CheckResult>): Promise<void> => {
    const startedAt = performance.now();
    const row = await inTime(find()).then(
      (found) =>
        typeof found === 'string'
          ? { state: 'ok' as const, detail: found }
          : { state: 'missing' as const, detail: found.missing },
      (error: unknown) => ({
        state: 'failed' as const,
        detail: messageOf(error).split('\n')[0] ?? '',
      }),
    );
    rows.push({ name, ...row, tookMs: Math.round(performance.now() - startedAt) });
  };

  const folder = await mkdtemp(join(tmpdir(), 'parley-check-'));
  const started: Service[] = [];
  const needService = (): Service => {
    const service = started.at(-1);
    if (service === undefined) throw new Error('the service did not start');
    return service;
  };
  const start = async (): Promise<Service> => {
    const service = await startService(folder);
    started.push(service);
    return service;
  };
  await check('service', async () => `answers at ${(await start()).url}`);
  let chatId = '';
  await check('agent thread', async () => {
    chatId = (await call<{ id: string }>(needService(), '', {})).id;
    return `replied ${JSON.stringify((await ask(needService(), chatId, 'Hello')).slice(0, 40))}`;
  });
  await check('calculation', async () => {
    const reply = await ask(needService(), chatId, 'What is 12.5% of 1840?');
    if (!reply.includes('230')) throw new Error(`12.5% of 1840 came out as ${JSON.stringify(reply)}`);
    return '12.5% of 1840 is 230';
  });
  await check('HTML thread', async () => {
    const text = await readHtml('<h1>Parley</h1><script>1</script>');
    if (!text.includes('Parley') || text.includes('script'))
      throw new Error(`it read ${JSON.stringify(text)}`);
    return 'reads a page';
  });
  for (const [name, find] of Object.entries(desktop)) await check(name, () => find(needService()));
  await check('store', async () => {
    await needService().close();
    const messages = await readMessages(await start(), chatId);
    if (messages.length !== 4) throw new Error(`${messages.length} of 4 messages were there after a restart`);
    return 'kept its messages over a restart';
  });
  await started
    .at(-1)
    ?.close()
    .catch(() => undefined);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  return rows;
}

/** Whether nothing failed; what a system doesn't have isn't a failure. */
export const isValid = (rows: readonly CheckRow[]): boolean => rows.every(({ state }) => state !== 'failed');

/** The rows as a table for people, below the system they were checked on. */
export function asTable(system: Readonly<Record<string, string>>, rows: readonly CheckRow[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [
    Object.entries(system)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    ...rows.map(
      ({ name, state, detail, tookMs }) =>
        `${state.padEnd('missing'.length)}  ${name.padEnd(width)}  ${detail} (${tookMs} ms)`,
    ),
    '',
  ].join('\n');
}

async function inTime(found: Promise<CheckResult>): Promise<CheckResult> {
  const finding = await withTimeout(LIMIT_MS, found);
  if (finding === undefined) throw new Error(`no answer within ${LIMIT_MS / 1_000} seconds`);
  return finding;
}

async function call<T>({ url, apiKey }: Service, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/api/v1/chats${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path || '/'} answered ${response.status}`);
  return (await response.json()) as T;
}

const readMessages = async (service: Service, chatId: string): Promise<Message[]> =>
  (await call<{ messages: Message[] }>(service, `/${chatId}/messages`)).messages;

/** The reply to a message. */
async function ask(service: Service, chatId: string, content: string): Promise<string> {
  await call(service, `/${chatId}/messages?wait=${LIMIT_MS / 1_000}`, { content });
  const reply = (await readMessages(service, chatId)).at(-1);
  if (reply?.status !== 'complete') throw new Error(reply?.error?.message ?? 'there was no reply in time');
  return reply.content;
}
