/** Tool servers over HTTP and stdio that answer as a test says, down to what no library would send. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A message as it came. */
export interface SentMessage {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
}

/** How a message is answered; `say` gives the result of a request. */
export type ScriptedAnswer = (
  message: SentMessage,
  response: ServerResponse,
  say: (result: unknown) => void,
) => void;

/** A scripted server over HTTP. */
export interface ScriptedServer {
  url: string;
  /** Requests of HTTP that are open now. */
  open: () => number;
  /** Most requests of HTTP that were open at once. */
  mostOpen: () => number;
}

/** What every one of them lists. */
export const SCRIPTED_TOOL = { name: 'send', inputSchema: { type: 'object' } };

/** Starts one, for one test. What `answers` doesn't know by its method is answered as by a plain server with one tool. */
export async function startScriptedServer(
  answers: Record<string, ScriptedAnswer> = {},
): Promise<ScriptedServer> {
  let open = 0;
  let mostOpen = 0;
  const server = createServer((request, response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on('close', () => (open -= 1));
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      let body = '';
      for await (const piece of request) body += String(piece);
      const message = JSON.parse(body) as SentMessage;
      const say = (result: unknown): void => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      };
      const answer = answers[message.method ?? 'answer'];
      if (answer !== undefined) answer(message, response, say);
      else if (message.method === 'initialize') say(initialized(message));
      else if (message.method === 'tools/list') say({ tools: [SCRIPTED_TOOL] });
      else response.writeHead(202).end();
      return undefined;
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, open: () => open, mostOpen: () => mostOpen };
}

const initialized = ({ params }: SentMessage): unknown => ({
  protocolVersion: params?.['protocolVersion'],
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1' },
});

/**
 * Writes down a program that is such a server over stdio, in `dir`. `answers` is JavaScript: an object of functions
 * `(message, say, write)` by method, where `write` writes a line as it is.
 */
export async function writeScriptedProgram(
  dir: string,
  answers: string,
): Promise<{ command: string; args: string[] }> {
  const file = join(dir, 'scripted.mjs');
  await writeFile(
    file,
    `import { createInterface } from 'node:readline';
const initialized = ${initialized.toString()};
const answers = { initialize: (message, say) => say(initialized(message)), 'tools/list': (_, say) => say({ tools: [${JSON.stringify(SCRIPTED_TOOL)}] }), ...(${answers}) };
const write = (line) => process.stdout.write(line + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  answers[message.method]?.(message, (result) => write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result })), write);
});
`,
  );
  return { command: process.execPath, args: [file] };
}
