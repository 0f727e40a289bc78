import type { TurnErrorCode } from '../../shared/errors.ts';
import { factsOf } from '../../shared/providers.ts';
import { baseAddressOf, leavesComputer } from '../connections/server-address.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { describeTrouble, troubleOf } from '../net/trouble.ts';
import { ModelError, type TooLong } from './model-error.ts';
import type { FaultKind, ModelFault } from './model-fault.ts';
import type { Patience } from './patience.ts';

/** Of all others it is `model_failed`. */
const CODES: Partial<Record<FaultKind, TurnErrorCode>> = {
  unreachable: 'model_unreachable',
  broke_off: 'model_unreachable',
  redirected: 'model_unreachable',
  key_refused: 'model_key_refused',
  no_model: 'model_not_found',
  loading: 'model_overloaded',
  busy: 'model_overloaded',
  used_up: 'model_overloaded',
  too_long: 'context_too_long',
  too_large: 'context_too_long',
  no_first_token: 'timed_out',
  silent: 'timed_out',
};

/** What the words are about. */
export interface FaultContext {
  access: ModelAccess;
  patience: Patience;
  /** Requests that were made. */
  tries: number;
  /** Part of the answer had arrived. */
  isMidway: boolean;
  /** How long the model had for its first piece, in milliseconds. */
  firstTokenMs: number;
}

/** The error with which a turn ends: a code, and a sentence that says what to do. */
export function toModelError(fault: ModelFault, context: FaultContext): ModelError {
  return new ModelError(
    CODES[fault.kind] ?? 'model_failed',
    describeFault(fault, context),
    fault.kind === 'too_long' ? readTooLong(fault.detail) : undefined,
  );
}

function describeFault(
  { kind, detail, waitMs }: ModelFault,
  { access, patience, tries, isMidway, firstTokenMs }: FaultContext,
): string {
  const server = nameOf(access);
  const quoted = quote(detail);
  const again = tries > 1 ? `, ${tries} times in a row` : '';
  const where = isMidway ? ' in the middle of the reply' : '';
  switch (kind) {
    case 'unreachable':
      return unreachable(detail, access, server);
    case 'broke_off':
      return `The connection to ${server} broke off${where}${again}. Try again, or check that the server is well.`;
    case 'redirected':
      return `${server} pointed to ${detail === '' ? 'another address' : detail}. If that is the right server, enter its address in the settings.`;
    case 'key_refused':
      if (access.headers !== undefined)
        return `${server} refused the key or the headers${quoted}. Check them in the settings.`;
      return access.apiKey === null
        ? `${server} wanted a key${quoted}. Enter one in the settings.`
        : `${server} refused the key${quoted}. Check the key in the settings.`;
    case 'no_model':
      return /model|deployment/i.test(detail)
        ? `${server} has no model “${access.modelId}”${quoted}. Choose another one for this chat.`
        : `${server} has no model “${access.modelId}”, or its address is not right${quoted}. Choose another model, or check the address in the settings.`;
    case 'loading':
      return `${server} was still loading “${access.modelId}”${quoted}${where}. Try again in a while.`;
    case 'busy':
      return `${server} was too busy${quoted}${again}. ${waitMs !== null && waitMs > patience.longestPauseMs ? `Try again in ${inWords(waitMs)}.` : 'Try again in a while.'}`;
    case 'used_up':
      return `${server} took no more requests on this account${quoted}. Look at the account there, or choose another model.`;
    case 'too_long':
      return `This is longer than “${access.modelId}” can read${quoted}. Choose a model with a larger context.`;
    case 'too_large':
      return `${server}, or a proxy before it, takes no request of this size${quoted}. Send fewer or smaller pictures and texts, or begin a new chat.`;
    case 'no_tools':
      return `“${access.modelId}” can’t use tools${quoted}. Choose another model, or send this without tools.`;
    case 'no_pictures':
      return `“${access.modelId}” can’t see pictures${quoted}. Choose a model that can, or send this without them.`;
    case 'refused':
      return `${server} refused the request${quoted}. Choose another model, or put it differently.`;
    case 'server_fault':
      return `${server} reported a fault of its own${where}${quoted}${again}. Try again in a while, or choose another model.`;
    case 'unreadable':
      return `${server} sent something that can’t be read${where}${quoted}. Try again; if that doesn’t help, check its address and kind in the settings.`;
    case 'other_kind':
      return `${server} answers like another kind of server: ${detail}. Connect it as that kind in the settings.`;
    case 'no_first_token':
      return `“${access.modelId}” did not begin to answer within ${inWords(firstTokenMs)}. Try again, or give it more time: Settings, Models, then edit its connection.`;
    case 'silent':
      return `“${access.modelId}” fell silent for ${inWords(patience.idleMs)} in the middle of the reply. Try again, or choose another model.`;
    case 'unknown':
      return `“${access.modelId}” reported an error${where}${quoted}. Try again.`;
  }
}

/** What is waited for before the next request, for the chat. */
export function describePause({ kind, detail }: ModelFault, pauseMs: number, access: ModelAccess): string {
  const server = nameOf(access);
  const quoted = quote(detail);
  if (kind === 'loading') return `Waiting for ${server} to load the model${quoted}.`;
  const next = `Parley asks again in ${inWords(pauseMs)}.`;
  if (kind === 'busy') return `${server} is busy${quoted}. ${next}`;
  return `${server} ${kind === 'server_fault' ? `reports a fault${quoted}` : 'didn’t answer'}. ${next}`;
}

/** What is waited for when a model takes its time to begin, for the chat. */
export const describeFirstWord = ({ modelId }: ModelAccess, patienceMs: number): string =>
  `Waiting for the first word of “${modelId}”. It may take up to ${inWords(patienceMs)}.`;

/** Numbers as servers word them: “context length is 8192 tokens”, “context size (4096 tokens)”, “9000 tokens > 8000”. Else the smallest is it. */
const READS =
  /(?:context (?:length|size|window|limit)(?: is| of)?(?: only)? ?\(?|tokens allowed \(|> )(\d[\d,]*)/i;
const HAD = /(?:resulted in|requested|token count \(|request \(|too long: )\D{0,12}(\d[\d,]*)/i;

function readTooLong(quoted: string): TooLong {
  const numberIn = (pattern: RegExp): number | null => {
    const number = Number(pattern.exec(quoted)?.[1]?.replaceAll(',', '') ?? 0);
    return number > 0 && Number.isSafeInteger(number) ? number : null;
  };
  // Smaller numbers are codes, and some are years.
  const counts = [...quoted.matchAll(/\d[\d,]*/g)]
    .map(([text]) => Number(text.replaceAll(',', '')))
    .filter((count) => count >= 1_024 && (count < 1_900 || count > 2_100));
  const [least, most] = counts.length === 0 ? [null, null] : [Math.min(...counts), Math.max(...counts)];
  return {
    quoted,
    readsTokens: numberIn(READS) ?? least,
    hadTokens: numberIn(HAD) ?? (most === least ? null : most),
  };
}

function unreachable(code: string, access: ModelAccess, server: string): string {
  const trouble = troubleOf(code);
  const { what, todo } = describeTrouble(trouble, baseAddressOf(access), server);
  if (trouble === 'certificate' || trouble === 'proxy')
    return `${what}. ${todo.charAt(0).toUpperCase()}${todo.slice(1)}.`;
  const start = trouble === 'refused' ? 'Start the server there, or check' : 'Check';
  const isNetwork = trouble === 'unknown_name' || trouble === 'unreachable';
  return `${what}. ${start} its address in the settings${isNetwork ? ', and the network' : ''}.`;
}

/** The server's own words, as they stand in a sentence of ours; empty if there are none. */
export const quote = (detail: string): string =>
  detail === '' ? '' : ` (“${detail.replace(/(?<![.\s])[.\s]+$/, '')}”)`;

function nameOf(access: ModelAccess): string {
  return access.baseUrl === null && leavesComputer(access)
    ? factsOf(access.provider).title
    : new URL(baseAddressOf(access)).host;
}

function inWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} seconds`.replace(/^1 seconds$/, 'a second');
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
