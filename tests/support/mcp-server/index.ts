/**
 * A tool server (MCP) for tests, over stdio or HTTP. It has `echo`, `add`, `write_counter`, `fails`, `throws`, `hangs`,
 * `works`, `huge`, `picture`, `environment`, `grow` and some with odd names; switches.ts has its ways to misbehave.
 *
 * Over stdio it is a separate process: add a tool server with {@link STDIO_MCP_SERVER} and the switches as its
 * environment, e.g. `{ name: 'Lamp', transport: 'stdio', ...STDIO_MCP_SERVER, env: { MCP_TEST_COUNTER_FILE: file } }`.
 * Over HTTP it lives in the test: `await startHttpMcpServer()`, and close it.
 */
import { fileURLToPath } from 'node:url';
import { bundled } from '../bundled.ts';

/** What starts the server over stdio. */
export const STDIO_MCP_SERVER = {
  command: process.execPath,
  args: [fileURLToPath(bundled('mcp-server'))],
};

/** Starts it through another program, as `npx` does: that one ends when asked to, without passing it on. */
export const STARTED_MCP_SERVER = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./starter.ts', import.meta.url))],
};

export { startHttpMcpServer, type HttpMcpOptions, type HttpMcpServer } from './http.ts';
