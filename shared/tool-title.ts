import { clip, LONGEST_NAME, visibleLine } from './visible.ts';

/** What people call Parley's own tools, unless that is their name in words. */
const TITLES: Readonly<Record<string, string>> = {
  current_time: 'Current time and date',
  convert_time: 'Convert a time of day',
  date_difference: 'Time between two dates',
  date_add: 'Add to a date',
  date_info: 'About a date',
  summarise_text: 'Summarise a text',
  count_text: 'Count words and characters',
  sort_list: 'Sort a list',
  extract_from_text: 'Extract from a text',
  format_text: 'Format a text',
  reverse_text: 'Reverse a text',
  replace_text: 'Find and replace',
  check_json: 'Check JSON',
  format_json: 'Format JSON',
  get_json_value: 'Get a value from JSON',
  convert_table: 'Convert a table',
  query_table: 'Query a table',
  hash_text: 'Hash a text',
  decode_jwt: 'Decode a JWT',
  generate_uuid: 'Generate UUIDs',
  generate_password: 'Generate passwords',
  random_choice: 'Pick at random',
  remember_note: 'Remember a note',
  forget_note: 'Forget notes',
  search_messages: 'Search earlier messages',
  read_file: 'Read a file',
  write_file: 'Write a file',
  fetch_page: 'Fetch a web page',
};

/** A name from a schema or a program in words: `maxLength` and `max_length` are "Max length". */
export function inWords(name: string): string {
  const spaced = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** A tool's name for people, in one line: its title if it is Parley's own, otherwise its name in words. */
export const toolTitle = (tool: string): string =>
  (Object.hasOwn(TITLES, tool) ? TITLES[tool] : undefined) ?? clip(visibleLine(inWords(tool)), LONGEST_NAME);

/** Tools whose approval is fully described by its summary: another agent's request, and a rehearsal's question. */
const ASK_FOR_OTHERS: ReadonlySet<string> = new Set(['ask_agent', 'ask_approval']);

/** The title of the tool that a person is asked about; null: its name adds nothing to the approval's summary. */
export const askingTitle = (tool: string): string | null =>
  ASK_FOR_OTHERS.has(tool) ? null : toolTitle(tool);
