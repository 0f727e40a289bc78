import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { defineTool, ToolError, type Tool } from '../tool.ts';
import { notThere } from './file-words.ts';
import type { Place, Places } from './places.ts';
import { readFolder, type Listed } from './safe-open.ts';

/** Most entries that one answer holds. */
const MAX_ENTRIES = 500;
/** Most entries that are read of one folder, before they are sorted. */
const MAX_READ_ENTRIES = 10_000;
const MAX_DEPTH = 5;

/** What an answer tells of one entry. */
interface Entry {
  path: string;
  kind: Listed['kind'];
  /** Of a file, in bytes. */
  size?: number;
  /** Of a file: when it was changed last. */
  changed?: string;
}

const BY_NAME = (one: Listed, other: Listed): number =>
  Number(other.kind === 'folder') - Number(one.kind === 'folder') ||
  one.name.localeCompare(other.name, 'en', { numeric: true });

/** What `list_files` takes. */
export const ListFilesInput = Type.Object({
  path: Type.Optional(Type.String({ description: 'The folder; absent: the allowed folders.' })),
  depth: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_DEPTH, description: 'How many levels to show; 1 unless given.' }),
  ),
});

/** The tool that lists allowed folders, and what is in them. */
export const createListFiles = (places: Places): Tool =>
  defineTool({
    name: 'list_files',
    description:
      'Lists the files and folders in a folder that the person allowed. Without a path it lists the allowed folders; ' +
      'paths begin with the name of one of them, like “Notes/letters”.',
    input: ListFilesInput,
    async run({ path = '', depth = 1 }, { signal }) {
      if (path === '' || path === '.' || path === '/') return listAllowed(places);
      const place = await places.find(path);
      if (place.stats === null) throw new ToolError(notThere(place.shown));
      if (!place.stats.isDirectory())
        throw new ToolError(`“${place.shown}” is a file; use read_file to read it.`);
      return listPlace(places, place, depth, signal);
    },
  });

async function listAllowed(places: Places): Promise<unknown> {
  const folders = await places.folders();
  if (folders.length === 0)
    return { folders: [], note: 'No folder is allowed yet. A person can allow one in Settings, Tools.' };
  return {
    folders: folders.map(({ name, path, available }) =>
      available ? { name, path } : { name, path, note: 'It isn’t there any more.' },
    ),
  };
}

async function listPlace(places: Places, place: Place, depth: number, signal: AbortSignal): Promise<unknown> {
  const entries: Entry[] = [];
  let isCut = false;
  let level = [{ real: place.real, shown: place.shown }];
  for (let left = depth; left > 0 && level.length > 0 && !isCut; left -= 1) {
    const next: typeof level = [];
    for (const folder of level) {
      signal.throwIfAborted();
      const listed = await readDeeper(folder, folder.real === place.real);
      isCut ||= listed.isCut;
      for (const entry of listed.entries.sort(BY_NAME)) {
        if (entries.length >= MAX_ENTRIES) {
          isCut = true;
          break;
        }
        const real = join(folder.real, entry.name);
        const shown = `${folder.shown}/${entry.name}`;
        const stats = await lstat(real, { bigint: true }).catch(() => null);
        if (stats === null || (stats.isDirectory() && (await places.isOwnData(stats)))) continue;
        entries.push(toEntry(shown, entry.kind, stats));
        if (stats.isDirectory()) next.push({ real, shown });
      }
      if (isCut && entries.length >= MAX_ENTRIES) break;
    }
    level = next;
  }
  return {
    path: place.shown,
    entries,
    ...(isCut && {
      note: `Only the first ${entries.length} are shown; list a folder further down, or search.`,
    }),
  };
}

/** A folder further down that can't be read, or has gone meanwhile, is shown as empty. */
async function readDeeper(
  folder: { real: string; shown: string },
  isFirst: boolean,
): ReturnType<typeof readFolder> {
  const reading = readFolder(folder.real, folder.shown, MAX_READ_ENTRIES);
  return isFirst ? reading : reading.catch(() => ({ entries: [], isCut: false }));
}

function toEntry(path: string, kind: Listed['kind'], stats: { size: bigint; mtimeMs: bigint }): Entry {
  if (kind !== 'file') return { path, kind };
  return { path, kind, size: Number(stats.size), changed: new Date(Number(stats.mtimeMs)).toISOString() };
}
