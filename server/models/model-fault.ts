/** Classifies errors of requests to model servers by what they mean for the turn. */
import { APICallError } from '@ai-sdk/provider';
import { inOneLine, wordsIn } from '../net/said.ts';
import { codeIn, mayPass, troubleOf } from '../net/trouble.ts';
import type { Mask } from '../secrets/mask.ts';

/** What kind of thing went wrong. */
export type FaultKind =
  /** There was no connection; `detail` is the network's error code. */
  | 'unreachable'
  /** The connection broke before or within the answer. */
  | 'broke_off'
  | 'redirected'
  | 'key_refused'
  | 'no_model'
  | 'busy'
  /** The account has used up its quota. */
  | 'used_up'
  | 'too_long'
  | 'no_tools'
  /** The server refuses the request for another reason. */
  | 'refused'
  /** The server had an internal error. */
  | 'server_fault'
  /** What it sent can't be read. */
  | 'unreadable'
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

const TOO_LONG = new RegExp(
  [
    'context[ _-]?(?:length|window|size|limit)',
    'maximum context',
    '(?:prompt|input|request|conversation|messages?) (?:is|are) too (?:long|large)',
    'input token count',
    'too many (?:input )?tokens',
    'n_ctx',
  ].join('|'),
  'i',
);
const NO_TOOLS = new RegExp(
  [
    "does(?: not|n[’']t) (?:currently )?support (?:tool|function)",
    '(?:tools?|tool use|tool calling|function calling)\\W* (?:is|are) (?:not supported|unsupported)',
    'no endpoints found that support tool use',
    'tool choice requires --',
    'tools param requires --jinja',
  ].join('|'),
  'i',
);
const BAD_KEY = /api[ _-]?key (?:is )?(?:not valid|invalid)|invalid (?:x-)?api[ _-]?key|API_KEY_INVALID/i;
const USED_UP = /insufficient_quota|exceeded your current quota|credit balance|billing/i;

const TOO_LONG_CODE = /context_length_exceeded|exceed_context_size|string_above_max_length/i;
const KEY_CODE = /invalid_api_key|authentication|unauthenticated|unauthorized|permission|API_KEY_INVALID/i;
const BUSY_CODE = /overloaded|rate_limit|too_many_requests|resource_exhausted|unavailable/i;
const NO_MODEL = /\bmodel\b.{0,80}(?:not found|does not exist)|^invalid model\b/i;
const CAN_PASS: readonly FaultKind[] = ['busy', 'server_fault', 'broke_off'];

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
    const { statusCode: status, responseBody: body, responseHeaders } = error;
    const said = wordsIn(body);
    const kind = kindOf(status, said, codesIn(parsed(body))) ?? 'refused';
    const isBare = said === '' && (kind === 'server_fault' || kind === 'refused');
    return { ...fault(kind, isBare ? `HTTP ${status}` : said), waitMs: waitOf(responseHeaders) };
  }
  const code = codeIn(error);
  if (code !== null) {
    return fault(troubleOf(code) === 'broke_off' ? 'broke_off' : 'unreachable', code, mayPass(code));
  }
  if (error instanceof Error) {
    if (/ended without a finish reason/.test(error.message)) return fault('broke_off');
    if (isUnreadable(error)) return fault('unreadable');
  }
  // An error that a provider reports within an answer that started well: its own, or the libraries' error about it.
  const said = error instanceof Error ? error.message : wordsIn(error);
  const codes = codesIn(error);
  const status = codes.find((one) => typeof one === 'number' && one >= 400 && one < 600);
  const isReported = said !== '' && !(error instanceof Error);
  return fault(kindOf(Number(status ?? 0), said, codes) ?? (isReported ? 'server_fault' : 'unknown'), said);
}

/** The kind of fault by status (0: none), the provider's message and its codes; null: unknown. */
function kindOf(status: number, said: string, codes: readonly (string | number)[]): FaultKind | null {
  const named = codes.join(' ');
  // Tokens-per-minute limits are worded much like tokens-per-request limits.
  const isPace = status === 429;
  if (status === 413 || (!isPace && (TOO_LONG.test(said) || TOO_LONG_CODE.test(named)))) return 'too_long';
  if (!isPace && NO_TOOLS.test(said)) return 'no_tools';
  if (status === 402 || USED_UP.test(`${said} ${named}`)) return 'used_up';
  if (status === 401 || status === 403 || KEY_CODE.test(named) || BAD_KEY.test(said)) return 'key_refused';
  if (status === 404 || /not_found/i.test(named) || NO_MODEL.test(said)) return 'no_model';
  if ([429, 503, 529].includes(status) || BUSY_CODE.test(named)) return 'busy';
  if (status === 408 || status === 409 || status >= 500) return 'server_fault';
  return status >= 400 || /invalid_(?:request|argument)/i.test(named) ? 'refused' : null;
}

const isUnreadable = (error: Error): boolean =>
  /JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|InvalidStreamPart/.test(error.name) ||
  (APICallError.isInstance(error) && error.cause instanceof Error && isUnreadable(error.cause));

function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return null;
  }
}

/** How long to wait, from the headers that say so: seconds, or a date; null: they don't, or it is in the past. */
function waitOf(headers: Record<string, string> | undefined): number | null {
  const inMs = Number(headers?.['retry-after-ms'] ?? Number.NaN);
  if (inMs >= 0) return inMs;
  const text = headers?.['retry-after'];
  if (text === undefined) return null;
  const seconds = Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1_000;
  return ms >= 0 ? ms : null;
}

/** All types, codes and statuses in an error and in the errors inside it. */
function codesIn(error: unknown): (string | number)[] {
  if (Array.isArray(error)) return codesIn(error[0]);
  if (typeof error !== 'object' || error === null) return [];
  const { type, code, status, error: inner, details } = error as Record<string, unknown>;
  const reasons = Array.isArray(details) ? details.map((one: unknown) => fieldIn(one, 'reason')) : [];
  // Some servers write numbers as text.
  const own = [type, code, status, ...reasons].flatMap((one): (string | number)[] => {
    if (typeof one === 'number') return [one];
    if (typeof one !== 'string') return [];
    return /^\d{3}$/.test(one) ? [Number(one)] : [one];
  });
  return [...own, ...codesIn(inner)];
}

const fieldIn = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
