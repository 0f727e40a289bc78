/** Starts the tool server over stdio as `npx` does: with its own streams, and without a word to it when it is asked to end. */
import { spawn } from 'node:child_process';
import { readSwitches } from './switches.ts';
import { STDIO_MCP_SERVER } from './index.ts';
import { tell } from './tools.ts';

tell(readSwitches(process.env, process.argv), `started ${process.pid}`);
spawn(STDIO_MCP_SERVER.command, STDIO_MCP_SERVER.args, { stdio: 'inherit' }).on('exit', (code) =>
  process.exit(code ?? 1),
);
