import { lstat } from 'node:fs/promises';
import { Type } from 'typebox';
import { defineTool, ToolError, type Tool } from '../tool.ts';
import { NO_FOLDER, notThere } from './file-words.ts';
import type { ResolvedPath, PathResolver } from './resolve-path.ts';
import { walk, type Met, type Omissions } from './walk.ts';

/** Most entries that one answer holds. */
const MAX_ENTRIES = 500;
/** Most entries that are read of one folder, before they are sorted. */
const MAX_READ_ENTRIES = 10_000;
const MAX_DEPTH = 5;

interface Entry {
  path: string;
  kind: Met['kind'];
  /** Of a file, in bytes. */
  size?: number;
  /** Of a file: when it was changed last. */
  changed?: string;
}

/** What `list_files` takes. */
export const ListFilesInput = Type.Object({
  path: Type.Optional(Type.String({ description: 'The folder; absent: the allowed folders.' })),
  depth: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_DEPTH, description: 'How many levels to show; 1 unless given.' }),
  ),
});

/** The tool that lists allowed folders, and what is in them. */
export const createListFiles = (resolver: PathResolver): Tool =>
  defineTool({
    name: 'list_files',
    description:
      'Lists the files and folders in a folder that the person allowed. Without a path it lists the allowed folders; ' +
      'paths begin with the name of one of them, like “Notes/letters”.',
    input: ListFilesInput,
    async run({ path = '', depth = 1 }, { signal }) {
      if (path === '' || path === '.' || path === '/') return listAllowed(resolver);
      const resolved = await resolver.find(path);
      if (resolved.stats === null) throw new ToolError(notThere(resolved.shown));
      if (!resolved.stats.isDirectory())
        throw new ToolError(`“${resolved.shown}” is a file; use read_file to read it.`);
      return listFolder(resolver, resolved, depth, signal);
    },
  });

async function listAllowed(resolver: PathResolver): Promise<unknown> {
  const folders = await resolver.folders();
  if (folders.length === 0) return { folders: [], note: NO_FOLDER };
  return {
    folders: folders.map(({ name, path, available }) =>
      available ? { name, path } : { name, path, note: 'It isn’t there any more.' },
    ),
  };
}

async function listFolder(
  resolver: PathResolver,
  resolved: ResolvedPath,
  depth: number,
  signal: AbortSignal,
): Promise<unknown> {
  const entries: Entry[] = [];
  const omitted: Omissions = { isCut: false, hasDeeper: false, failures: [] };
  const extent = { depth, entries: MAX_READ_ENTRIES, signal };
  for await (const met of walk(resolver, [resolved], extent, omitted)) {
    omitted.isCut ||= entries.length >= MAX_ENTRIES;
    if (entries.length >= MAX_ENTRIES) break;
    const entry = await toEntry(met);
    if (entry !== null) entries.push(entry);
  }
  // A folder further down that can't be read is shown as empty.
  if (entries.length === 0 && omitted.failures.length > 0) throw omitted.failures[0];
  return {
    path: resolved.shown,
    entries,
    ...(omitted.isCut && {
      note: `Only the first ${entries.length} are shown; list a folder further down, or search.`,
    }),
  };
}

/** Null: the file has gone meanwhile. */
async function toEntry({ real, shown, kind }: Met): Promise<Entry | null> {
  if (kind !== 'file') return { path: shown, kind };
  const stats = await lstat(real).catch(() => null);
  return stats && { path: shown, kind, size: stats.size, changed: stats.mtime.toISOString() };
}
