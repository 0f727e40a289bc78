import type { OutsideTool, OutsideToolSource } from '../outside-tool.ts';
import { createListFiles } from './list-files.ts';
import { createPlaces, type PlaceDeps } from './places.ts';
import { createReadFile } from './read-file.ts';
import { createSearchFiles } from './search-files.ts';
import { createWriteFile } from './write-file.ts';

/** What {@link createFileTools} works with. */
export interface FileToolDeps extends PlaceDeps {
  /** Whether any folder is allowed. Asked before each turn, so it looks at no disk: one may hang. */
  isAnyAllowed: () => boolean;
}

/** The tools that work in the folders that a person allowed; there are none while no folder is allowed. */
export function createFileTools({ isAnyAllowed, ...deps }: FileToolDeps): OutsideToolSource {
  const places = createPlaces(deps);
  const tools: readonly OutsideTool[] = [
    createListFiles(places),
    createReadFile(places),
    createSearchFiles(places),
    createWriteFile(places),
  ];
  return { isForOffline: false, list: async () => (isAnyAllowed() ? [...tools] : []) };
}
