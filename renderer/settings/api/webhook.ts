/** A key's webhook address, as typed. */
import type { Webhook } from '../../../shared/api/key.ts';
import { completeAddress } from '../../lib/complete-address.ts';

/** The same rule as the service: other names may resolve to anything. */
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** What is wrong with it. `elsewhere`: it is on another computer, which has to be allowed. */
export type WebhookFault = 'address' | 'elsewhere';

/** The webhook of a key; null: it has none. A fault if the address isn't valid. */
export function webhookFrom(typed: string, anywhere: boolean): Webhook | null | WebhookFault {
  const url = completeAddress(typed);
  if (url === '') return null;
  const parsed = URL.parse(url);
  if (!/^https?:\/\//i.test(url) || parsed === null || parsed.username !== '' || parsed.password !== '')
    return 'address';
  if (LOOPBACK_HOST.test(parsed.hostname)) return { url };
  return anywhere ? { url, anywhere } : 'elsewhere';
}
