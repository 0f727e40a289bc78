/** A browser from the service's point of view: a key pair, and what it signs. */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import type { Health } from '../../shared/api/health.ts';
import type { Session } from '../../shared/api/session.ts';
import { browserProofText, serverProofText } from '../../shared/proof.ts';
import type { TestAnswer, TestClient } from './service.ts';

/** Sent by {@link askProof}. */
export const NONCE = 'AAAAAAAAAAAAAAAAAAAAAA';

/** A new key as browsers make it. */
export interface TestKey {
  /** SPKI in base64url. */
  publicKey: string;
  /** As `r` and `s` side by side, in base64url. */
  sign(text: string): string;
}

/** `namedCurve`: P-256 unless given. */
export function createTestKey(namedCurve = 'P-256'): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    sign: (text) =>
      sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  };
}

/** Whether the server's key signed for that nonce and address. */
export const isProof = (serverKey: string, address: string, signature = ''): boolean =>
  verify(
    'sha256',
    Buffer.from(serverProofText(NONCE, address)),
    { key: Buffer.from(serverKey, 'base64url'), format: 'der', type: 'spki', dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );

/** The service's answer to {@link NONCE}. */
export const askProof = async (api: TestClient, host?: string): Promise<Health> =>
  (
    await api.get(`/health?nonce=${NONCE}`, { key: null, ...(host !== undefined && { headers: { host } }) })
  ).json<Health>();

/** A separate browser. */
export interface TestBrowser {
  publicKey: string;
  /** The service's id for it, once it is signed in. */
  id: string;
  /** Exchanges a token or a key for a session. */
  signIn(api: TestClient, credential: string): Promise<Session>;
  /** What it sends to sign in again with the service at `url`. */
  credential(api: TestClient, url: string): Promise<string>;
  comeBack(api: TestClient, url: string): Promise<TestAnswer>;
}

/** One that says it is Firefox on Linux, unless told otherwise. */
export function createBrowser(
  userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
): TestBrowser {
  const key = createTestKey();
  const browser: TestBrowser = {
    publicKey: key.publicKey,
    id: '',
    async signIn(api, credential) {
      const headers = { 'user-agent': userAgent };
      const answer = await api.post(
        '/api/v1/session',
        { publicKey: key.publicKey },
        { key: credential, headers },
      );
      const session = answer.json<Session>();
      browser.id = session.browserId ?? '';
      return session;
    },
    async credential(api, url) {
      const { challenge = '' } = await askProof(api);
      return `back_${browser.id}.${challenge}.${key.sign(browserProofText(challenge, url))}`;
    },
    comeBack: async (api, url) =>
      api.post('/api/v1/session', {}, { key: await browser.credential(api, url) }),
  };
  return browser;
}
