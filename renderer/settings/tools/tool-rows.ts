import type { McpTool } from '../../../shared/api/mcp.ts';
import { words } from '../../lib/words/settings.ts';

/** A server's tools as rows to read. */
export const toolRows = (tools: readonly McpTool[]): { name: string; description: string; note?: string }[] =>
  tools.map(({ tool, description, isReadOnly }) => ({
    name: tool,
    description,
    ...(isReadOnly && { note: words.settings.mcp.readOnly }),
  }));
