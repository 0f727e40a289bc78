/** What each tool takes, for those who show it. */
import type { TSchema } from 'typebox';
import { ListFilesInput } from './files/list-files.ts';
import { ReadFileInput } from './files/read-file.ts';
import { SearchFilesInput } from './files/search-files.ts';
import { WriteFileInput } from './files/write-file.ts';
import { ALL_TOOLS } from './index.ts';
import { ReadSkillInput } from './files/skill-tool.ts';
import { FetchPageInput } from './web/web-tools.ts';

/** The JSON schema of each of Parley's own tools' input, by name: the one that models get. */
export const TOOL_INPUTS: ReadonlyMap<string, TSchema> = new Map<string, TSchema>([
  ...ALL_TOOLS.map(({ name, input }) => [name, input] as const),
  ['list_files', ListFilesInput],
  ['read_file', ReadFileInput],
  ['search_files', SearchFilesInput],
  ['write_file', WriteFileInput],
  ['read_skill', ReadSkillInput],
  ['fetch_page', FetchPageInput],
]);
