/** The MCP program for a data folder, as `parley mcp` runs it: `node mcp-program.ts DIR`. */
import { runMcp } from '../../server/cli/mcp.ts';

await runMcp({ dataDir: process.argv[2] ?? '', log: (line) => console.error(line) });
