import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chat } from '../../../shared/api/chat.ts';
import type { UpdateSettingsBody } from '../../../shared/api/settings.ts';
import type { Desktop } from './desktop.ts';

/** A desktop app's API, used as by another program on the machine: through `connection.json`. */
export interface DesktopApi {
  call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  set: (settings: UpdateSettingsBody) => Promise<void>;
  /** A new chat with a message in it. */
  ask: (content: string) => Promise<Chat>;
}

const ON_WINDOWS = process.platform === 'win32';

/** The last badge of the app's icon: the number of chats that need attention, or on Windows, which shows a dot, its description. */
export const badgeOf = async (desktop: Pick<Desktop, 'calls'>): Promise<unknown> =>
  (await desktop.calls(ON_WINDOWS ? 'window.setOverlayIcon' : 'app.setBadgeCount')).at(-1)?.at(-1);
/** {@link badgeOf} with one unread chat. */
export const ONE_UNREAD = ON_WINDOWS ? 'One unread chat' : 1;
/** {@link badgeOf} with one chat that waits for an answer. */
export const ONE_AWAITING = ON_WINDOWS ? 'One chat needs your answer' : 1;

/** Reads `connection.json` again for each request: a restart changes it. */
export function apiOf({ dataDir }: Pick<Desktop, 'dataDir'>): DesktopApi {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { baseUrl, apiKey } = JSON.parse(await readFile(join(dataDir, 'connection.json'), 'utf8')) as {
      baseUrl: string;
      apiKey: string;
    };
    const response = await fetch(baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    call,
    set: async (settings) => {
      await call('PATCH', '/api/v1/settings', settings);
    },
    ask: async (content) => {
      const chat = await call<Chat>('POST', '/api/v1/chats');
      await call('POST', `/api/v1/chats/${chat.id}/messages`, { content });
      return chat;
    },
  };
}
