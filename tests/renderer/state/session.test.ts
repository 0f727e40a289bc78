import { afterEach, expect, test, vi } from 'vitest';
import { words } from '../../../renderer/lib/words/index.ts';
import { Session } from '../../../renderer/state/session.svelte.ts';
import { useTestStorage } from '../support/browser.ts';

useTestStorage();
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
