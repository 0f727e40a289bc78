/** Classifies errors of requests to model servers by what they mean for the turn. */
import { APICallError } from '@ai-sdk/provider';
import { attempt } from '../../shared/attempt.ts';
import { fieldsOf, listOf } from '../lib/fields.ts';
import { inOneLine, wordsIn } from '../net/error-words.ts';
import { codeIn, mayPass, troubleOf } from '../net/trouble.ts';
import type { Mask } from '../secrets/mask.ts';
import {
  exceedsPace,
  saysBadOutput,
  saysLoading,
  saysNoPictures,
  saysNoTools,
  saysTooLong,
  saysUsedUp,
} from './refusal-words.ts';
import { waitIn } from './requested-wait.ts';

/** What kind of thing went wrong. */
export type FaultKind =
  /** There was no connection; `detail` is the network's error code. */
  | 'unreachable'
  /** The connection broke before or within the answer. */
  | 'broke_off'
  | 'redirected'
  | 'key_refused'
  | 'no_model'
  /** The server is loading the model. */
  | 'loading'
  | 'busy'
  /** The account has used up its quota. */
  | 'used_up'
  | 'too_long'
  /** Something on the way takes no request of so many bytes. */
  | 'too_large'
  | 'no_tools'
  /** The model can't see pictures. */
  | 'no_pictures'
  /** The server refuses the request for another reason. */
  | 'refused'
  /** The server had an internal error. */
  | 'server_fault'
  /** What it sent can't be read. */
  | 'unreadable'
  /** It answers like another kind of server, whose name is `detail`. */
  | 'other_kind'
  | 'no_first_token'
  | 'silent'
  | 'unknown';

/** What went wrong. */
export interface ModelFault {
  kind: FaultKind;
  /** The same request may succeed a moment later. */
  canPass: boolean;
  /** How long the server asks to wait; null: it doesn't say. */
  waitMs: number | null;
  /** What the provider says, cleaned and bounded, or the network's code; empty: nothing. */
  detail: string;
}

/** A fault detected here rather than by the libraries. */
export class FaultError extends Error {
  override name = 'FaultError';
  readonly kind: FaultKind;
  readonly detail: string;

  constructor(kind: FaultKind, detail = '') {
    super(kind);
    this.kind = kind;
    this.detail = detail;
  }
}

const BAD_KEY = /api[ _-]?key (?:is )?(?:not valid|invalid)|invalid (?:x-)?api[ _-]?key|API_KEY_INVALID/i;
const KEY_CODE = /invalid_?api_?key|authentication|unauthenticated|unauthorized|permission|API_KEY_INVALID/i;
const ABOUT_KEY =
  /\bkeys?\b|token|auth|credential|permi(?:ssion|tted)|access|forbidden|account|allowed|denied|log.?in|sign.?in|header/i;
const BUSY_CODE = /overloaded|rate_limit|too_many_requests|resource_exhausted|unavailable|throttling/i;
const NO_MODEL = /\bmodel\b.{0,80}(?:not found|does not exist)|^invalid model\b|^unexpected endpoint\b/i;
const CAN_PASS: readonly FaultKind[] = ['loading', 'busy', 'server_fault', 'broke_off'];
/** No more of a server's words is read. */
const MAX_SAID_CHARACTERS = 2_000;

/** Classifies an error of the libraries or of a stream. `hide` removes keys from the text. */
export function readFault(error: unknown, hide: Mask): ModelFault {
  const fault = (kind: FaultKind, detail = '', canPass = CAN_PASS.includes(kind)): ModelFault => ({
    kind,
    canPass,
    waitMs: null,
    detail: inOneLine(detail, hide),
  });
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FaultError) return fault(cause.kind, cause.detail);
  }
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300) {
    const { statusCode: status, responseBody, responseHeaders = {} } = error;
    const body = attempt(() => JSON.parse(responseBody ?? '') as unknown);
    const serverWords = wordsIn(responseBody).slice(0, MAX_SAID_CHARACTERS);
    const waitMs = waitIn(responseHeaders, body, serverWords);
    if (status === 407) return fault('unreachable', 'ERR_PROXY');
    if (status === 413 && !/token|context|prompt|\bmodel/i.test(serverWords))
      return fault('too_large', serverWords);
    // A page comes from something in front of the server, which may object to the text.
    const isBlocked = status === 403 && /^\s*</.test(responseBody ?? '');
    const kind =
      (isBlocked ? null : kindOf({ status, serverWords, body, codes: codesIn(body), waitMs })) ?? 'refused';
    const isBare = serverWords === '' && (kind === 'server_fault' || kind === 'refused');
    return { ...fault(kind, isBare ? `HTTP ${status}` : serverWords), waitMs };
  }
  const code = codeIn(error);
  if (code !== null) {
    // What is packed in a damaged way.
    if (/^(?:Z_|ZSTD_|ERR__ERROR)/.test(code)) return fault('unreadable');
    return fault(troubleOf(code) === 'broke_off' ? 'broke_off' : 'unreachable', code, mayPass(code));
  }
  if (error instanceof Error) {
    if (isUnreadable(error)) return fault('unreadable');
  }
  // An error that a provider reports within an answer that started well: its own, or the libraries' error about it.
  const serverWords = (error instanceof Error ? error.message : wordsIn(error)).slice(0, MAX_SAID_CHARACTERS);
  const codes = codesIn(error);
  const status = Number(codes.find((one) => typeof one === 'number' && one >= 400 && one < 600) ?? 0);
  const isReported = serverWords !== '' && !(error instanceof Error);
  const waitMs = waitIn({}, error, serverWords);
  const kind =
    kindOf({ status, serverWords, body: isReported ? error : null, codes, waitMs }) ??
    (isReported ? 'server_fault' : 'unknown');
  return { ...fault(kind, serverWords), waitMs };
}

/** What a server says of a fault; status 0: none. */
interface Refusal {
  status: number;
  serverWords: string;
  /** All that it sent, as JSON; null: nothing that can be read. */
  body: unknown;
  codes: readonly (string | number)[];
  waitMs: number | null;
}

/** The kind of fault; null: unknown. */
function kindOf({ status, serverWords, body, codes, waitMs }: Refusal): FaultKind | null {
  const named = codes.join(' ');
  // Tokens-per-minute limits are worded much like tokens-per-request limits, and name the page where one buys more.
  const isPace = status === 429 || /rate_limit|too_many_requests|resource_exhausted/i.test(named);
  if (saysBadOutput(serverWords)) return 'server_fault';
  if (isPace && exceedsPace(serverWords)) return 'too_long';
  if (status === 413 || (!isPace && saysTooLong(serverWords, named))) return 'too_long';
  if (!isPace && saysNoTools(serverWords)) return 'no_tools';
  const all = `${serverWords} ${JSON.stringify(body)}`.slice(0, MAX_SAID_CHARACTERS);
  if (saysNoPictures(serverWords)) return 'no_pictures';
  if (status === 402 || saysUsedUp(all, isPace && waitMs !== null)) return 'used_up';
  // A 403 is also for what somebody may not say, or from where.
  const isOfKey = status === 403 && (serverWords === '' || ABOUT_KEY.test(serverWords));
  if (status === 401 || isOfKey || KEY_CODE.test(named) || BAD_KEY.test(serverWords)) return 'key_refused';
  if (saysLoading(serverWords)) return 'loading';
  if (status === 404 || /not_found/i.test(named) || NO_MODEL.test(serverWords)) return 'no_model';
  if ([429, 503, 529].includes(status) || BUSY_CODE.test(named)) return 'busy';
  if (status === 408 || status === 409 || status >= 500) return 'server_fault';
  return status >= 400 || /invalid_(?:request|argument)/i.test(named) ? 'refused' : null;
}

const isUnreadable = (error: Error): boolean =>
  /JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|InvalidStreamPart/.test(error.name) ||
  (APICallError.isInstance(error) && error.cause instanceof Error && isUnreadable(error.cause));

/** All types, codes and statuses in an error and in the errors inside it. */
function codesIn(error: unknown): (string | number)[] {
  if (Array.isArray(error)) return codesIn(error[0]);
  const { error: inner, details, ...fields } = fieldsOf(error);
  const reasons = (listOf(details) ?? []).map((one) => fieldsOf(one)['reason']);
  const codes = ['type', 'code', 'status', 'status_code', 'error_code'].map((name) => fields[name]);
  // Some servers write numbers as text.
  const own = [...codes, ...reasons].flatMap((one): (string | number)[] => {
    if (typeof one === 'number') return [one];
    if (typeof one !== 'string') return [];
    return /^\d{3}$/.test(one) ? [Number(one)] : [one];
  });
  return inner === undefined ? own : [...own, ...codesIn(inner)];
}
