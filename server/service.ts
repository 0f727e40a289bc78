/** What the service is to those who start it. */
import type { Settings } from '../shared/api/settings.ts';
import type { Activity } from './events/activity.ts';
import type { AgentRuntime } from './agents/turn.ts';
import type { KeyRing } from './auth/key-ring.ts';
import type { ConnectionOptions } from './connections/connection-service.ts';
import type { McpOptions } from './mcp/mcp-service.ts';
import type { HostToolOptions } from './turns/host-tools.ts';
import type { SecretBox, Secrets } from './secrets/secrets.ts';
import type { SettingsService } from './store/settings-service.ts';
import type { StoreOptions } from './store/store.ts';
import type { Store } from './store/types.ts';

/** How to start the service. */
export interface StartOptions {
  /** Made when it isn't there, readable by its owner only. */
  dataDir: string;
  /** Null: 4141, or the next that is free. 0: any free one. Any other: that one or an error. Null unless given. */
  port?: number | null;
  /** Folder of the built chat page; null, the default: there is none. */
  pageDir?: string | null;
  /** Takes what a person who runs the service should know, a line at a time. Standard error unless given. */
  log?: (line: string) => void;
  /** Makes the replies, and is closed with the service; the agents of this app in a thread of their own unless given. */
  runtime?: AgentRuntime;
  /**
   * Opens what secrets are sealed with, when the first secret is asked for; null, as when this is absent: there is nothing,
   * and they stand in a file that only its owner may read.
   */
  openSecretBox?: () => Promise<SecretBox | null>;
  /** How model servers are dealt with, where that differs. */
  connections?: ConnectionOptions;
  /** How tools that reach out are dealt with, where that differs. */
  hostTools?: HostToolOptions;
  /** How tool servers are dealt with, where that differs. */
  mcp?: McpOptions;
  /** How the store works, where that differs. */
  store?: Pick<StoreOptions, 'disk' | 'limits'>;
}

/** A running service. */
export interface Service {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  /** A sentence for the person, when the service is not where the settings say; else null. */
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
  /** The workspace of a chat; null: there is no such chat, or it was deleted. */
  findWorkspaceOf(chatId: string): string | null;
  settings: SettingsService;
  /** Has the listener told the settings whenever one has changed and that is on disk, until what this returns is called. */
  onSettingsChange(listener: (settings: Settings) => void): () => void;
  /** What goes on, for a host that shows it outside of any window. */
  activity: Activity;
  /** Keys of others, such as model providers'. */
  secrets: Secrets;
  keys: KeyRing;
  store: Store;
  /** Stops within 5 seconds: requests under way are answered, turns under way go on at the next start. */
  close(): Promise<void>;
}
