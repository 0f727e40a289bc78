/** Explains why a tool server could not be opened, in a sentence or two that a person can act on. */
import { getSystemErrorName } from 'node:util';
import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { OUT_OF_FILES, isOutOfFiles } from '../lib/out-of-files.ts';
import { inOneLine, wordsIn } from '../net/error-words.ts';
import { codeIn, describeTrouble, troubleOf } from '../net/trouble.ts';
import type { McpAddress } from '../store/mcp-repository.ts';
import type { Mask } from '../secrets/mask.ts';
import type { ProcessEnd } from './stdio-transport.ts';
import { McpFault } from './connection.ts';

/** What is known about a program besides the error. */
export interface ProgramSigns {
  ending: ProcessEnd;
  /** Its last lines on stderr, without secrets. */
  quotation: string;
  /** It wrote something to stdout. */
  hasSpoken: boolean;
  /** It has been opened before, so it is a tool server, whatever it does now. */
  hasOpened: boolean;
}

const MAX_QUOTED = 1_000;
/** The exit code of shells and `env` when a program, such as the `node` of a script, is missing. */
const NOT_FOUND = 127;
/** The exit code of Windows' own shell for that. */
const NOT_FOUND_ON_WINDOWS = 9009;

/** Where programs were looked for; nothing for one that was named by its path. */
const searchedIn = (program = ''): string =>
  /[\\/]/.test(program)
    ? ''
    : ` Programs are looked for in ${process.env['PATH'] ?? 'no folder: PATH is not set'}.`;

/** What kept a program from being used as a tool server. */
export function explainProgram(error: unknown, { command }: McpAddress, signs: ProgramSigns): McpFault {
  const program = command ?? '';
  const { ending, quotation, hasSpoken, hasOpened } = signs;
  const { code } = error as NodeJS.ErrnoException;
  const fault = (...[finding, message]: Explanation): McpFault => new McpFault(finding, message, error);
  if (isOutOfFiles(error) || isOutOfFiles(startFault(ending))) return fault('failed', OUT_OF_FILES);
  if (code === 'ENOENT' || ending?.code === NOT_FOUND_ON_WINDOWS) {
    const what =
      code === 'ENOENT' ? `The program “${program}”` : `“${program}”, or a program that it starts,`;
    return fault(
      'program_not_found',
      `${what} was not found; install it, or give its full path.${searchedIn(program)}`,
    );
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return fault(
      'program_not_found',
      `“${program}” may not be run; make it executable, or give the path of a program.`,
    );
  }
  // The library ends a program that does not answer, so its exit says nothing then.
  if (isTimeout(error) && (!hasSpoken || hasOpened)) {
    const words = 'The program runs, but did not answer in time; try again, or check its arguments.';
    return fault('too_slow', words + saying(quotation));
  }
  if (ending !== null && !isTimeout(error)) {
    const where = ending.code === NOT_FOUND ? searchedIn() : '';
    return fault('ended', `The program ended at once (${how(ending)}).${saying(quotation)}${where}`);
  }
  return fault('not_mcp', 'The program runs, but what it says is not MCP; check its arguments.');
}

type Explanation = [finding: McpFault['finding'], message: string];

/** A program that lacked descriptors to start counts as ended, with the system's error number as its exit code. */
const startFault = (ending: ProcessEnd): Error | null =>
  ending !== null && Number(ending.code) < 0 ? new Error(getSystemErrorName(Number(ending.code))) : null;

const how = ({ code, signal }: NonNullable<ProcessEnd>): string =>
  code === null ? `signal ${signal ?? 'unknown'}` : `exit code ${code}`;

const saying = (quotation: string): string =>
  quotation === '' ? ' It wrote no reason.' : ` Its last lines were:\n${quotation.slice(-MAX_QUOTED)}`;

/** What kept an address from being used as a tool server. `hasKey`: headers were sent along. */
export function explainAddress(error: unknown, { url }: McpAddress, hasKey: boolean, mask: Mask): McpFault {
  const address = url ?? '';
  const { host } = new URL(address);
  const fault = (...[finding, message]: Explanation): McpFault => new McpFault(finding, message, error);
  if (error instanceof SdkHttpError) return fault(...explainStatus(error, host, hasKey, mask));
  if (isTimeout(error)) {
    return fault('too_slow', `${host} did not answer in time; see whether it is well, and try again.`);
  }
  const code = error instanceof SdkError ? null : codeIn(error);
  if (code === null) {
    return fault('not_mcp', `What answers at ${host} is not a tool server, or not at this path.`);
  }
  const { what, todo } = describeTrouble(troubleOf(code), address);
  return fault('unreachable', `${what}; ${todo}.`);
}

function explainStatus(error: SdkHttpError, host: string, hasKey: boolean, mask: Mask): Explanation {
  const { status } = error;
  const quotation = quoted(error, mask);
  if (status === 401 || status === 403) {
    return hasKey
      ? ['key_refused', `${host} did not accept the key${quotation}; check the headers.`]
      : ['key_needed', `${host} asks for a key${quotation}; add a header, as its maker describes.`];
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return [
      'wrong_address',
      `There is no tool server at this path of ${host} (${status}); check the address.`,
    ];
  }
  if (status >= 500 || status === 429) {
    return ['failed', `${host} reports a fault (${status})${quotation}; try again later.`];
  }
  return ['not_mcp', `${host} did not take this for a tool server’s request (${status})${quotation}.`];
}

function quoted({ data }: SdkHttpError, mask: Mask): string {
  const quotation = inOneLine(wordsIn(data.text), mask);
  return quotation === '' ? '' : `: “${quotation}”`;
}

/** The words for a server that speaks only the transport before Streamable HTTP. */
export const oldSse = (host: string): string =>
  `${host} speaks the old HTTP+SSE transport, which Parley doesn’t; give its address for Streamable HTTP (often /mcp instead of /sse), or use a newer version of it.`;

/** It took too long, or was stopped. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof SdkError
    ? error.code === SdkErrorCode.RequestTimeout
    : error instanceof Error && error.name === 'TimeoutError';
