/** Puts together all that lets turns reach out: approvals, allowed folders, tool servers, and the sources of tools. */
import { describeFault } from '../lib/fault-report.ts';
import { createFolderService, type FolderService } from '../folders/folder-service.ts';
import { createMcpService, type McpOptions, type McpService } from '../mcp/mcp-service.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import type { Store } from '../store/types.ts';
import { createApprovals, type Approvals } from './approvals.ts';
import type { OutsideToolSource } from '../tools/host-tool.ts';
import { createOutsideSources } from './sources.ts';
import type { WebOptions } from '../tools/web/fetch-page.ts';

/** How tools that reach out are dealt with. */
export interface OutsideOptions {
  /** Where such tools come from, besides what people set up. */
  sources?: readonly OutsideToolSource[];
  /** How long a person has to answer a tool that asks first, in milliseconds. */
  approvalMs?: number;
  /** How web pages are fetched. */
  web?: WebOptions;
}

/** What it works with. */
export interface OutsideDeps {
  store: Store;
  secrets: Secrets;
  settings: SettingsService;
  dataDir: string;
  clock: () => Date;
  newId: () => string;
  log: (line: string) => void;
  options: OutsideOptions;
  mcp: McpOptions;
}

/** All that lets turns reach out. */
export interface Outside {
  approvals: Approvals;
  folders: FolderService;
  /** Has to be closed. */
  mcpServers: McpService;
  sources: readonly OutsideToolSource[];
}

/** Makes it for a store. Nothing is reached before a turn asks for it. */
export function createOutside(deps: OutsideDeps): Outside {
  const { store, secrets, settings, dataDir, clock, newId, log } = deps;
  const { sources = [], web = {} } = deps.options;
  const folders = createFolderService({ store, dataDir, clock, newId });
  const approvals = createApprovals({ store, clock });
  const mcpServers = createMcpService({
    ...deps.mcp,
    store,
    secrets,
    clock,
    newId,
    log,
    onQuestionsOver: () => approvals.recheck(),
    onError: (error) => log(`tool servers: ${describeFault(error)}`),
  });
  return {
    approvals,
    folders,
    mcpServers,
    sources: [...createOutsideSources({ folders, dataDir, settings, web }), mcpServers.tools, ...sources],
  };
}
