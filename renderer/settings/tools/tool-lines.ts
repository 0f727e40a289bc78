import type { McpTool } from '../../../shared/api/mcp.ts';
import { words } from '../../lib/words/settings.ts';

/** A server's tools as lines to read. */
export const toolLines = (
  tools: readonly McpTool[],
): { name: string; description: string; note?: string }[] =>
  tools.map(({ tool, description, isReadOnly }) => ({
    name: tool,
    description,
    ...(isReadOnly && { note: words.settings.mcp.readOnly }),
  }));
