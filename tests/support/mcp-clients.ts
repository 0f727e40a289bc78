/** Clients of Parley's MCP server: the protocol's own library, unchanged but for the address and the key. */
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Service } from '../../server/service.ts';
import { CLI } from './service-process.ts';

/** How a client reaches Parley, and whether it begins as protocol versions before 2026 do. */
export const WAYS = [
  { way: 'http', era: 'legacy' },
  { way: 'http', era: 'modern' },
  { way: 'stdio', era: 'legacy' },
  { way: 'stdio', era: 'modern' },
] as const;
export type Way = (typeof WAYS)[number];

const MODES = { legacy: { mode: 'legacy' }, modern: { mode: { pin: '2026-07-28' } } } as const;

/** A transport over HTTP with that key. */
export const httpTransport = (baseUrl: string, apiKey: string, headers = {}): Transport =>
  new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}`, ...headers } },
  });

/** A transport that runs `parley mcp` for a data folder; its standard error goes to `onText`. */
export function stdioTransport(dataDir: string, onText: (text: string) => void = () => undefined): Transport {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', '--data-dir', dataDir],
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (piece: Buffer) => onText(piece.toString()));
  return transport;
}

/** A client that is connected; whoever asks for it closes it. */
export async function connectClient(transport: Transport, era: Way['era']): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: MODES[era] });
  await client.connect(transport);
  return client;
}

/** A client of the service, with the local key. */
export const clientBy = ({ way, era }: Way, service: Service): Promise<Client> =>
  connectClient(
    way === 'http' ? httpTransport(service.url, service.apiKey) : stdioTransport(service.dataDir),
    era,
  );
