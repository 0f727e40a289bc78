/** Where webhooks may go. */
import type { LookupFunction } from 'node:net';
import type { Webhook } from '../../shared/api/key.ts';
import { invalidField } from '../errors.ts';

const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The webhook, normalised. Throws AppError `invalid_request` for an address that is invalid or not allowed. */
export function readWebhook({ url, anywhere = false }: Webhook): Webhook {
  const parsed = URL.parse(url);
  const isHttp = parsed !== null && ['http:', 'https:'].includes(parsed.protocol);
  if (!isHttp || parsed.username !== '' || parsed.password !== '') {
    throw invalidField(
      'webhook/url',
      '"webhook.url" must be an http or https address without a name or password, such as "http://127.0.0.1:8080/parley".',
    );
  }
  if (!anywhere && !LOOPBACK_HOST.test(parsed.hostname)) {
    throw invalidField(
      'webhook/url',
      '"webhook.url" must be on this computer (localhost, 127.0.0.1 or [::1]); to allow others, set "anywhere" to true.',
    );
  }
  parsed.hash = '';
  return { url: parsed.href, ...(anywhere && { anywhere }) };
}

/** Where the secret of a key's webhook is kept. */
export const webhookSecretName = (keyId: string): string => `webhook:${keyId}`;

/** Resolves any name to this computer, whatever the system's resolver says. */
export const lookUpHere: LookupFunction = (_host, options, done) => {
  if (options.all === true) done(null, LOOPBACK);
  else done(null, '127.0.0.1', 4);
};
