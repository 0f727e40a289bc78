/** Parley's own tools as data: for the window, and for the service, which decides by it without loading the tools. */

/** What is known of each of Parley's own tools. */
export interface OwnTool {
  /** Its name for people. */
  title: string;
  /** One sentence on what it does, for people. */
  sentence: string;
  /** Estimated tokens of its description in a model's context; a test compares them. */
  tokens: number;
  /** Tools that need nothing (absent), or that reach folders or web pages. */
  group?: 'files' | 'web';
  /** Where calls run; absent: in the agents' thread. */
  runs?: 'service';
  /** Whose calls a person is asked about first; absent: nobody's. */
  asks?: 'connected' | 'elsewhere' | 'always';
  /** Whether doing it twice may differ from doing it once. */
  changes?: true;
  /** Whether it sends something off this computer. */
  sends?: true;
}

// Settings limit what these may reach.
const FILES = { group: 'files', runs: 'service' } as const;
const WEB = { group: 'web', runs: 'service' } as const;

/** All of them, in the order in which they are listed. Data from outside the chat leaves this computer if the model isn't on it. */
export const OWN_TOOLS = {
  calculate: { title: 'Calculate', sentence: 'Calculates exactly.', tokens: 223 },
  convert_units: { title: 'Convert units', sentence: 'Converts between units of measurement.', tokens: 189 },
  current_time: {
    title: 'Current time and date',
    sentence: 'Tells the time and date, here or in another place.',
    tokens: 80,
  },
  convert_time: {
    title: 'Convert a time of day',
    sentence: 'Converts a time of day from one place to another.',
    tokens: 218,
  },
  date_difference: {
    title: 'Time between two dates',
    sentence: 'Counts the time between two dates.',
    tokens: 240,
  },
  date_add: {
    title: 'Add to a date',
    sentence: 'Finds the date some time before or after another.',
    tokens: 313,
  },
  date_info: {
    title: 'About a date',
    sentence: 'Tells about a date: its weekday, week number, holidays.',
    tokens: 152,
  },
  summarise_text: {
    title: 'Summarise a text',
    sentence: 'Picks the most telling sentences of a text.',
    tokens: 127,
  },
  count_text: {
    title: 'Count words and characters',
    sentence: 'Counts words, characters, lines and sentences.',
    tokens: 156,
  },
  sort_list: { title: 'Sort a list', sentence: 'Puts a list in order.', tokens: 213 },
  remove_duplicates: {
    title: 'Remove duplicates',
    sentence: 'Removes repeated items from a list.',
    tokens: 111,
  },
  extract_from_text: {
    title: 'Extract from a text',
    sentence: 'Finds addresses, links, numbers and dates in a text.',
    tokens: 144,
  },
  change_case: { title: 'Change case', sentence: 'Changes capital and small letters.', tokens: 137 },
  format_text: {
    title: 'Format a text',
    sentence: 'Changes the layout of a text and keeps its words.',
    tokens: 198,
  },
  reverse_text: { title: 'Reverse a text', sentence: 'Reverses a text, its words or its lines.', tokens: 88 },
  replace_text: {
    title: 'Find and replace',
    sentence: 'Replaces a word or phrase throughout a text.',
    tokens: 142,
  },
  check_json: { title: 'Check JSON', sentence: 'Checks whether a text is valid JSON.', tokens: 76 },
  format_json: {
    title: 'Format JSON',
    sentence: 'Lays out JSON for reading, or makes it compact.',
    tokens: 167,
  },
  get_json_value: {
    title: 'Get a value from JSON',
    sentence: 'Looks up a value in JSON by its path.',
    tokens: 94,
  },
  convert_table: {
    title: 'Convert a table',
    sentence: 'Turns a table into CSV, Markdown or JSON, and sorts it.',
    tokens: 164,
  },
  query_table: {
    title: 'Query a table',
    sentence: 'Picks, sorts, groups and adds up rows of a table.',
    tokens: 474,
  },
  encode_text: {
    title: 'Encode text',
    sentence: 'Encodes text as Base64, hexadecimal, URL or HTML.',
    tokens: 124,
  },
  decode_text: {
    title: 'Decode text',
    sentence: 'Decodes Base64, hexadecimal, URL or HTML text.',
    tokens: 134,
  },
  hash_text: { title: 'Hash a text', sentence: 'Computes the hash of a text.', tokens: 97 },
  decode_jwt: { title: 'Decode a JWT', sentence: 'Shows what a JSON Web Token holds.', tokens: 76 },
  generate_uuid: { title: 'Generate UUIDs', sentence: 'Makes random UUIDs.', tokens: 63 },
  generate_password: { title: 'Generate passwords', sentence: 'Makes random passwords.', tokens: 174 },
  random_numbers: { title: 'Random numbers', sentence: 'Draws random numbers, as dice do.', tokens: 126 },
  random_choice: { title: 'Pick at random', sentence: 'Picks at random from options.', tokens: 144 },
  remember_note: {
    title: 'Remember a note',
    sentence: 'Keeps a note for the person.',
    tokens: 116,
    asks: 'connected',
    changes: true,
  },
  find_notes: { title: 'Find notes', sentence: 'Finds notes that were kept.', tokens: 89, asks: 'elsewhere' },
  forget_note: {
    title: 'Forget notes',
    sentence: 'Removes notes.',
    tokens: 118,
    asks: 'connected',
    changes: true,
  },
  search_messages: {
    title: 'Search earlier messages',
    sentence: 'Searches earlier messages of the workspace.',
    tokens: 121,
    asks: 'elsewhere',
  },
  list_files: {
    title: 'List files',
    sentence: 'Lists files in the folders you allowed.',
    tokens: 124,
    ...FILES,
  },
  read_file: {
    title: 'Read a file',
    sentence: 'Reads text files in the folders you allowed.',
    tokens: 154,
    ...FILES,
  },
  search_files: {
    title: 'Search files',
    sentence: 'Finds files in the folders you allowed, and words in them.',
    tokens: 153,
    ...FILES,
  },
  write_file: {
    title: 'Write a file',
    sentence: 'Writes text files in the folders you allowed; asks first.',
    tokens: 154,
    ...FILES,
    asks: 'always',
    changes: true,
  },
  read_skill: {
    title: 'Read a skill',
    sentence: 'Reads the skills you turned on.',
    tokens: 147,
    runs: 'service',
  },
  fetch_page: {
    title: 'Fetch a web page',
    sentence: 'Fetches web pages, if you turned that on; asks first.',
    tokens: 100,
    ...WEB,
    asks: 'always',
    sends: true,
  },
} as const satisfies Record<string, OwnTool>;

/** The name of one of Parley's own tools. */
export type OwnToolName = keyof typeof OWN_TOOLS;

/** The tool of Parley's own of that name, or null. */
export const ownToolOf = (name: string): OwnTool | null =>
  Object.hasOwn(OWN_TOOLS, name) ? OWN_TOOLS[name as OwnToolName] : null;
