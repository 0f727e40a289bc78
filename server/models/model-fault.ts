/** What went wrong with a request to a model server, told apart by what it means for the turn. */
import { APICallError } from '@ai-sdk/provider';
import { inOneLine, wordsIn } from '../net/said.ts';
import { codeIn, mayPass, troubleOf } from '../net/trouble.ts';
import type { Mask } from '../secrets/mask.ts';

/** What kind of thing went wrong. */
export type FaultKind =
  /** No connection came about; `detail` is the network's code. */
  | 'unreachable'
  /** The connection broke before or within the answer. */
  | 'broke_off'
  | 'redirected'
  | 'key_refused'
  | 'no_model'
  | 'busy'
  /** The account has used up what it may. */
  | 'used_up'
  | 'too_long'
  | 'no_tools'
  /** The server refuses the request, for a reason of its own. */
  | 'refused'
  /** The server has a fault of its own. */
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

/** A model that was silent for too long. */
export class SilenceError extends Error {
  override name = 'SilenceError';
  readonly isFirst: boolean;

  constructor(isFirst: boolean) {
    super('The model was silent for too long.');
    this.isFirst = isFirst;
  }
}

/** A server that sent a request on to another place, where it was not followed. */
export class RedirectedError extends Error {
  override name = 'RedirectedError';
  /** Null: it isn't said, or the same server. */
  readonly origin: string | null;

  constructor(origin: string | null) {
    super('The server points to another address.');
    this.origin = origin;
  }
}

/** Something in an answer that can't be read. */
export class UnreadableError extends Error {
  override name = 'UnreadableError';
  constructor() {
    super('The answer could not be read.');
  }
}

/** An answer that ended before the server said that it was whole. */
export class CutOffError extends Error {
  override name = 'CutOffError';
  constructor() {
    super('The answer broke off.');
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

/** What an error of the libraries, or of a stream, means. `hide` takes keys out of what is told. */
export function readFault(error: unknown, hide: Mask): ModelFault {
  const fault = (kind: FaultKind, detail = '', more: Partial<ModelFault> = {}): ModelFault => ({
    kind,
    canPass: false,
    waitMs: null,
    detail: inOneLine(detail, hide),
    ...more,
  });
  if (error instanceof SilenceError) return fault(error.isFirst ? 'no_first_token' : 'silent');
  if (error instanceof CutOffError) return fault('broke_off', '', { canPass: true });
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RedirectedError) return fault('redirected', cause.origin ?? '');
  }
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300) {
    return readStatus(error, error.statusCode, fault);
  }
  const code = codeIn(error);
  if (code !== null) {
    const kind = troubleOf(code) === 'broke_off' ? 'broke_off' : 'unreachable';
    return fault(kind, code, { canPass: mayPass(code) });
  }
  if (error instanceof Error && /ended without a finish reason/.test(error.message)) {
    return fault('broke_off', '', { canPass: true });
  }
  if (error instanceof Error && isUnreadable(error)) return fault('unreadable');
  return readReport(error, fault);
}

type MakeFault = (kind: FaultKind, detail?: string, more?: Partial<ModelFault>) => ModelFault;

function readStatus(error: APICallError, status: number, fault: MakeFault): ModelFault {
  const said = wordsIn(error.responseBody);
  const all = `${said} ${error.responseBody ?? ''}`;
  const passing = { canPass: true, waitMs: waitOf(error.responseHeaders) };
  if (status === 413 || (status !== 429 && TOO_LONG.test(said))) return fault('too_long', said);
  if (status !== 429 && NO_TOOLS.test(said)) return fault('no_tools', said);
  if (status === 401 || status === 403 || BAD_KEY.test(said)) return fault('key_refused', said);
  if (status === 402 || ((status === 429 || status === 400) && USED_UP.test(all)))
    return fault('used_up', said);
  if (status === 404 || (status === 400 && NO_MODEL.test(said))) return fault('no_model', said);
  if (status === 429 || status === 503 || status === 529) return fault('busy', said, passing);
  if (status === 408 || status === 409 || status >= 500)
    return fault('server_fault', said || `HTTP ${status}`, passing);
  return fault('refused', said || `HTTP ${status}`);
}

/** What a provider reports within an answer that began well: an error of its own, or one of the libraries about it. */
function readReport(error: unknown, fault: MakeFault): ModelFault {
  const said = error instanceof Error ? error.message : wordsIn(error);
  const codes = codesIn(error);
  const named = codes.join(' ');
  const status = codes.find((code) => typeof code === 'number' && code >= 400 && code < 600) ?? 0;
  if (status === 413 || TOO_LONG.test(said) || TOO_LONG_CODE.test(named)) return fault('too_long', said);
  if (NO_TOOLS.test(said)) return fault('no_tools', said);
  if (status === 402 || USED_UP.test(`${said} ${named}`)) return fault('used_up', said);
  if (status === 401 || status === 403 || KEY_CODE.test(named) || BAD_KEY.test(said))
    return fault('key_refused', said);
  if (status === 404 || /not_found/i.test(named) || NO_MODEL.test(said)) return fault('no_model', said);
  if ([429, 503, 529].includes(Number(status)) || BUSY_CODE.test(named)) {
    return fault('busy', said, { canPass: true });
  }
  if ((Number(status) >= 400 && Number(status) < 500) || /invalid_(?:request|argument)/i.test(named)) {
    return fault('refused', said);
  }
  if (said !== '' && !(error instanceof Error)) return fault('server_fault', said, { canPass: true });
  return fault('unknown', said);
}

const TOO_LONG_CODE = /context_length_exceeded|exceed_context_size|string_above_max_length/i;
const KEY_CODE = /invalid_api_key|authentication|unauthenticated|unauthorized|permission|API_KEY_INVALID/i;
const BUSY_CODE = /overloaded|rate_limit|too_many_requests|resource_exhausted|unavailable/i;
const NO_MODEL = /\bmodel\b.{0,80}(?:not found|does not exist)|^invalid model\b/i;

const isUnreadable = (error: Error): boolean =>
  /Unreadable|JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|InvalidStreamPart/.test(
    error.name,
  ) ||
  (APICallError.isInstance(error) && error.cause instanceof Error && isUnreadable(error.cause));

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

/** What an error is called or numbered, by itself and within: types, codes, statuses. */
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
