import { Type } from 'typebox';
import { defineTool, ToolError, type Tool } from '../tool.ts';
import { NO_FOLDER, notThere } from './file-words.ts';
import type { ResolvedPath, PathResolver } from './resolve-path.ts';
import { search, type SearchBounds } from './search.ts';

const BOUNDS: SearchBounds = {
  matches: 100,
  visited: 20_000,
  depth: 20,
  totalBytes: 50_000_000,
  fileBytes: 2_000_000,
  milliseconds: 20_000,
};
const MAX_WORDS = 500;

/** What `search_files` takes. */
export const SearchFilesInput = Type.Object({
  name: Type.Optional(Type.String({ description: 'Part of the file’s name, or a pattern with * and ?.' })),
  text: Type.Optional(Type.String({ description: 'Words to find within one line, exactly as written.' })),
  path: Type.Optional(Type.String({ description: 'The folder to search; absent: all allowed folders.' })),
});

/** The tool that finds files by name, by the text in them, or both. */
export const createSearchFiles = (resolver: PathResolver, bounds: SearchBounds = BOUNDS): Tool =>
  defineTool({
    name: 'search_files',
    description:
      'Finds files in the folders that the person allowed: by name (a part of it, or a pattern like “*.md”), by words in ' +
      'them, or both. Skips folders called .git and node_modules. Ignores case.',
    input: SearchFilesInput,
    async run({ name = '', text = '', path = '' }, { signal }) {
      if (name === '' && text === '')
        throw new ToolError('Give a “name” or a “text” to search for, or both.');
      if (name.length > MAX_WORDS || text.length > MAX_WORDS) {
        throw new ToolError(`A search takes at most ${MAX_WORDS} characters.`);
      }
      const wanted = { resolver, bounds, signal, name: name || null, text: text.toLowerCase() || null };
      return search(await findRoots(resolver, path), wanted);
    },
  });

async function findRoots(resolver: PathResolver, path: string): Promise<ResolvedPath[]> {
  if (path !== '') {
    const resolved = await resolver.find(path);
    if (resolved.stats === null) throw new ToolError(notThere(resolved.shown));
    return [resolved];
  }
  const folders = (await resolver.folders()).filter(({ available }) => available);
  if (folders.length === 0) throw new ToolError(NO_FOLDER);
  return Promise.all(folders.map((folder) => resolver.find(folder.path)));
}
