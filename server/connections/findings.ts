/** Explains a model server's answer to the person who connects it, in one sentence they can act on. */
import type { ConnectionFinding } from '../../shared/api/connection.ts';
import { factsOf } from '../../shared/providers.ts';
import type { Mask } from '../secrets/mask.ts';
import type { JsonAnswer } from '../net/request-json.ts';
import { inOneLine, wordsIn } from '../net/error-words.ts';
import { describeTrouble, troubleOf } from '../net/trouble.ts';
import { maskOf } from './credentials.ts';
import { fieldsOf, listOf } from '../lib/fields.ts';
import type { ModelServer } from './list-models.ts';
import { baseAddressOf } from './server-address.ts';

/** The finding: a code and a sentence. */
export interface Finding {
  finding: ConnectionFinding;
  message: string;
}

/** Explains an answer that isn't the expected one. */
export function explainAnswer(server: ModelServer, answer: JsonAnswer): Finding {
  const address = baseAddressOf(server);
  const { origin, host } = new URL(address);
  switch (answer.state) {
    case 'unreachable': {
      const trouble = troubleOf(answer.code);
      const { what, todo } = describeTrouble(trouble, address);
      const finding = trouble === 'not_http' ? 'wrong_address' : 'unreachable';
      return { finding, message: `${what}; ${todo}.` };
    }
    case 'redirected':
      return {
        finding: 'wrong_address',
        message: `${origin} points to ${originOf(answer.to)}; if that is the right server, enter its address.`,
      };
    case 'too_slow':
      return {
        finding: 'too_slow',
        message: `${host} did not answer in time; it may be busy or loading a model, so try again.`,
      };
    case 'too_large':
      return { finding: 'failed', message: `${host} sent more than Parley takes; check the address.` };
    case 'answered':
      return explainStatus(server, answer, host);
  }
}

function explainStatus(
  server: ModelServer,
  { status, json }: Extract<JsonAnswer, { state: 'answered' }>,
  host: string,
): Finding {
  const { provider, apiKey, headers } = server;
  const error = fieldsOf(fieldsOf(json)['error']);
  const text = serverWordsOf(json, maskOf(server));
  // Some providers answer 403 when the account isn't paid for; the key is right then.
  const isUnpaid = status === 402 || (status === 403 && /\bbilling\b|\bcredits?\b/i.test(text));
  if (!isUnpaid && (status === 401 || status === 403 || isKeyRefusal(error))) {
    if (headers !== undefined) {
      const message = `${host} did not accept the key or the headers; check them.`;
      return { finding: 'wrong_key', message };
    }
    return apiKey === null
      ? { finding: 'key_needed', message: `${host} asks for a key; enter one.` }
      : {
          finding: 'wrong_key',
          message: `${host} did not accept the key; check it, or make a new one there.`,
        };
  }
  if (status === 407) return explainAnswer(server, { state: 'unreachable', code: 'ERR_PROXY' });
  if (status === 429) {
    return { finding: 'rate_limited', message: `${host} takes no more requests now; try again later${text}` };
  }
  if (status === 408 || status === 504) {
    return { finding: 'too_slow', message: `${host} did not get an answer in time; try again.` };
  }
  if (status === 503 && /\bload/i.test(text)) {
    return { finding: 'too_slow', message: `${host} is still loading its model; try again in a minute.` };
  }
  if (status >= 500 || isUnpaid) {
    return { finding: 'failed', message: `${host} reports a fault (${status})${text}` };
  }
  if (status === 200 || status === 404 || status === 405 || json === undefined) {
    const { title, isFormat } = factsOf(provider);
    const kind = isFormat === true ? `an ${title} server` : title;
    return {
      finding: 'wrong_address',
      message: `The server at ${host} is not ${kind}, or not at this path; check the address.`,
    };
  }
  return { finding: 'failed', message: `${host} refused the request (${status})${text}` };
}

/** Google answers a bad key with 400. */
const isKeyRefusal = (error: Record<string, unknown>): boolean =>
  listOf(error['details'])?.some((detail) => fieldsOf(detail)['reason'] === 'API_KEY_INVALID') === true;

/** The server's own message, as the end of a sentence, in one line and without what `hide` removes. */
export function serverWordsOf(json: unknown, hide: Mask): string {
  const text = inOneLine(wordsIn(json), hide);
  return text === '' ? '.' : `: “${text}”.`;
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? 'another address';
