/** The address that a key's turns are told to, as it is typed. */
import type { Webhook } from '../../../shared/api/key.ts';

/** As the service has it: other names may lead anywhere. */
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** What is wrong with it. `elsewhere`: it is on another computer, which has to be allowed. */
export type WebhookFault = 'address' | 'elsewhere';

/** The webhook of a key; null: it has none. A fault: it can't be one as it stands. */
export function webhookFrom(typed: string, anywhere: boolean): Webhook | null | WebhookFault {
  const url = typed.trim();
  if (url === '') return null;
  const parsed = URL.parse(url);
  if (!/^https?:\/\//i.test(url) || parsed === null || parsed.username !== '' || parsed.password !== '')
    return 'address';
  if (LOOPBACK_HOST.test(parsed.hostname)) return { url };
  return anywhere ? { url, anywhere } : 'elsewhere';
}
