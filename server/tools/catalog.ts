/** Which tools there are, in words for people; apart from the tools, which are too heavy for the service's own thread. */
export interface ToolEntry {
  name: string;
  /** One sentence on what it does. */
  description: string;
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

const entry = (name: string, description: string): ToolEntry => ({ name, description });

/** Those that reach outside; what they may reach is set in Settings, and what changes something asks first. */
export const OUTSIDE_TOOLS: readonly ToolEntry[] = [
  entry('list_files', 'Lists files in the folders you allowed.'),
  entry('read_file', 'Reads text files in the folders you allowed.'),
  entry('search_files', 'Finds files in the folders you allowed, and words in them.'),
  entry('write_file', 'Writes text files in the folders you allowed; asks first.'),
  entry('fetch_page', 'Fetches web pages, if you turned that on; asks first.'),
];

/** An entry for each tool, in the order of ALL_TOOLS, then {@link OUTSIDE_TOOLS}. */
export const TOOL_CATALOG: readonly ToolEntry[] = [
  entry('calculate', 'Calculates exactly.'),
  entry('convert_units', 'Converts between units of measurement.'),
  entry('current_time', 'Tells the time and date, here or in another place.'),
  entry('convert_time', 'Converts a time of day from one place to another.'),
  entry('date_difference', 'Counts the time between two dates.'),
  entry('date_add', 'Finds the date some time before or after another.'),
  entry('date_info', 'Tells about a date: its weekday, week number, holidays.'),
  entry('summarise_text', 'Picks the most telling sentences of a text.'),
  entry('count_text', 'Counts words, characters, lines and sentences.'),
  entry('sort_list', 'Puts a list in order.'),
  entry('remove_duplicates', 'Removes repeated items from a list.'),
  entry('extract_from_text', 'Finds addresses, links, numbers and dates in a text.'),
  entry('change_case', 'Changes capital and small letters.'),
  entry('format_text', 'Changes the layout of a text and keeps its words.'),
  entry('reverse_text', 'Reverses a text, its words or its lines.'),
  entry('replace_text', 'Replaces a word or phrase throughout a text.'),
  entry('check_json', 'Checks whether a text is valid JSON.'),
  entry('format_json', 'Lays out JSON for reading, or makes it compact.'),
  entry('get_json_value', 'Looks up a value in JSON by its path.'),
  entry('convert_table', 'Turns a table into CSV, Markdown or JSON, and sorts it.'),
  entry('table_statistics', 'Adds up and averages the columns of a table.'),
  entry('encode_text', 'Encodes text as Base64, hexadecimal, URL or HTML.'),
  entry('decode_text', 'Decodes Base64, hexadecimal, URL or HTML text.'),
  entry('hash_text', 'Computes the hash of a text.'),
  entry('decode_jwt', 'Shows what a JSON Web Token holds.'),
  entry('generate_uuid', 'Makes random UUIDs.'),
  entry('generate_password', 'Makes random passwords.'),
  entry('random_numbers', 'Draws random numbers, as dice do.'),
  entry('random_choice', 'Picks at random from options.'),
  entry('remember_note', 'Keeps a note for the person.'),
  entry('find_notes', 'Finds notes that were kept.'),
  entry('forget_note', 'Removes notes.'),
  entry('search_messages', 'Searches earlier messages of the workspace.'),
  ...OUTSIDE_TOOLS,
];

/** Whether there is a tool of that name. */
export const isToolName = (name: string): boolean => TOOL_CATALOG.some((tool) => tool.name === name);
