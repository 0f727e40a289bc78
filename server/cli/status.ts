/** `parley status`: whether the service runs, and its state. */
import type { ChatList } from '../../shared/api/chat.ts';
import type { DataInfo } from '../../shared/api/data.ts';
import type { Health } from '../../shared/api/health.ts';
import type { StorageAnswer } from '../../shared/api/storage.ts';
import { isUnsettled } from '../../shared/choices.ts';
import { count } from '../../shared/numbers.ts';
import { statusOf } from './chats.ts';
import { type Client, connect, type ListOptions, RefusedError } from './client.ts';
import { EXIT } from './exit-codes.ts';
import { shortId } from './find-chat.ts';
import { NoServiceError } from './find-service.ts';
import { say, sayJson, sizeOf, styled, withoutControls } from './terminal.ts';

/** How many of the most recently changed chats to check for work under way. */
const CHECKED = 100;

/** Prints address, version, what is under way and how full the store is. */
export async function status(options: ListOptions): Promise<void> {
  try {
    await printStatus(await connect(options), options.json === true);
  } catch (error) {
    if (!options.json || !(error instanceof NoServiceError)) throw error;
    sayJson({ running: false, message: error.message });
    process.exitCode = EXIT.noService;
  }
}

async function printStatus(client: Client, isJson: boolean): Promise<void> {
  const [health, chats, data, storage] = await Promise.all([
    client.get<Health>('/health'),
    client.get<ChatList>('/api/v1/chats', { query: { pageSize: CHECKED, archived: 'true' } }),
    unlessRefused(client.get<DataInfo>('/api/v1/data')),
    unlessRefused(client.get<StorageAnswer>('/api/v1/storage')),
  ]);
  const underWay = chats.data.filter((chat) => isUnsettled(chat.status));
  const { version } = health;
  if (isJson) {
    sayJson({
      running: true,
      baseUrl: client.baseUrl,
      version,
      underWay,
      data,
      storage: storage?.storage ?? null,
    });
    return;
  }
  const row = (name: string, value: string): void =>
    say(`${styled('dim', name.padEnd(10))}${withoutControls(value)}`);
  say(`Parley ${version} is running at ${client.baseUrl}`);
  if (data !== null) {
    row('Data', data.dataDir);
    row(
      'Holds',
      `${count(data.chats, 'chat')}, ${count(data.messages, 'message')}, ${sizeOf(data.storeBytes)} and ${sizeOf(data.backupBytes)} of backups`,
    );
  }
  row('Under way', underWay.length === 0 ? 'nothing' : count(underWay.length, 'chat'));
  for (const chat of underWay) row('', `${shortId(chat.id)}  ${statusOf(chat)}  ${chat.title}`);
  for (const { message } of storage?.storage.notices ?? []) row('Note', message);
}

/** Null if the key isn't allowed to ask. */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RefusedError && error.status === 403) return null;
    throw error;
  }
}
