import { expect } from 'vitest';
import { ToolError, type Tool, type ToolSource } from '../../server/tools/tool.ts';
import { toolContext } from './tool-context.ts';

/** A tool of the service that never asks, for turns that never get to run it. */
export const hostedTool = (name: string, properties: object): Tool => ({
  name,
  description: 'Does something.',
  input: { type: 'object', properties },
  runs: 'service',
  asks: 'never',
  changes: false,
  run: () => Promise.reject(new Error('It is not run.')),
});

/** Calls tools of a source by name, as an agent that may use all of them. */
export function callToolsOf(source: ToolSource): {
  tool(name: string): Promise<Tool>;
  run<T = Record<string, unknown>>(name: string, input: object, signal?: AbortSignal): Promise<T>;
  /** The words with which a call is refused; fails the test when it isn't refused, or without words. */
  refusal(name: string, input: object): Promise<string>;
} {
  const tool = async (name: string): Promise<Tool> => {
    const tools = await source.list(['orchestrator']);
    const found = tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no tool ${name}.`);
    return found;
  };
  const run = async <T>(
    name: string,
    input: object,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<T> => {
    const output = await (await tool(name)).run({ ...input }, toolContext({ signal }));
    expect(JSON.parse(JSON.stringify(output))).toEqual(output);
    return output as T;
  };
  return {
    tool,
    run,
    async refusal(name, input) {
      const error: unknown = await run(name, input).then(
        (output) => new Error(`It was not refused: ${JSON.stringify(output)}`),
        (problem: unknown) => problem,
      );
      if (!(error instanceof ToolError)) throw error;
      return error.message;
    },
  };
}
