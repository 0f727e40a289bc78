/** A program of the package, run as a person's machine would run it. */
import { spawn, type SpawnOptions } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';

/** A program that serves. */
export interface Running {
  baseUrl: string;
  apiKey: string;
  /** All that it has printed. */
  output(): string;
  /** Ends it in order, except on Windows, which has no signals; resolves with the exit code, null when it was just ended. */
  end(): Promise<number | null>;
}

const LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** Looks until there is something; fails when it takes too long. */
async function waitFor<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${LIMIT_MS} ms.`);
    await pause(LOOK_EVERY_MS);
  }
}

/** Starts a program on a free port and a data folder, and waits until it says where it can be reached. */
export async function start(
  program: string,
  args: readonly string[],
  dataDir: string,
  options: Pick<SpawnOptions, 'env' | 'uid' | 'gid'> = {},
): Promise<Running> {
  const child = spawn(program, [...args, '--port', '0', '--data-dir', dataDir], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let isOver = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      isOver = true;
      resolve(null);
    });
    child.once('close', (code) => {
      isOver = true;
      resolve(code);
    });
  });
  try {
    const connection = await waitFor('connection.json', async () => {
      if (isOver) throw new Error('It has ended.');
      const text = await readFile(join(dataDir, 'connection.json'), 'utf8').catch(() => null);
      return text === null ? null : (JSON.parse(text) as Pick<Running, 'baseUrl' | 'apiKey'>);
    });
    return {
      ...connection,
      output: () => output,
      end: () => {
        child.kill('SIGTERM');
        return ended;
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${program} did not start:\n${output}`, { cause: error });
  }
}

/** Has a message answered by the agent thread, and the page served; throws what is wrong. */
export async function converse({ baseUrl, apiKey }: Pick<Running, 'baseUrl' | 'apiKey'>): Promise<string> {
  const call = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(baseUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const page = await fetch(`${baseUrl}/`);
  if (!(await page.text()).includes('<script')) throw new Error('The page is not served.');
  const { id } = await call<Chat>('/api/v1/chats', {});
  await call(`/api/v1/chats/${id}/messages`, { content: 'What is 12.5% of 1840?' });
  await waitFor('An idle chat', async () => {
    const { chat } = await call<{ chat: Chat }>(`/api/v1/chats/${id}`);
    if (chat.status === 'failed') throw new Error('The reply failed.');
    return chat.status === 'idle' ? chat : null;
  });
  const { messages } = await call<{ messages: Message[] }>(`/api/v1/chats/${id}/messages`);
  return messages.at(-1)?.content ?? '';
}
