import { afterEach, expect, test, vi } from 'vitest';
import { ConnectionProblem } from '../../../renderer/api/problem.ts';
import { words } from '../../../renderer/lib/words/index.ts';
import { Session } from '../../../renderer/state/session.svelte.ts';
import { useTestStorage } from '../support/browser.ts';

const storage = useTestStorage();
afterEach(() => vi.unstubAllGlobals());

/** A service that answers each request for a session with the next of these. */
function serve(...answers: Response[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string, { headers }: { headers: Record<string, string> }) => {
    asked.push(`${path} ${headers['Authorization'] ?? ''}`);
    const answer = answers.shift();
    return answer ? Promise.resolve(answer) : Promise.reject(new TypeError('Nobody there.'));
  });
  return asked;
}

const granted = (apiKey: string, returnToken: string): Response =>
  Response.json({ apiKey, workspaceId: 'w', returnToken });
const refused = (status: number, code: string): Response =>
  Response.json({ error: { code, message: 'No.', requestId: 'r' } }, { status });

test('whoever asks for another session at the same time gets the same one', async () => {
  const session = new Session();
  const asked = serve(granted('first', 'token-1'), granted('second', 'token-2'), granted('third', 'token-3'));
  await session.start('#token=link');
  expect(session.phase).toBe('signed_in');
  const [one, other] = await Promise.all([session.renew(), session.renew()]);
  expect([one, other]).toEqual(['second', 'second']);
  expect(await session.renew()).toBe('third');
  expect(asked).toEqual([
    '/api/v1/session Bearer link',
    '/api/v1/session Bearer token-1',
    '/api/v1/session Bearer token-2',
  ]);
});

test('a key that is not taken is told apart from a service that has another reason, or is not there', async () => {
  const session = new Session();
  serve(refused(401, 'unauthorized'), refused(429, 'too_many_requests'));
  expect(await session.useKey('key')).toBe(words.session.badKey);
  expect(await session.useKey('key')).toBe(words.apiErrors.too_many_requests);
  expect(await session.useKey('key')).toBe(words.session.unreachable);
  serve(granted('first', 'token-1'));
  expect(await session.useKey('key')).toBeNull();
  expect(session.phase).toBe('signed_in');
});

test('the desktop app gives the session, and another when it is needed; nothing of it is kept', async () => {
  const keys = ['first', 'second'];
  const desktop = {
    session: () => {
      const apiKey = keys.shift();
      if (apiKey === undefined) return Promise.reject(new Error('not running'));
      return Promise.resolve({ apiKey, workspaceId: 'w' });
    },
  };
  const session = new Session(desktop);
  const asked = serve();
  await session.start('#token=link');
  expect(session.grant).toMatchObject({ apiKey: 'first', workspaceId: 'w', returnToken: null });
  expect(await session.renew()).toBe('second');
  await expect(session.renew()).rejects.toBeInstanceOf(ConnectionProblem);
  session.openWorkspace('other');
  expect(storage.read('session')).toBeNull();
  expect(asked).toEqual([]);
});

test('a window of the desktop app opens the workspace that was open last', async () => {
  const desktop = { session: () => Promise.resolve({ apiKey: 'key', workspaceId: 'w' }) };
  const session = new Session(desktop);
  await session.start('');
  session.openWorkspace('garden');
  const next = new Session(desktop);
  serve(Response.json({ workspaces: [{ id: 'w' }, { id: 'garden' }] }));
  await next.start('');
  expect(next.grant?.workspaceId).toBe('garden');
});
