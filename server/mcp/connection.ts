import type { McpFinding } from '../../shared/api/mcp.ts';
import type { ListedTool, StoredMcpServer } from '../store/mcp-repository.ts';
import type { SecretValues } from '../secrets/mask.ts';

/** How a connection is opened. */
export interface OpenOptions {
  server: StoredMcpServer;
  values: SecretValues;
  /** How long that may take, in milliseconds. */
  openMs: number;
  /** How long what needs no answer may take to be accepted by an address, in milliseconds. */
  noticeMs: number;
  /** Ends the attempt. */
  signal?: AbortSignal;
  /** Told what a program writes to stderr, bounded and without secrets. */
  log: (line: string) => void;
  /** Called whenever the server says that its tools have changed, as often as it says so. */
  onToolsChanged: () => void;
}

/** What came of a call. `forgotten`: the server knows this connection no more and did nothing; on a new one it may. */
export type CallOutcome = { kind: 'done'; output: unknown } | { kind: 'forgotten' };

/** An open connection to a tool server. */
export interface McpConnection {
  /** False once it is of no use any more. */
  readonly isOpen: boolean;
  /** Resolves when it is of no use any more. */
  closed: Promise<undefined>;
  /** Of the program; null: there is none. */
  pid: number | null;
  /** Its tools, bounded. Rejects with McpFault. */
  list(timeoutMs: number): Promise<ListedTool[]>;
  /**
   * Rejects with ToolError, or with the signal's reason once that has fired: the server is told to stop then. `onProgress` is
   * told when the server says that the call gets on.
   */
  call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    onProgress?: () => void,
  ): Promise<CallOutcome>;
  /** Whether anything is answered within so many milliseconds. */
  isAlive(timeoutMs: number): Promise<boolean>;
  /** Resolves when it is closed, and its program gone; that takes three times `graceMs` at most. */
  end(graceMs: number): Promise<void>;
}

/** Opens a connection; rejects with McpFault. The library that it takes is loaded here. */
export async function openConnection(options: OpenOptions): Promise<McpConnection> {
  const { openConnection: open } = await import('./open-connection.ts');
  return open(options);
}

/** How long a program may take to end by itself, and again when it was asked to, before it is killed; in milliseconds. */
export const GRACE_MS = 1_000;
/** The same while the whole service stops, which has five seconds for everything. */
export const STOP_GRACE_MS = 400;

/** Why a tool server can't be used, in a word and in words a person can act on, without secrets. */
export class McpFault extends Error {
  override name = 'McpFault';
  readonly finding: Exclude<McpFinding, 'ok'>;

  constructor(finding: Exclude<McpFinding, 'ok'>, message: string, cause?: unknown) {
    super(message, { cause });
    this.finding = finding;
  }
}
