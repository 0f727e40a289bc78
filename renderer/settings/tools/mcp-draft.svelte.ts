import type {
  CreateMcpServerBody,
  McpServer,
  McpTest,
  McpTransport,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../../shared/api/mcp.ts';
import { DEFAULT_AGENT_TYPE, MAX_NAME_CHARACTERS } from '../../../shared/limits.ts';
import { completeAddress } from '../../lib/complete-address.ts';
import { joinCommandLine, splitCommandLine } from './command-line.ts';
import type { SnippetServer } from './mcp-command.ts';
import { HEADER_NAME, SecretRows, type SecretRowFault } from '../servers/secret-rows.svelte.ts';
import { TestedDraft } from '../servers/tested-draft.svelte.ts';

/** Why it can't be tested or saved yet. */
export type McpFaultWord = 'no_command' | 'quote' | 'no_url' | 'url' | SecretRowFault | 'secrets_elsewhere';

const ADDRESS = /^https?:\/\/[^\s#@]+$/i;
const NAMES: Readonly<Record<McpTransport, RegExp>> = {
  stdio: /^[A-Za-z_][A-Za-z0-9_.()-]*$/,
  http: HEADER_NAME,
};

/** A tool server being edited: a new one, or changes to an existing one. */
export class McpDraft extends TestedDraft<McpTest> {
  /** Null: it is a new one. */
  readonly existing: McpServer | null;
  transport = $state<McpTransport>('stdio');
  name = $state('');
  commandLine = $state('');
  url = $state('');
  /** Environment variables or headers. */
  readonly secrets: SecretRows;
  agents = $state.raw<McpServer['agents']>([DEFAULT_AGENT_TYPE]);

  constructor(existing: McpServer | null) {
    super();
    this.existing = existing;
    this.secrets = new SecretRows(existing?.secretNames);
    if (existing === null) return;
    const { command, args } = existing;
    this.transport = existing.transport;
    this.name = existing.name;
    this.commandLine = command === null ? '' : joinCommandLine({ command, args });
    this.url = existing.url ?? '';
    this.agents = existing.agents;
  }

  /** Fills in what a snippet describes. */
  fill(server: SnippetServer): void {
    this.transport = server.transport;
    if (server.name !== '') this.name = server.name;
    this.commandLine = server.transport === 'stdio' ? joinCommandLine(server) : '';
    this.url = server.url;
    this.secrets.fill(server.secrets);
  }

  /** Null: it can be tested, and saved once it has a name. */
  get fault(): McpFaultWord | null {
    return this.#addressFault ?? this.#rowFault;
  }

  get #url(): string {
    return completeAddress(this.url);
  }

  get #addressFault(): McpFaultWord | null {
    if (this.transport === 'stdio') {
      if (this.commandLine.trim() === '') return 'no_command';
      return splitCommandLine(this.commandLine) === null ? 'quote' : null;
    }
    const url = this.#url;
    if (url === '') return 'no_url';
    return ADDRESS.test(url) && URL.parse(url) !== null ? null : 'url';
  }

  get #rowFault(): McpFaultWord | null {
    const fault = this.secrets.fault(NAMES[this.transport], this.transport === 'http');
    if (fault !== null) return fault;
    return this.#movesAway && this.secrets.keepsAny ? 'secrets_elsewhere' : null;
  }

  /** The stored secrets were entered for another server. */
  get #movesAway(): boolean {
    const before = this.existing?.url;
    if (before === undefined || before === null) return false;
    return URL.parse(this.#url)?.origin !== URL.parse(before)?.origin;
  }

  /** The program and its arguments; null: the line can't be split. */
  get #command(): { command: string; args: string[] } | null {
    return splitCommandLine(this.commandLine);
  }

  /** The program and each argument, as they would be started. */
  get parts(): string[] {
    const line = this.transport === 'stdio' ? this.#command : null;
    return line === null ? [] : [line.command, ...line.args];
  }

  /** The host that calls would go to; null: none, or not known yet. */
  get host(): string | null {
    return this.transport === 'http' && this.#addressFault === null
      ? (URL.parse(this.#url)?.host ?? null)
      : null;
  }

  /** The name if none is entered. */
  get usualName(): string {
    if (this.existing !== null) return this.existing.name;
    if (this.transport === 'http') return this.host ?? '';
    const line = this.#command;
    return line === null ? '' : nameOf(line.command, line.args);
  }

  /** Closing would lose changes. */
  get isTouched(): boolean {
    if (this.existing !== null) return Object.keys(this.changes).length > 0;
    return `${this.name}${this.commandLine}${this.url}`.trim() !== '' || !this.secrets.isEmpty;
  }

  /** Body of the request that adds it. */
  get creation(): CreateMcpServerBody {
    const name = this.name.trim();
    return {
      name: (name === '' ? this.usualName : name).slice(0, MAX_NAME_CHARACTERS),
      ...this.trial,
      agents: this.agents,
    };
  }

  /** Body of the request that tests a new one. */
  get trial(): TestMcpServerBody {
    const { values } = this.secrets;
    if (this.transport === 'http') return { transport: 'http', url: this.#url, headers: values };
    return { transport: 'stdio', ...(this.#command ?? { command: '', args: [] }), env: values };
  }

  /** Body of the request that changes it: only what differs. */
  get changes(): UpdateMcpServerBody {
    const name = this.name.trim();
    const isSame = JSON.stringify(this.agents) === JSON.stringify(this.existing?.agents);
    return {
      ...(name !== '' && name !== this.existing?.name && { name }),
      ...(!isSame && { agents: this.agents }),
      ...this.reaching,
    };
  }

  /** The changes that affect how it is reached, which is what a test checks. */
  get reaching(): UpdateMcpServerBody {
    const { existing } = this;
    const values = this.secrets.changes(this.transport === 'http');
    if (this.transport === 'http') {
      const url = this.#url;
      return { ...(url !== existing?.url && { url }), ...(values !== null && { headers: values }) };
    }
    const line = this.#command ?? { command: '', args: [] };
    const isSame =
      line.command === existing?.command && JSON.stringify(line.args) === JSON.stringify(existing.args);
    return { ...(!isSame && line), ...(values !== null && { env: values }) };
  }

  protected override get signature(): string {
    return JSON.stringify([this.transport, this.commandLine, this.url, this.secrets.signature]);
  }
}

/** Runners such as npx say little: the server is named after what they run. */
const RUNNERS = /^(?:npx|bunx|uvx|pipx|node|python3?|deno|bun|docker|uv)$/;

function nameOf(command: string, args: readonly string[]): string {
  const program = lastPart(command).replace(/\.(?:exe|cmd|bat)$/i, '');
  if (!RUNNERS.test(program)) return program;
  const packageName = args.find((arg) => !arg.startsWith('-') && !/^(?:run|tool|x|exec)$/.test(arg));
  return packageName === undefined ? program : lastPart(packageName).replace(/@[\d.]+$|@latest$/, '');
}

const lastPart = (path: string): string => path.split(/[/\\]/).at(-1) ?? path;
