import type { Settings } from '../../shared/api/settings.ts';
import type { FolderService } from '../folders/folder-service.ts';
import { createFileTools } from '../tools/files/file-tools.ts';
import type { OutsideToolSource } from '../tools/host-tool.ts';
import type { WebOptions } from '../tools/web/fetch-page.ts';
import { createWebTools } from '../tools/web/web-tools.ts';

/** What the app's own outside tools work with. */
export interface OutsideSourceDeps {
  folders: Pick<FolderService, 'list' | 'isAny'>;
  /** Parley's own, where no tool goes. */
  dataDir: string;
  settings: { current(): Pick<Settings, 'webFetch'> };
  /** How pages are fetched, where that differs. */
  web?: WebOptions;
}

/** The app's own sources of outside tools; those of tool servers are apart. Costs nothing until a tool is called. */
export function createOutsideSources(deps: OutsideSourceDeps): OutsideToolSource[] {
  const { folders, dataDir, settings, web = {} } = deps;
  return [
    createFileTools({ folders: () => folders.list(), isAnyAllowed: () => folders.isAny(), dataDir }),
    createWebTools({ isOn: () => settings.current().webFetch, options: web }),
  ];
}
