/** Tools that reach out, for tests: what they did can be read afterwards. */
import { OutputWithFiles, ToolError, type Tool, type ToolSource } from '../../server/tools/tool.ts';

/** A source of tools that note what they did. */
export interface RecordingSource extends ToolSource {
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
export function createRecordingSource(changes: Partial<Tool> = {}): RecordingSource {
  const lines: string[] = [];
  let looks = 0;
  let stopped = 0;
  const tool = (name: string, rest: Pick<Tool, 'asks' | 'changes' | 'run'>): Tool => ({
    name,
    description: `The tool ${name}.`,
    input: schema,
    runs: 'service',
    ...rest,
    ...changes,
  });
  const tools = [
    tool('add_line', {
      asks: 'always',
      changes: true,
      run: ({ text }) => {
        lines.push(String(text));
        return Promise.resolve({ count: lines.length });
      },
    }),
    tool('look', {
      asks: 'never',
      changes: false,
      run: () => {
        looks += 1;
        return Promise.resolve({ looks });
      },
    }),
    tool('refuse', {
      asks: 'always',
      changes: true,
      run: () => Promise.reject(new ToolError('There is no room for that.')),
    }),
    tool('break', { asks: 'never', changes: false, run: () => Promise.reject(new Error('secret detail')) }),
    tool('hang', {
      asks: 'always',
      changes: true,
      run: (_input, { signal }) => {
        signal.addEventListener('abort', () => (stopped += 1));
        return new Promise(() => undefined);
      },
    }),
    tool('draw', {
      asks: 'always',
      changes: true,
      run: () =>
        Promise.resolve(
          new OutputWithFiles({ drawn: 1 }, [
            { name: 'dot.png', mediaType: 'image/png', data: Buffer.from('dot') },
          ]),
        ),
    }),
    tool('flood', {
      asks: 'never',
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
