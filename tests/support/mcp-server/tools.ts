/** The tools of the tests' tool server. */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult, JSONObject, Tool } from '@modelcontextprotocol/server';
import type { McpSwitches } from './switches.ts';

/** A call, from the tool's point of view. */
export interface TestCall {
  input: Record<string, unknown>;
  signal: AbortSignal;
  /** Reports progress to the client, if it wants that. */
  progress: (progress: number) => Promise<void>;
  switches: McpSwitches;
  /** Adds a tool and tells the client that the list has changed. */
  grow: () => Promise<void>;
}

/** A tool of the test server: how it is listed, and what it does. */
export interface TestTool extends Tool {
  run: (call: TestCall) => Promise<CallToolResult>;
}

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });
const object = (properties: Record<string, JSONObject>, required: string[] = []): Tool['inputSchema'] => ({
  type: 'object',
  properties,
  required,
});
const ANY = object({});
/** A grey dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
/** Longest output that `huge` gives, in characters. */
const MAX_HUGE = 400_000_000;

/** The tools of the test server, in the order in which they are listed. */
export const TEST_TOOLS: readonly TestTool[] = [
  {
    name: 'echo',
    description: 'Says what it is told.',
    inputSchema: object({ text: { type: 'string' } }, ['text']),
    annotations: { readOnlyHint: true },
    run: async ({ input }) => text(String(input['text'])),
  },
  {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: object({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    run: async ({ input }) => {
      const sum = Number(input['a']) + Number(input['b']);
      return { ...text(String(sum)), structuredContent: { sum } };
    },
  },
  {
    name: 'write_counter',
    description: 'Appends a line to a file, then waits as long as it is told.',
    inputSchema: object({ line: { type: 'string' }, waitMs: { type: 'integer' } }),
    run: async ({ input, signal, switches }) => {
      if (switches.counterFile === null) return { ...text('There is no file.'), isError: true };
      appendFileSync(switches.counterFile, `${typeof input['line'] === 'string' ? input['line'] : 'run'}\n`);
      await sleep(Number(input['waitMs'] ?? 0), undefined, { signal });
      return text('written');
    },
  },
  {
    name: 'fails',
    description: 'Fails, in words.',
    inputSchema: ANY,
    run: async () => ({ ...text('The lamp is not plugged in.'), isError: true }),
  },
  {
    name: 'throws',
    description: 'Fails, with an error of the protocol.',
    inputSchema: ANY,
    run: async () => {
      throw new Error('The lamp fell over.');
    },
  },
  {
    name: 'hangs',
    description: 'Never answers, and notices when it is cancelled.',
    inputSchema: ANY,
    run: ({ signal, switches }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          tell(switches, 'cancelled hangs');
          reject(new Error('cancelled'));
        });
      }),
  },
  {
    name: 'works',
    description: 'Gets on, as it says so many times, and then is done.',
    inputSchema: object({ times: { type: 'integer' }, everyMs: { type: 'integer' } }),
    run: async ({ input, progress, signal }) => {
      for (let time = 1; time <= Number(input['times']); time += 1) {
        await sleep(Number(input['everyMs']), undefined, { signal });
        await progress(time);
      }
      return text('worked');
    },
  },
  {
    name: 'huge',
    description: 'Says a lot.',
    inputSchema: object({ characters: { type: 'integer' } }),
    run: async ({ input }) => text('x'.repeat(Math.min(Number(input['characters'] ?? 1_000_000), MAX_HUGE))),
  },
  {
    name: 'picture',
    description: 'Shows a picture, a sound and two resources.',
    inputSchema: ANY,
    run: async () => ({
      content: [
        { type: 'text', text: 'Here it is.' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'lamp://note', mimeType: 'text/plain', text: 'A note.' } },
        { type: 'resource', resource: { uri: 'lamp://blob', mimeType: 'application/pdf', blob: 'AAAAAAAA' } },
        { type: 'resource_link', uri: 'https://lamp.example/manual', name: 'manual' },
      ],
    }),
  },
  {
    name: 'photo',
    description: 'Shows a picture, and says the same in structured form.',
    inputSchema: ANY,
    run: async () => {
      const content = [{ type: 'image' as const, data: PNG, mimeType: 'image/png' }];
      return { content, structuredContent: { content, lens: '' } };
    },
  },
  {
    name: 'album',
    description: 'Shows so many files of so many bytes each, of a type.',
    inputSchema: object({ count: { type: 'integer' }, bytes: { type: 'integer' }, type: { type: 'string' } }),
    run: async ({ input }) => {
      const blob = Buffer.alloc(Number(input['bytes'] ?? 1), 'a').toString('base64');
      const mimeType = String(input['type']);
      return {
        content: Array.from({ length: Number(input['count'] ?? 1) }, (_, index) => ({
          type: 'resource' as const,
          resource: { uri: `lamp://album/${index}.dat?size=1#x`, mimeType, blob },
        })),
      };
    },
  },
  {
    name: 'environment',
    description: 'Names the environment variables it was given.',
    inputSchema: ANY,
    run: async () => text(JSON.stringify({ names: Object.keys(process.env).sort(), cwd: process.cwd() })),
  },
  {
    name: 'grow',
    description: 'Makes another tool appear.',
    inputSchema: ANY,
    run: async ({ grow }) => {
      await grow();
      return text('grown');
    },
  },
  { name: 'odd name/with.dots', inputSchema: ANY, run: async () => text('odd') },
  { name: 'odd_name_with_dots', inputSchema: ANY, run: async () => text('odd, too') },
  {
    name: `long_${'name_'.repeat(30)}`,
    description: 'Has a long name and a long description. '.repeat(500),
    inputSchema: ANY,
    run: async () => text('long'),
  },
  {
    name: 'heavy',
    description: 'Has a schema that is too large.',
    inputSchema: object({ choice: { enum: Array.from({ length: 10_000 }, (_, i) => `choice ${i}`) } }),
    run: async () => text('heavy'),
  },
];

/** Records an event of the server. */
export function tell(switches: McpSwitches, event: string): void {
  if (switches.eventsFile !== null) appendFileSync(switches.eventsFile, `${event}\n`);
}
