/** What each tool takes, for those who show it: everything but what the tools need to do their work. */
import type { TSchema } from 'typebox';
import type { OwnToolName } from './catalog.ts';
import {
  ConvertTimeInput,
  CurrentTimeInput,
  DateAddInput,
  DateDifferenceInput,
  DateInfoInput,
} from './dates/inputs.ts';
import { ListFilesInput } from './files/list-files.ts';
import { ReadFileInput } from './files/read-file.ts';
import { SearchFilesInput } from './files/search-files.ts';
import { WriteFileInput } from './files/write-file.ts';
import { DATA_TOOLS, ENCODING_TOOLS, MATHS_TOOLS, NOTE_TOOLS, TEXT_TOOLS } from './lists.ts';
import { searchMessages } from './search.ts';
import { FetchPageInput } from './web/web-tools.ts';

const OTHERS: Partial<Record<OwnToolName, TSchema>> = {
  current_time: CurrentTimeInput,
  convert_time: ConvertTimeInput,
  date_difference: DateDifferenceInput,
  date_add: DateAddInput,
  date_info: DateInfoInput,
  search_messages: searchMessages.input,
  list_files: ListFilesInput,
  read_file: ReadFileInput,
  search_files: SearchFilesInput,
  write_file: WriteFileInput,
  fetch_page: FetchPageInput,
};

/** The JSON schema of each of Parley's own tools' input, by name: the one that models get. */
export const TOOL_INPUTS: ReadonlyMap<string, TSchema> = new Map([
  ...[...MATHS_TOOLS, ...TEXT_TOOLS, ...DATA_TOOLS, ...ENCODING_TOOLS, ...NOTE_TOOLS].map(
    ({ name, input }) => [name, input] as const,
  ),
  ...Object.entries(OTHERS),
]);
