/**
 * The client of a tool server. It connects when first needed, keeps the connection while it is in use, and connects again for the
 * next call after losing it. A server that can't be reached is left alone for a while, so that turns don't wait for it each time.
 */
import type { McpState } from '../../shared/api/mcp.ts';
import type { ListedTool } from '../store/mcp-repository.ts';
import { ToolError } from '../tools/tool.ts';
import { asToolError, GRACE_MS, McpFault, STOP_GRACE_MS } from './connection.ts';
import type { McpConnection } from './open-connection.ts';
import { OUT_OF_FILES, isOutOfFiles } from '../lib/out-of-files.ts';

/** Time limits of a connection to a tool server, in milliseconds. */
export interface ServerLimits {
  /** How long an address may take to open, and any server to list its tools. */
  openMs: number;
  /** How long a program may take to start: the first time, some download themselves. */
  startMs: number;
  /** How long a turn, or a change, waits for a server whose tools aren't known yet. */
  firstListingMs: number;
  /** How long a turn waits for a server whose tools were listed before: that list is usually still right. */
  listingMs: number;
  /** How long an unused connection is kept. */
  idleMs: number;
  /** How long a server is left alone after it could not be reached. */
  holdOffMs: number;
  /** How long a list of tools counts as current unless the server reports a change; after that, a turn asks again. */
  freshMs: number;
  /** How long an address may take to accept a message that needs no answer. */
  noticeMs: number;
  /** How long a server may take to show that it is alive after an unanswered call; if it doesn't, it is restarted. */
  aliveMs: number;
  /** How long a call may take without progress. */
  callMs: number;
  /** How long a call may take in all. */
  longestCallMs: number;
}

/** Dependencies of {@link createServerClient}. */
export interface ServerClientDeps {
  limits: ServerLimits;
  /** Rejects with McpFault. */
  open: (options: {
    signal: AbortSignal;
    onToolsChanged: () => void;
    /** Called with each line that a program writes to stderr. */
    onOutput: (line: string) => void;
  }) => Promise<McpConnection>;
  /** Stores the listed tools. */
  save: (tools: ListedTool[]) => Promise<void>;
}

export type ServerClient = ReturnType<typeof createServerClient>;

/** The client of one server as it is now; a changed server gets a new one. Nothing is opened yet. */
export function createServerClient({ limits, open, save }: ServerClientDeps) {
  const ending = new AbortController();
  let current: McpConnection | null = null;
  let opening: Promise<McpConnection> | null = null;
  let fault: McpFault | null = null;
  let leftOut: string | null = null;
  let lastWords = '';
  let heldOffUntil = -Infinity;
  let uses = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let listedAt = -Infinity;
  let relisting: Promise<void> | null = null;
  let leaving: Promise<unknown> = Promise.resolve();

  async function openNow(): Promise<McpConnection> {
    let connection: McpConnection | null = null;
    lastWords = '';
    try {
      connection = await open({
        signal: ending.signal,
        onToolsChanged: () => (listedAt = -Infinity),
        onOutput: (line) => (lastWords = line),
      });
      await list(connection, limits.openMs);
      ending.signal.throwIfAborted();
    } catch (error) {
      await connection?.end(ending.signal.aborted ? STOP_GRACE_MS : GRACE_MS);
      heldOffUntil = performance.now() + limits.holdOffMs;
      fault =
        error instanceof McpFault
          ? error
          : new McpFault('failed', isOutOfFiles(error) ? OUT_OF_FILES : STOPPED, error);
      throw fault;
    }
    fault = null;
    current = connection;
    void connection.closed.then(() => drop(connection));
    restartIdleTimer();
    return connection;
  }

  function opened(): Promise<McpConnection> {
    if (current?.isOpen === true) return Promise.resolve(current);
    opening ??= openNow().finally(() => {
      opening = null;
    });
    return opening;
  }

  async function list(connection: McpConnection, timeoutMs: number): Promise<void> {
    listedAt = performance.now();
    const listing = await connection.list(timeoutMs);
    leftOut = listing.leftOut;
    await save(listing.tools);
  }

  /** Many servers change their tools without reporting it. */
  function listAgain(connection: McpConnection): Promise<void> {
    if (performance.now() - listedAt < limits.freshMs) return relisting ?? Promise.resolve();
    relisting ??= list(connection, limits.openMs)
      .catch(() => undefined)
      .finally(() => (relisting = null));
    return relisting;
  }

  /** Drops a connection that can't be used any more, or hasn't been used for a while. */
  function drop(connection: McpConnection): void {
    if (current === connection) current = null;
    leaving = Promise.all([leaving, connection.end(GRACE_MS).catch(() => undefined)]);
  }

  /** After an unanswered call: a hanging server would make all later calls wait too. */
  async function dropIfHung(connection: McpConnection): Promise<void> {
    const isAlive = await connection.isAlive(limits.aliveMs);
    // Other calls that wait for it have their own limits.
    if (!isAlive && uses === 0 && connection.isOpen) drop(connection);
  }

  function restartIdleTimer(): void {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => {
      if (uses === 0 && current !== null) drop(current);
    }, limits.idleMs);
    idleTimer.unref();
  }

  async function use<T>(work: (connection: McpConnection) => Promise<T>): Promise<T> {
    uses += 1;
    try {
      return await work(await opened());
    } finally {
      uses -= 1;
      restartIdleTimer();
    }
  }

  return {
    get state(): Exclude<McpState, 'off'> {
      if (current?.isOpen === true) return 'connected';
      if (opening !== null) return 'opening';
      return fault === null ? 'idle' : 'failed';
    },
    /** Why the last attempt to use it failed, what it writes while it starts, or which of its tools are left out; in words. */
    get problem(): string | null {
      if (opening !== null && lastWords !== '') return `It is still starting. It last wrote: ${lastWords}`;
      return fault?.message ?? leftOut;
    },
    /** Opens it and lists its tools, unless it is being left alone; if open, again after a while. Never rejects. */
    async ready(): Promise<void> {
      if (ending.signal.aborted || performance.now() < heldOffUntil) return;
      if (current?.isOpen === true) await listAgain(current);
      else await opened().catch(() => undefined);
      restartIdleTimer();
    },
    /** Calls a tool as {@link McpConnection} does. Rejects with ToolError, or with the signal's reason. */
    async call(...call: Parameters<McpConnection['call']>): Promise<unknown> {
      const [, , signal] = call;
      for (let tries = 0; tries < 2; tries += 1) {
        try {
          const outcome = await use((connection) => connection.call(...call));
          if (outcome !== null) return outcome.output;
        } catch (error) {
          if (signal.aborted && current?.isOpen === true) void dropIfHung(current);
          if (error instanceof McpFault) throw asToolError(error);
          throw error;
        }
      }
      throw new ToolError('The tool server loses its sessions right away. Check that it works.');
    },
    /** Forgets that it could not be reached: the next attempt happens at once. */
    forgetFailure(): void {
      heldOffUntil = -Infinity;
      fault = null;
    },
    /** Ends it for good. */
    async end(graceMs: number): Promise<void> {
      ending.abort();
      clearTimeout(idleTimer);
      await Promise.all([current?.end(graceMs), opening?.catch(() => undefined), leaving]);
    },
  };
}

const STOPPED = 'The tool server was stopped before it was ready.';
