import type { McpFinding } from '../../shared/api/mcp.ts';

/** Why a tool server can't be used, in a word and in words a person can act on, without secrets. */
export class McpFault extends Error {
  override name = 'McpFault';
  readonly finding: Exclude<McpFinding, 'ok'>;

  constructor(finding: Exclude<McpFinding, 'ok'>, message: string, cause?: unknown) {
    super(message, { cause });
    this.finding = finding;
  }
}
