import type { McpFinding } from '../../shared/api/mcp.ts';
import type { StoredMcpServer } from '../store/mcp-repository.ts';
import type { FindRoute } from '../net/route.ts';
import type { SecretValues } from '../secrets/mask.ts';
import { SignInNeededError, ToolError } from '../tools/tool.ts';
import type { ServerAuth } from './sign-in/server-auth.ts';

/** How a connection is opened. */
export interface ConnectionOpening {
  server: StoredMcpServer;
  values: SecretValues;
  /** How long that may take, in milliseconds. */
  openMs: number;
  /** How long an address may take to accept a message that needs no answer, in milliseconds. */
  noticeMs: number;
  findRoute: FindRoute;
  /** Its sign-in; null: it is a program, or has a key of its own. */
  auth: ServerAuth | null;
  /** Ends the attempt. */
  signal?: AbortSignal;
  /** Called with what a program writes to stderr, bounded and without secrets. */
  log: (line: string) => void;
  /** Called each time the server reports that its tools have changed. */
  onToolsChanged: () => void;
}

/** How long a program may take to end by itself, and again after it was asked to, in milliseconds. */
export const GRACE_MS = 1_000;
/** The same while the whole service stops, which has five seconds for everything. */
export const STOP_GRACE_MS = 400;

/** The message for a server that asks without end and doesn't take the answers: what is kept for it is limited. */
export const ASKS_TOO_MUCH = 'The tool server asks for answers faster than it takes them, so it was let go.';

/** Why a tool server can't be used: a code, and words a person can act on, without secrets. */
export class McpFault extends Error {
  override name = 'McpFault';
  readonly finding: Exclude<McpFinding, 'ok'>;

  constructor(finding: Exclude<McpFinding, 'ok'>, message: string, cause?: unknown) {
    super(message, { cause });
    this.finding = finding;
  }
}

/** What a tool call reports of the fault. */
export const asToolError = (fault: McpFault): ToolError =>
  fault.finding === 'sign_in_needed'
    ? new SignInNeededError(fault.message, { cause: fault })
    : new ToolError(fault.message, { cause: fault });
