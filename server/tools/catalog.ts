/** Which tools there are, in words for people; apart from the tools, which are too heavy for the service's own thread. */
export interface ToolEntry {
  name: string;
  /** One sentence on what it does. */
  description: string;
  /** About how many tokens its description takes of a model's context; see models/reckon.ts. */
  tokens: number;
}

/** Tools that change something; a connected model has to ask before it uses them. */
const CHANGING_TOOLS: readonly string[] = ['remember_note', 'forget_note'];

/** Tools that tell what stands elsewhere than in the chat, which leaves this computer when the model isn't on it. */
const TELLING_TOOLS: readonly string[] = ['search_messages', 'find_notes'];

/** The tools of a turn's own thread that ask a person first when a connected model calls them. */
export const toolsThatAsk = (isModelElsewhere: boolean): string[] =>
  isModelElsewhere ? [...CHANGING_TOOLS, ...TELLING_TOOLS] : [...CHANGING_TOOLS];

/** Whether a tool of a turn's own thread may have to ask a person first. */
export const mayAskFirst = (name: string): boolean => toolsThatAsk(true).includes(name);

const entry = (name: string, tokens: number, description: string): ToolEntry => ({
  name,
  description,
  tokens,
});

/** Those that reach outside; what they may reach is set in Settings, and what changes something asks first. */
export const OUTSIDE_TOOLS: readonly ToolEntry[] = [
  entry('list_files', 124, 'Lists files in the folders you allowed.'),
  entry('read_file', 152, 'Reads text files in the folders you allowed.'),
  entry('search_files', 164, 'Finds files in the folders you allowed, and words in them.'),
  entry('write_file', 165, 'Writes text files in the folders you allowed; asks first.'),
  entry('fetch_page', 101, 'Fetches web pages, if you turned that on; asks first.'),
];

/** An entry for each tool, in the order of ALL_TOOLS, then {@link OUTSIDE_TOOLS}. */
export const TOOL_CATALOG: readonly ToolEntry[] = [
  entry('calculate', 223, 'Calculates exactly.'),
  entry('convert_units', 189, 'Converts between units of measurement.'),
  entry('current_time', 80, 'Tells the time and date, here or in another place.'),
  entry('convert_time', 221, 'Converts a time of day from one place to another.'),
  entry('date_difference', 229, 'Counts the time between two dates.'),
  entry('date_add', 313, 'Finds the date some time before or after another.'),
  entry('date_info', 152, 'Tells about a date: its weekday, week number, holidays.'),
  entry('summarise_text', 127, 'Picks the most telling sentences of a text.'),
  entry('count_text', 156, 'Counts words, characters, lines and sentences.'),
  entry('sort_list', 184, 'Puts a list in order.'),
  entry('remove_duplicates', 111, 'Removes repeated items from a list.'),
  entry('extract_from_text', 150, 'Finds addresses, links, numbers and dates in a text.'),
  entry('change_case', 137, 'Changes capital and small letters.'),
  entry('format_text', 198, 'Changes the layout of a text and keeps its words.'),
  entry('reverse_text', 88, 'Reverses a text, its words or its lines.'),
  entry('replace_text', 144, 'Replaces a word or phrase throughout a text.'),
  entry('check_json', 76, 'Checks whether a text is valid JSON.'),
  entry('format_json', 167, 'Lays out JSON for reading, or makes it compact.'),
  entry('get_json_value', 94, 'Looks up a value in JSON by its path.'),
  entry('convert_table', 164, 'Turns a table into CSV, Markdown or JSON, and sorts it.'),
  entry('table_statistics', 118, 'Adds up and averages the columns of a table.'),
  entry('encode_text', 124, 'Encodes text as Base64, hexadecimal, URL or HTML.'),
  entry('decode_text', 134, 'Decodes Base64, hexadecimal, URL or HTML text.'),
  entry('hash_text', 97, 'Computes the hash of a text.'),
  entry('decode_jwt', 76, 'Shows what a JSON Web Token holds.'),
  entry('generate_uuid', 63, 'Makes random UUIDs.'),
  entry('generate_password', 174, 'Makes random passwords.'),
  entry('random_numbers', 126, 'Draws random numbers, as dice do.'),
  entry('random_choice', 144, 'Picks at random from options.'),
  entry('remember_note', 85, 'Keeps a note for the person.'),
  entry('find_notes', 89, 'Finds notes that were kept.'),
  entry('forget_note', 118, 'Removes notes.'),
  entry('search_messages', 121, 'Searches earlier messages of the workspace.'),
  ...OUTSIDE_TOOLS,
];

/**
 * Those that a connected model gets of an agent that may use all: what it can't do itself. The others are for the offline
 * assistant, and for agents that name them. What reaches outside is there when a person allowed it.
 */
export const USUAL_TOOLS: readonly string[] = [
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

/** Whether a tool of that name is one of Parley's that reach nothing outside. */
export const isBuiltInTool = (name: string): boolean =>
  isToolName(name) && !OUTSIDE_TOOLS.some((tool) => tool.name === name);

/** Whether there is a tool of that name. */
export const isToolName = (name: string): boolean => TOOL_CATALOG.some((tool) => tool.name === name);
