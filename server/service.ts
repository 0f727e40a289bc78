/** The service as its hosts see it: the options to start it, and the running service. */
import type { Settings } from '../shared/api/settings.ts';
import type { Activity } from './events/activity.ts';
import type { AgentRuntime } from './agents/turn.ts';
import type { KeyRing } from './auth/key-ring.ts';
import type { ConnectionOptions } from './connections/connection-service.ts';
import type { McpOptions } from './mcp/mcp-service.ts';
import type { ToolSource } from './tools/tool.ts';
import type { WebOptions } from './tools/web/fetch-guarded.ts';
import type { SecretBox, Secrets } from './secrets/secrets.ts';
import type { SystemProxy } from './net/route.ts';
import type { SettingsService } from './store/settings-service.ts';
import type { StoreOptions } from './store/store.ts';
import type { Store } from './store/types.ts';

/** Options to start the service. */
export interface StartOptions {
  /** Created if missing, readable only by its owner. */
  dataDir: string;
  /** Null (default): 4141 or the next free port. 0: any free port. Otherwise: this port or an error. */
  port?: number | null;
  /** Folder of the built chat page; null (default): none. */
  pageDir?: string | null;
  /** Gets lines for the person who runs the service. Default: standard error. */
  log?: (line: string) => void;
  /** Makes the replies; closed with the service. Default: this app's agents in a worker thread. */
  runtime?: AgentRuntime;
  /**
   * Opens the encryption for secrets when the first secret is needed. Null or absent: there is none, and secrets are in a file
   * that only its owner can read.
   */
  openSecretBox?: () => Promise<SecretBox | null>;
  /** Asks the system for its proxies. Null or absent: only those of the environment are used. */
  systemProxy?: SystemProxy | null;
  /** Overrides for model servers. */
  connections?: ConnectionOptions;
  /** Overrides for tools that run in the service. */
  hostTools?: {
    /** Further sources of tools, besides what people set up. */
    sources?: readonly ToolSource[];
    /** How long a person has to answer a tool that asks first, in milliseconds. */
    approvalMs?: number;
    /** How web pages are fetched. */
    web?: WebOptions;
  };
  /** Overrides for tool servers. */
  mcp?: McpOptions;
  /** Overrides for the store. */
  store?: Pick<StoreOptions, 'disk' | 'limits'>;
}

/** A running service. */
export interface Service {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  /** A sentence for the person if the service isn't on the port from the settings; otherwise null. */
  portNote: string | null;
  /** The local key, as it is now. */
  readonly apiKey: string;
  /** The data folder as an absolute path. */
  dataDir: string;
  /** The workspace that exists from the start. */
  workspaceId: string;
  startedAt: string;
  /** A link that opens the chat page signed in, once. */
  createPageUrl(): string;
  /** A session for a window of this process: a key that works in all workspaces until the service stops. */
  openSession(): { apiKey: string; workspaceId: string };
  /** The workspace of a chat; null if there is no such chat or it was deleted. */
  findWorkspaceOf(chatId: string): string | null;
  settings: SettingsService;
  /** Calls the listener with the settings whenever a change is on disk. Returns a function that unsubscribes. */
  onSettingsChange(listener: (settings: Settings) => void): () => void;
  /** Current activity, for the tray and notifications. */
  activity: Activity;
  /** Keys for other services, such as model providers. */
  secrets: Secrets;
  keys: KeyRing;
  store: Store;
  /** Stops within 5 seconds. Open requests are answered; unfinished turns resume at the next start. */
  close(): Promise<void>;
}
