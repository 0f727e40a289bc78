/** Tools that reach out, for tests: what they did can be read afterwards. */
import { OutputWithFiles, type OutsideTool, type OutsideToolSource } from '../../server/tools/host-tool.ts';
import { ToolError } from '../../server/tools/tool.ts';

/** A source of tools that note what they did. */
export interface RecordingSource extends OutsideToolSource {
  /** What `add_line` was given, in order. */
  readonly lines: string[];
  /** How often `look` looked. */
  readonly looks: number;
  /** How often `hang` was told to stop. */
  readonly stopped: number;
}

const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

/**
 * `add_line` changes something and asks; `look` does neither; `refuse` asks and throws words; `break` throws a fault; `hang`
 * asks, changes and never ends, whatever the signal says; `draw` asks, changes and gives a file; `flood` returns more than anybody wants.
 */
export function createRecordingSource(changes: Partial<OutsideTool> = {}): RecordingSource {
  const lines: string[] = [];
  let looks = 0;
  let stopped = 0;
  const tool = (name: string, rest: Pick<OutsideTool, 'asks' | 'changes' | 'run'>): OutsideTool => ({
    name,
    description: `The tool ${name}.`,
    inputSchema: schema,
    ...rest,
    ...changes,
  });
  const tools = [
    tool('add_line', {
      asks: true,
      changes: true,
      run: ({ text }) => {
        lines.push(String(text));
        return Promise.resolve({ count: lines.length });
      },
    }),
    tool('look', {
      asks: false,
      changes: false,
      run: () => {
        looks += 1;
        return Promise.resolve({ looks });
      },
    }),
    tool('refuse', {
      asks: true,
      changes: true,
      run: () => Promise.reject(new ToolError('There is no room for that.')),
    }),
    tool('break', { asks: false, changes: false, run: () => Promise.reject(new Error('secret detail')) }),
    tool('hang', {
      asks: true,
      changes: true,
      run: (_input, { signal }) => {
        signal.addEventListener('abort', () => (stopped += 1));
        return new Promise(() => undefined);
      },
    }),
    tool('draw', {
      asks: true,
      changes: true,
      run: () =>
        Promise.resolve(
          new OutputWithFiles({ drawn: 1 }, [
            { name: 'dot.png', mediaType: 'image/png', data: Buffer.from('dot') },
          ]),
        ),
    }),
    tool('flood', {
      asks: false,
      changes: false,
      run: () => Promise.resolve({ text: 'flood '.repeat(200_000) }),
    }),
  ];
  return {
    isForOffline: true,
    list: () => Promise.resolve(tools),
    lines,
    get looks() {
      return looks;
    },
    get stopped() {
      return stopped;
    },
  };
}
