/**
 * Tools that reach outside the thread in which turns run: files, the web, other programs. They run in the service's own
 * thread, where connections outlive a turn, and where what they do can be written down before it is done.
 */

/** What a turn's thread needs to know of such a tool; plain data. */
export interface OutsideToolInfo {
  /** What a model calls it by: letters, digits, `_` and `-`, 64 at most; unique among all tools of a turn. */
  name: string;
  /** For the model: what it does and when to use it. */
  description: string;
  /** JSON Schema of its input, an object. */
  inputSchema: Readonly<Record<string, unknown>>;
  /** The agents that may use it, whatever their own lists of tools say; absent: those whose list names it, or is `all`. */
  agents?: 'all' | readonly string[];
}

/** What a running call knows. */
export interface OutsideCall {
  /** Fires when the turn is stopped, or the call takes too long. */
  signal: AbortSignal;
  /**
   * The {@link Description.basis} that the person was asked on, also by an earlier process; absent: nobody was asked, or
   * there was none. What has changed since is not what they said yes to.
   */
  basis?: string;
  /** To be called whenever there is a sign that the call gets on: its time then begins anew, see {@link LONGEST_CALL_MS}. */
  onProgress?: () => void;
  /** Where the person always allows it, of a call that asks and was not asked about: it is to be made there or not at all. */
  place?: string;
}

/** Where a call does its work: what an “always” is given for, besides the tool. */
export interface CallPlace {
  /** `folder:<id>`, `server:<id>` or `site:<host>`. */
  id: string;
  /** What people call it. */
  name: string;
}

/** What a call would do. */
export interface Description {
  /** In a plain sentence or two, for the person who is asked. */
  summary: string;
  /**
   * What that rests on, such as the state of a file; absent: nothing that could change meanwhile. A question that is
   * repeated after a restart is another one when this is not the same as before.
   */
  basis?: string;
  /** Absent: the tool has no such place. `unknown`: it can't be told, so no answer can be remembered. */
  place?: CallPlace | 'unknown';
}

/** A picture, sound or other file that a tool gives besides its output. */
export interface ToolFile {
  /** One line, not empty. */
  name: string;
  mediaType: string;
  data: Buffer;
}

/** The output of a call that comes with files. */
export class OutputWithFiles {
  readonly output: unknown;
  readonly files: readonly ToolFile[];

  constructor(output: unknown, files: readonly ToolFile[]) {
    this.output = output;
    this.files = files;
  }
}

/** A tool of a source. */
export interface OutsideTool extends OutsideToolInfo {
  /** Whether a person is asked before each call: it changes something, or something leaves the machine. */
  asks: boolean;
  /**
   * Whether doing it twice may differ from doing it once. A call of such a tool that was under way when Parley died
   * is not made again by itself, and the model that wants it again has to ask, even if the tool is always allowed.
   */
  changes: boolean;
  /** Tells how it is described from how it was before; absent: that never changes but with Parley itself. */
  described?: string;
  /** How long a call may take without a sign that it gets on, in milliseconds; {@link CALL_TIMEOUT_MS} unless given. */
  timeoutMs?: number;
  /** How long it may take in all, in milliseconds; {@link LONGEST_CALL_MS} unless given. */
  longestMs?: number;
  /** What a call would do; null or absent: nothing to add to the tool and its input. */
  describe?(input: Readonly<Record<string, unknown>>): Promise<Description | null>;
  /**
   * Does it. Throws ToolError for what the model or the person can mend (its message is shown as it stands); anything else
   * thrown is a fault of ours. What it returns ({@link OutputWithFiles} where there
   * are files) is cut to a bounded size by whoever called; the files are bounded by the tool.
   */
  run(input: Readonly<Record<string, unknown>>, call: OutsideCall): Promise<unknown>;
}

/** For whom tools are listed. */
export interface OutsideListContext {
  /** The agents of the turn: the chat's own, and those that it may hand sub-tasks to. */
  agentTypes: readonly string[];
}

/** Where outside tools come from. */
export interface OutsideToolSource {
  /** Whether the built-in assistant has a use for its tools; it is not asked for that one's turns otherwise. */
  isForOffline: boolean;
  /**
   * Those that there are as things stand; which agent may use which is decided afterwards ({@link mayUse}). Bounded in time
   * by itself, and never rejects: what can't be reached is left out.
   */
  list(context: OutsideListContext): Promise<OutsideTool[]>;
}

/** Whether an agent may use an outside tool. */
export function mayUse(
  agent: { name: string; tools: 'all' | readonly string[] },
  { name, agents }: Pick<OutsideToolInfo, 'name' | 'agents'>,
): boolean {
  if (agents !== undefined) return agents === 'all' || agents.includes(agent.name);
  return agent.tools === 'all' || agent.tools.includes(name);
}

/** How long a call of an outside tool may take without a sign that it gets on, unless the tool says otherwise. */
export const CALL_TIMEOUT_MS = 60_000;
/** How long it may take in all, however much it gets on, unless the tool says otherwise. */
export const LONGEST_CALL_MS = 30 * 60_000;
