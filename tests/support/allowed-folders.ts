import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileTools } from '../../server/tools/files/file-tools.ts';
import type { ToolSource } from '../../server/tools/tool.ts';
import { isAvailable } from '../../server/tools/files/check-folder.ts';
import { callToolsOf } from './call-tools.ts';
import { createTempDir } from './service.ts';

/** File tools over real folders: `Notes` and `Work` are allowed, `secret` and the data folder are beside them. */
export async function openAllowedFolders(): Promise<
  ReturnType<typeof callToolsOf> & {
    root: string;
    notes: string;
    work: string;
    secret: string;
    data: string;
    /** Where the tools come from. */
    source: ToolSource;
  }
> {
  const root = await realpath(await createTempDir());
  const [notes, work, secret] = [join(root, 'Notes'), join(root, 'Work'), join(root, 'secret')];
  // Parley's own data, within an allowed folder.
  const data = join(work, 'parley-data');
  for (const folder of [notes, work, secret, data]) await mkdir(folder);
  const allowed = [notes, work].map((path, index) => ({
    id: String(index),
    name: path === notes ? 'Notes' : 'Work',
    path,
    createdAt: '2026-11-20T12:45:00.000Z',
  }));
  const folders = () =>
    Promise.all(allowed.map(async (folder) => ({ ...folder, available: await isAvailable(folder.path) })));
  const source = createFileTools({ folders, isAnyAllowed: () => true, dataDir: data });
  return {
    root,
    notes,
    work,
    secret,
    data,
    source,
    ...callToolsOf(source),
  };
}
