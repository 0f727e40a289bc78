/**
 * A tool server (MCP) for tests, over stdio or HTTP. It has `echo`, `add`, `write_counter`, `fails`, `throws`, `hangs`,
 * `works`, `huge`, `picture`, `environment`, `grow` and some with odd names; how it misbehaves is told in switches.ts.
 *
 * Over stdio it is a process of its own: add a tool server with {@link STDIO_MCP_SERVER} and the switches as its
 * environment, e.g. `{ name: 'Lamp', transport: 'stdio', ...STDIO_MCP_SERVER, env: { MCP_TEST_COUNTER_FILE: file } }`.
 * Over HTTP it lives in the test: `await startHttpMcpServer()`, and close it.
 */
import { fileURLToPath } from 'node:url';

/** What starts the server over stdio. */
export const STDIO_MCP_SERVER = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./stdio.ts', import.meta.url))],
};

/** What starts it by way of another program, as `npx` does: that one ends when it is asked to, and tells nobody. */
export const STARTED_MCP_SERVER = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./starter.ts', import.meta.url))],
};

export { startHttpMcpServer, type HttpMcpOptions, type HttpMcpServer } from './http.ts';
