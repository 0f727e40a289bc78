/** Parley's own tools as data, so that the service can describe them and decide without loading them. */
import type { ToolGroup } from '../../shared/api/agent.ts';
import { toolTitle } from '../../shared/tool-title.ts';

/** What there is to know of a tool before it is called. Plain data. */
export interface ToolInfo {
  /** What a model calls it by: letters, digits, `_` and `-`, 64 at most; unique among all tools of a turn. */
  name: string;
  /**
   * Where calls run: in the agents' thread, which they may block or bring down, or in the service, where connections outlive
   * a turn and what a call does can be written down before it is done.
   */
  runs: 'thread' | 'service';
  /** Whose calls a person is asked about first: nobody's, a connected model's, one's that isn't on this computer, or anybody's. */
  asks: 'never' | 'connected' | 'elsewhere' | 'always';
  /**
   * Whether doing it twice may differ from doing it once. A call of such a tool that was under way when Parley died
   * is not made again by itself, and the model that wants it again has to ask, even if the tool is always allowed.
   */
  changes: boolean;
  /** The agents that may use it, whatever their own lists of tools say; absent: those whose list names it, or is `all`. */
  agents?: 'all' | readonly string[];
}

/** A tool as the catalogue has it. */
export interface CatalogEntry extends ToolInfo {
  /** Its title, from the one table that the window and desktop notifications use too. */
  title: string;
  /** Its group: tools that need nothing, or that reach folders or web pages. */
  group: ToolGroup;
  /** One sentence on what it does, for people. */
  sentence: string;
  /** Estimated tokens of its description in a model's context; see models/reckon.ts. */
  tokens: number;
}

/** The defaults of a tool: it runs in the agents' thread, asks nobody, and changes nothing. */
const entry = <Name extends string>(
  name: Name,
  tokens: number,
  sentence: string,
  others: Partial<Pick<CatalogEntry, 'group' | 'runs' | 'asks' | 'changes'>> = {},
): CatalogEntry & { name: Name } => ({
  name,
  title: toolTitle(name),
  group: 'built_in',
  sentence,
  tokens,
  runs: 'thread',
  asks: 'never',
  changes: false,
  ...others,
});

const ENTRIES = [
  entry('calculate', 223, 'Calculates exactly.'),
  entry('convert_units', 189, 'Converts between units of measurement.'),
  entry('current_time', 80, 'Tells the time and date, here or in another place.'),
  entry('convert_time', 218, 'Converts a time of day from one place to another.'),
  entry('date_difference', 229, 'Counts the time between two dates.'),
  entry('date_add', 313, 'Finds the date some time before or after another.'),
  entry('date_info', 152, 'Tells about a date: its weekday, week number, holidays.'),
  entry('summarise_text', 127, 'Picks the most telling sentences of a text.'),
  entry('count_text', 156, 'Counts words, characters, lines and sentences.'),
  entry('sort_list', 192, 'Puts a list in order.'),
  entry('remove_duplicates', 111, 'Removes repeated items from a list.'),
  entry('extract_from_text', 144, 'Finds addresses, links, numbers and dates in a text.'),
  entry('change_case', 137, 'Changes capital and small letters.'),
  entry('format_text', 198, 'Changes the layout of a text and keeps its words.'),
  entry('reverse_text', 88, 'Reverses a text, its words or its lines.'),
  entry('replace_text', 142, 'Replaces a word or phrase throughout a text.'),
  entry('check_json', 76, 'Checks whether a text is valid JSON.'),
  entry('format_json', 167, 'Lays out JSON for reading, or makes it compact.'),
  entry('get_json_value', 94, 'Looks up a value in JSON by its path.'),
  entry('convert_table', 164, 'Turns a table into CSV, Markdown or JSON, and sorts it.'),
  entry('table_statistics', 118, 'Adds up and averages the columns of a table.'),
  entry('query_table', 387, 'Picks, sorts, groups and adds up rows of a table.'),
  entry('encode_text', 124, 'Encodes text as Base64, hexadecimal, URL or HTML.'),
  entry('decode_text', 134, 'Decodes Base64, hexadecimal, URL or HTML text.'),
  entry('hash_text', 97, 'Computes the hash of a text.'),
  entry('decode_jwt', 76, 'Shows what a JSON Web Token holds.'),
  entry('generate_uuid', 63, 'Makes random UUIDs.'),
  entry('generate_password', 174, 'Makes random passwords.'),
  entry('random_numbers', 126, 'Draws random numbers, as dice do.'),
  entry('random_choice', 144, 'Picks at random from options.'),
  entry('remember_note', 116, 'Keeps a note for the person.', { asks: 'connected', changes: true }),
  // Data from outside the chat leaves this computer if the model isn't on it.
  entry('find_notes', 89, 'Finds notes that were kept.', { asks: 'elsewhere' }),
  entry('forget_note', 118, 'Removes notes.', { asks: 'connected', changes: true }),
  entry('search_messages', 121, 'Searches earlier messages of the workspace.', { asks: 'elsewhere' }),
  // Settings limit what these may reach.
  entry('list_files', 124, 'Lists files in the folders you allowed.', { group: 'files', runs: 'service' }),
  entry('read_file', 154, 'Reads text files in the folders you allowed.', {
    group: 'files',
    runs: 'service',
  }),
  entry('search_files', 153, 'Finds files in the folders you allowed, and words in them.', {
    group: 'files',
    runs: 'service',
  }),
  entry('write_file', 154, 'Writes text files in the folders you allowed; asks first.', {
    group: 'files',
    runs: 'service',
    asks: 'always',
    changes: true,
  }),
  entry('fetch_page', 100, 'Fetches web pages, if you turned that on; asks first.', {
    group: 'web',
    runs: 'service',
    asks: 'always',
  }),
];

/** The name of one of Parley's own tools. */
export type OwnToolName = (typeof ENTRIES)[number]['name'];

/** All of Parley's own tools, in the order in which they are listed. */
export const TOOL_CATALOG: readonly CatalogEntry[] = ENTRIES;

/** The same by name. */
export const TOOLS = Object.fromEntries(ENTRIES.map((each) => [each.name, each])) as Readonly<
  Record<OwnToolName, CatalogEntry>
>;

/** The tool of Parley's own of that name, or null. */
export const findOwnTool = (name: string): CatalogEntry | null =>
  Object.hasOwn(TOOLS, name) ? TOOLS[name as OwnToolName] : null;

/**
 * The tools that a connected model gets from an agent that may use all: for what it can't do itself. The others are for
 * the offline assistant, and for agents that name them. Tools of the service are there when a person allowed them.
 */
const USUAL_TOOLS: readonly OwnToolName[] = [
  'calculate',
  'current_time',
  'date_difference',
  'date_add',
  'date_info',
  'convert_time',
  'search_messages',
  'find_notes',
  'remember_note',
  'forget_note',
];

/** Those of the agents' thread that an agent may use whose list of tools is this one, in the order in which a model gets them. */
export function threadToolsOf(tools: 'all' | readonly string[], isConnected: boolean): CatalogEntry[] {
  const names = tools === 'all' ? (isConnected ? USUAL_TOOLS : Object.keys(TOOLS)) : tools;
  return names.flatMap((name) => findOwnTool(name) ?? []).filter(({ runs }) => runs === 'thread');
}

/** Whether an agent may use a tool of the service. */
export function mayUse(
  agent: { name: string; tools: 'all' | readonly string[] },
  { name, agents }: Pick<ToolInfo, 'name' | 'agents'>,
): boolean {
  if (agents !== undefined) return agents === 'all' || agents.includes(agent.name);
  return agent.tools === 'all' || agent.tools.includes(name);
}
