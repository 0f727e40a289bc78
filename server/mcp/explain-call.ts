/** Explains why a tool call failed, in words for the person and the model. */
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { quoted } from '../../shared/visible.ts';
import { DOUBT_WORDS, DoubtError, ToolError } from '../tools/tool.ts';
import { codeIn } from '../net/trouble.ts';
import { isTimeout } from './explain-fault.ts';
import { BROKE_OFF, TOO_LARGE } from './http-transport.ts';
import type { Mask } from '../secrets/mask.ts';

/** The outcome of a failed call. */
interface CallFault {
  /** Null: it did not reach the server, which no longer knows this connection. */
  error: ToolError | null;
  /** The connection can't be used any more. */
  isOver: boolean;
}

const MAX_QUOTED = 1_000;

/** What an error of a call means. `name`: what people call the server. */
export function explainCall(error: unknown, name: string, mask: Mask): CallFault {
  const server = quoted(name);
  const failed = (message: string, isOver = false): CallFault => ({
    error: new ToolError(message, { cause: error }),
    isOver,
  });
  /** A call that reached the server, or may have. */
  const doubt = (message: string, isOver = false): CallFault => ({
    error: new DoubtError(`${message} ${DOUBT_WORDS}`, { cause: error }),
    isOver,
  });
  if (error instanceof ToolError) return { error, isOver: false };
  if (error instanceof ProtocolError) {
    if (error.code === BROKE_OFF) return doubt(goneMeanwhile(server), true);
    if (error.code === TOO_LARGE) {
      return doubt(`The tool server ${server} answered with more than the 32 MB that can be read.`);
    }
    const text = mask(error.message)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, MAX_QUOTED)
      .toWellFormed();
    return failed(`The tool server ${server} answered with an error: “${text}”.`);
  }
  if (error instanceof SdkHttpError) {
    if (error.status === 404) return { error: null, isOver: true };
    if (error.status === 401 || error.status === 403) {
      return failed(`The tool server ${server} did not accept the key; check it in the settings.`, true);
    }
    const words = `The tool server ${server} reports a fault (${error.status}).`;
    return error.status < 500 ? failed(words, true) : doubt(words, true);
  }
  if (isTimeout(error)) return doubt(`The tool server ${server} did not answer in time.`);
  if (error instanceof SdkError) {
    if (GONE.includes(error.code)) return doubt(goneMeanwhile(server), true);
    if (error.code === SdkErrorCode.UnsupportedResultType) {
      return failed(`The tool server ${server} asks for something in return that Parley does not offer.`);
    }
    return doubt(`The tool server ${server} answered something that is not MCP.`);
  }
  if (codeIn(error) === 'ECONNREFUSED') {
    return failed(`Nothing answers where the tool server ${server} was; start it, and try again.`, true);
  }
  return doubt(goneMeanwhile(server), true);
}

const GONE: readonly SdkErrorCode[] = [
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
  SdkErrorCode.SendFailed,
];

const goneMeanwhile = (server: string): string =>
  `The tool server ${server} ended while the tool was running.`;
