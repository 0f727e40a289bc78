import { beforeEach, expect, test, vi } from 'vitest';
import type { KeptBrowserKey } from '../../../renderer/api/browser-key.ts';
import { ConnectionProblem } from '../../../renderer/api/problem.ts';
import { words } from '../../../renderer/lib/words/index.ts';
import { Session } from '../../../renderer/session/session.svelte.ts';
import { isSignedBy } from '../../../server/auth/identity.ts';
import { browserProofText, serverProofText } from '../../../shared/proof.ts';
import { createTestKey } from '../../support/browser-client.ts';
import { useTestStorage } from '../support/browser.ts';
import { useTestDatabase } from '../support/indexed-db.ts';

const ORIGIN = 'http://127.0.0.1:4141';
const storage = useTestStorage();
const database = useTestDatabase();
const server = createTestKey();
let asked: string[] = [];

beforeEach(() => {
  vi.stubGlobal('location', { origin: ORIGIN });
});

type Answer = (bearer: string, body: string) => Response;

/** A service that proves to be `who`, and answers each request for a session with the next of these; then nobody answers. */
function serve(answers: (Response | Answer)[], who: ReturnType<typeof createTestKey> | null = server): void {
  asked = [];
  vi.stubGlobal('fetch', async (input: string | Request, init?: RequestInit) => {
    const request = typeof input === 'string' ? new Request(new URL(input, ORIGIN), init) : input;
    const nonce = /\/health\?nonce=(.*)$/.exec(request.url)?.[1];
    const bearer = request.headers.get('Authorization')?.replace('Bearer ', '') ?? '';
    const { pathname } = new URL(request.url);
    asked.push(nonce === undefined ? `${pathname} ${bearer.replace(/\..*/, '')}` : 'proof');
    if (nonce !== undefined && who !== null) {
      const signature = who.sign(serverProofText(nonce, ORIGIN));
      return Response.json({ status: 'ok', version: '1', signature, challenge: 'challenge' });
    }
    const answer = nonce === undefined ? answers.shift() : null;
    const given = typeof answer === 'function' ? answer(bearer, await request.text()) : answer;
    if (!given) throw new TypeError('Nobody there.');
    return given;
  });
}

const granted = (apiKey: string): Response =>
  Response.json({
    apiKey,
    workspaceId: 'w',
    scope: 'admin',
    serverKey: server.publicKey,
    browserId: 'browser',
  });
const refused = (status: number, code: string): Response =>
  Response.json({ error: { code, message: 'No.', requestId: 'r' } }, { status });

test('whoever asks for another session at the same time gets the same one', async () => {
  const session = new Session();
  serve([granted('first'), granted('second'), granted('third')]);
  await session.start('#token=link');
  expect(session.phase).toBe('signed_in');
  const [one, other] = await Promise.all([session.renew(), session.renew()]);
  expect([one, other]).toEqual(['second', 'second']);
  expect(await session.renew()).toBe('third');
  const back = ['proof', '/api/v1/session back_browser'];
  expect(asked).toEqual(['/api/v1/session link', ...back, ...back]);
});

test('a browser comes back with a signature of what it was asked, in a new tab, too', async () => {
  const sent: string[] = [];
  const note =
    (apiKey: string): Answer =>
    (bearer, body) => {
      sent.push(bearer, body);
      return granted(apiKey);
    };
  serve([note('first'), note('second')]);
  await new Session().start('#token=link');
  storage.changeElsewhere('session', null);
  const tab = new Session();
  await tab.start('');
  expect(tab.grant?.apiKey).toBe('second');
  const [, signIn = '', bearer = '', body] = sent;
  const [id, challenge, signature = ''] = bearer.split('.');
  expect([id, challenge, body]).toEqual(['back_browser', 'challenge', '{}']);
  const { publicKey } = JSON.parse(signIn) as { publicKey: string };
  expect(isSignedBy(publicKey, browserProofText('challenge', ORIGIN), signature)).toBe(true);
  expect((database.read('key') as KeptBrowserKey).privateKey.extractable).toBe(false);
});

test('somebody else at the address is sent neither key nor signature, whatever is tried', async () => {
  const session = new Session();
  serve([granted('first')]);
  await session.start('#token=link');
  serve([granted('stolen')], createTestKey());
  await expect(session.renew()).rejects.toBeInstanceOf(ConnectionProblem);
  expect(await session.useKey('parley_local')).toBe(words.session.strangerHint);
  const reloaded = new Session();
  await reloaded.start('');
  expect([reloaded.phase, reloaded.grant]).toEqual(['stranger', null]);
  storage.changeElsewhere('session', null);
  const tab = new Session();
  await tab.start('');
  expect(tab.phase).toBe('stranger');
  expect(asked).toEqual(['proof', 'proof', 'proof', 'proof']);
  serve([granted('second'), granted('third')]);
  await tab.exchange();
  await reloaded.exchange();
  expect([tab.phase, reloaded.phase]).toEqual(['signed_in', 'signed_in']);
});

test('a browser that was signed out says so, and one that never signed in asks for a link', async () => {
  const nobody = new Session();
  serve([]);
  await nobody.start('');
  expect(nobody.phase).toBe('no_link');
  serve([granted('first'), refused(401, 'unauthorized'), refused(401, 'unauthorized')]);
  const session = new Session();
  await session.start('#token=link');
  expect(await session.renew()).toBeNull();
  session.expire();
  expect(session.phase).toBe('expired');
  const tab = new Session();
  await tab.start('');
  expect(tab.phase).toBe('expired');
});

test('a key that is not taken is told apart from a service that has another reason, or is not there', async () => {
  const session = new Session();
  serve([refused(401, 'unauthorized'), refused(429, 'too_many_requests')]);
  expect(await session.useKey('key')).toBe(words.session.badKey);
  expect(await session.useKey('key')).toBe(words.apiErrors.too_many_requests);
  expect(await session.useKey('key')).toBe(words.session.unreachable);
  serve([granted('first')]);
  expect(await session.useKey('key')).toBeNull();
  expect(session.phase).toBe('signed_in');
  expect(storage.read('session')).not.toContain('"key"');
});

test('where the browser keeps no keys, the page comes back as long as it is open', async () => {
  vi.stubGlobal('indexedDB', undefined);
  const session = new Session();
  serve([granted('first'), granted('second')]);
  await session.start('#token=link');
  expect(await session.renew()).toBe('second');
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
  serve([]);
  await session.start('#token=link');
  expect(session.grant).toMatchObject({ apiKey: 'first', workspaceId: 'w', serverKey: null });
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
  serve([() => Response.json({ workspaces: [{ id: 'w' }, { id: 'garden' }] })]);
  await next.start('');
  expect(next.grant?.workspaceId).toBe('garden');
});
