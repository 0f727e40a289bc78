/** Parley's own tools as data: for the window, and for the service, which decides by it without loading the tools. */

/** What is known of each of Parley's own tools. */
export interface OwnToolInfo {
  /** Its name for people. */
  title: string;
  /** One sentence on what it does, for people. */
  sentence: string;
  /** Estimated tokens of its description in a model's context; a test compares them. */
  tokens: number;
  /** Tools that need nothing (absent), or that reach folders or web pages. */
  group?: 'files' | 'web';
  /** Where calls run: in the service, `workspace` over its notes and messages; absent: in the agents' thread. */
  runs?: 'workspace' | 'service';
  /** Whose calls a person is asked about first; absent: nobody's. */
  asks?: 'connected' | 'elsewhere' | 'always';
  /** Whether doing it twice may differ from doing it once. */
  changes?: true;
  /** Whether it sends something off this computer. */
  sends?: true;
}

const tool = (
  title: string,
  sentence: string,
  tokens: number,
  rights: Omit<OwnToolInfo, 'title' | 'sentence' | 'tokens'> = {},
): OwnToolInfo => ({ title, sentence, tokens, ...rights });

const WORKSPACE = { runs: 'workspace' } as const;
// Settings limit what these, and pages, may reach.
const FILES = { group: 'files', runs: 'service' } as const;

/** All of them, in the order in which they are listed. Data from outside the chat leaves this computer if the model isn't on it. */
export const OWN_TOOLS = {
  calculate: tool('Calculate', 'Calculates exactly.', 228),
  convert_units: tool('Convert units', 'Converts between units of measurement.', 189),
  current_time: tool('Current time and date', 'Tells the time and date, here or in another place.', 80),
  convert_time: tool('Convert a time of day', 'Converts a time of day from one place to another.', 218),
  date_difference: tool('Time between two dates', 'Counts the time between two dates.', 245),
  date_add: tool('Add to a date', 'Finds the date some time before or after another.', 313),
  date_info: tool('About a date', 'Tells about a date: its weekday, week number, holidays.', 152),
  summarise_text: tool('Summarise a text', 'Picks the most telling sentences of a text.', 127),
  count_text: tool('Count words and characters', 'Counts words, characters, lines and sentences.', 156),
  sort_list: tool('Sort a list', 'Puts a list in order.', 218),
  remove_duplicates: tool('Remove duplicates', 'Removes repeated items from a list.', 111),
  extract_from_text: tool('Extract from a text', 'Finds addresses, links, numbers and dates in a text.', 149),
  change_case: tool('Change case', 'Changes capital and small letters.', 142),
  format_text: tool('Format a text', 'Changes the layout of a text and keeps its words.', 203),
  reverse_text: tool('Reverse a text', 'Reverses a text, its words or its lines.', 93),
  replace_text: tool('Find and replace', 'Replaces a word or phrase throughout a text.', 142),
  check_json: tool('Check JSON', 'Checks whether a text is valid JSON.', 76),
  format_json: tool('Format JSON', 'Lays out JSON for reading, or makes it compact.', 172),
  get_json_value: tool('Get a value from JSON', 'Looks up a value in JSON by its path.', 94),
  convert_table: tool('Convert a table', 'Turns a table into CSV, Markdown or JSON, and sorts it.', 169),
  query_table: tool('Query a table', 'Picks, sorts, groups and adds up rows of a table.', 492),
  encode_text: tool('Encode text', 'Encodes text as Base64, hexadecimal, URL or HTML.', 128),
  decode_text: tool('Decode text', 'Decodes Base64, hexadecimal, URL or HTML text.', 138),
  hash_text: tool('Hash a text', 'Computes the hash of a text.', 101),
  decode_jwt: tool('Decode a JWT', 'Shows what a JSON Web Token holds.', 76),
  generate_uuid: tool('Generate UUIDs', 'Makes random UUIDs.', 63),
  generate_password: tool('Generate passwords', 'Makes random passwords.', 174),
  random_numbers: tool('Random numbers', 'Draws random numbers, as dice do.', 126),
  random_choice: tool('Pick at random', 'Picks at random from options.', 144),
  remember_note: tool('Remember a note', 'Keeps a note for the person.', 116, {
    ...WORKSPACE,
    asks: 'connected',
    changes: true,
  }),
  find_notes: tool('Find notes', 'Finds notes that were kept.', 89, { ...WORKSPACE, asks: 'elsewhere' }),
  forget_note: tool('Forget notes', 'Removes notes.', 118, {
    ...WORKSPACE,
    asks: 'connected',
    changes: true,
  }),
  search_messages: tool('Search earlier messages', 'Searches earlier messages of the workspace.', 126, {
    ...WORKSPACE,
    asks: 'elsewhere',
  }),
  list_files: tool('List files', 'Lists files in the folders you allowed.', 124, FILES),
  read_file: tool('Read a file', 'Reads text files in the folders you allowed.', 154, FILES),
  search_files: tool(
    'Search files',
    'Finds files in the folders you allowed, and words in them.',
    153,
    FILES,
  ),
  write_file: tool('Write a file', 'Writes text files in the folders you allowed; asks first.', 154, {
    ...FILES,
    asks: 'always',
    changes: true,
  }),
  read_skill: tool('Read a skill', 'Reads the skills you turned on.', 147, { runs: 'service' }),
  fetch_page: tool('Fetch a web page', 'Fetches web pages, if you turned that on; asks first.', 100, {
    group: 'web',
    runs: 'service',
    asks: 'always',
    sends: true,
  }),
};

/** The name of one of Parley's own tools. */
export type OwnToolName = keyof typeof OWN_TOOLS;

/** The tool of Parley's own of that name, or null. */
export const ownToolOf = (name: string): OwnToolInfo | null =>
  Object.hasOwn(OWN_TOOLS, name) ? OWN_TOOLS[name as OwnToolName] : null;
