/** Puts together what the tools of the service need: approvals, allowed folders, tool servers, and the sources of tools. */
import { describeFault } from '../lib/fault-report.ts';
import { createFolderService, type FolderService } from '../tools/files/folder-service.ts';
import { createMcpService, type McpOptions, type McpService } from '../mcp/mcp-service.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { FindRoute } from '../net/route.ts';
import type { SettingsService } from '../store/settings-service.ts';
import type { Store } from '../store/types.ts';
import { createApprovals, type Approvals } from './approvals.ts';
import { createFileTools } from '../tools/files/file-tools.ts';
import type { ToolSource } from '../tools/tool.ts';
import type { WebOptions } from '../tools/web/fetch-guarded.ts';
import { createSkillService, type SkillService } from '../tools/files/skill-service.ts';
import { createSkillTools } from '../tools/files/skill-tool.ts';
import { createWebTools } from '../tools/web/web-tools.ts';

/** Options for the tools of the service. */
export interface HostToolOptions {
  /** Further sources of such tools, besides what people set up. */
  sources?: readonly ToolSource[];
  /** How long a person has to answer a tool that asks first, in milliseconds. */
  approvalMs?: number;
  /** How web pages are fetched. */
  web?: WebOptions;
}

/** Dependencies. */
export interface HostToolDeps {
  store: Store;
  secrets: Secrets;
  settings: SettingsService;
  dataDir: string;
  clock: () => Date;
  newId: () => string;
  log: (line: string) => void;
  options: HostToolOptions;
  findRoute: FindRoute;
  mcp: McpOptions;
}

/** The tools of the service, with approvals, folders and tool servers. */
export interface HostTools {
  approvals: Approvals;
  folders: FolderService;
  skills: SkillService;
  /** Has to be closed. */
  mcpServers: McpService;
  sources: readonly ToolSource[];
}

/** Creates them for a store. Nothing is contacted before a turn needs it. */
export function createHostTools(deps: HostToolDeps): HostTools {
  const { settings, dataDir, findRoute, log } = deps;
  const { sources = [], web = {} } = deps.options;
  const folders = createFolderService(deps);
  const skills = createSkillService(deps);
  const approvals = createApprovals(deps);
  const mcpServers = createMcpService({
    ...deps.mcp,
    ...deps,
    onQuestionsOver: () => approvals.recheck(),
    onError: (error) => log(`tool servers: ${describeFault(error)}`),
  });
  return {
    approvals,
    folders,
    skills,
    mcpServers,
    sources: [
      createFileTools({ folders: () => folders.list(), isAnyAllowed: () => folders.isAny(), dataDir }),
      createSkillTools(skills),
      createWebTools({ isOn: () => settings.current().webFetch, options: { findRoute, ...web } }),
      mcpServers.tools,
      ...sources,
    ],
  };
}
