/** Parley's own tools as data, so that the service can describe them and decide without loading them. */
import type { ToolGroup } from '../../shared/api/agent.ts';
import { OWN_TOOLS, type OwnToolInfo, type OwnToolName } from '../../shared/own-tools.ts';

/** What there is to know of a tool before it is called. Plain data. */
export interface CatalogTool {
  /** What a model calls it by: letters, digits, `_` and `-`, 64 at most; unique among all tools of a turn. */
  name: string;
  /**
   * Where calls run: in the agents' thread, which they may block or bring down, or in the service, where connections outlive
   * a turn and what a call does can be written down before it is done. `workspace`: in the service too, over the notes and messages
   * of the workspace, which are there in every chat; the service's other tools depend on what a person allowed.
   */
  runs: 'thread' | 'workspace' | 'service';
  /** Whose calls a person is asked about first: nobody's, a connected model's, one's that isn't on this computer, or anybody's. */
  asks: 'never' | 'connected' | 'elsewhere' | 'always';
  /**
   * Whether doing it twice may differ from doing it once. A reply that was cut off after it had begun such a call isn't started
   * again by itself. If the call was cut off, the tool asks before the next one, even if it is always allowed.
   */
  changes: boolean;
  /** Whether it sends something off this computer; then too the reply isn't started again by itself. Absent: no. */
  sends?: true;
  /** The agents that may use it, whatever their own lists of tools say; absent: those whose list names it, or is `all`. */
  agents?: 'all' | readonly string[];
}

/** A tool as the catalogue has it. */
export interface CatalogEntry extends CatalogTool, Pick<OwnToolInfo, 'title' | 'sentence' | 'tokens'> {
  /** Its group: tools that need nothing, or that reach folders or web pages. */
  group: ToolGroup;
}

/** The defaults of a tool: it runs in the agents' thread, asks nobody, and changes nothing. */
const DEFAULTS = { group: 'built_in', runs: 'thread', asks: 'never', changes: false } as const;

/** All of Parley's own tools, in the order in which they are listed. */
export const TOOL_CATALOG: readonly CatalogEntry[] = Object.entries<OwnToolInfo>(OWN_TOOLS).map(
  ([name, tool]) => ({ ...DEFAULTS, name, ...tool }),
);

const BY_NAME = new Map(TOOL_CATALOG.map((entry) => [entry.name, entry]));

/** The tool of Parley's own of that name, or null. */
export const findOwnTool = (name: string): CatalogEntry | null => BY_NAME.get(name) ?? null;

/** Whether the tool of that name is there in every chat, whatever a person allowed. */
export const isAlwaysThere = (name: string): boolean => (findOwnTool(name)?.runs ?? 'service') !== 'service';

/**
 * The tools that a connected model gets from an agent that may use all: for what it can't do itself. The others are for
 * the offline assistant, and for agents that name them.
 */
const USUAL_TOOLS: readonly OwnToolName[] = [
  'calculate',
  'current_time',
  'date_difference',
  'date_add',
  'date_info',
  'convert_time',
];

/** Those of the agents' thread that an agent may use whose list of tools is this one, in the order in which a model gets them. */
export function threadToolsOf(tools: 'all' | readonly string[], isConnected: boolean): CatalogEntry[] {
  const names = tools === 'all' ? (isConnected ? USUAL_TOOLS : Object.keys(OWN_TOOLS)) : tools;
  return names.flatMap((name) => findOwnTool(name) ?? []).filter(({ runs }) => runs === 'thread');
}

/** Whether an agent may use a tool of the service. */
export function mayUse(
  agent: { name: string; tools: 'all' | readonly string[] },
  { name, agents }: Pick<CatalogTool, 'name' | 'agents'>,
): boolean {
  if (agents !== undefined) return agents === 'all' || agents.includes(agent.name);
  return agent.tools === 'all' || agent.tools.includes(name);
}
