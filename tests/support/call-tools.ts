import { expect } from 'vitest';
import type { OutsideTool, OutsideToolSource } from '../../server/tools/host-tool.ts';
import { ToolError } from '../../server/tools/tool.ts';

/** Calls tools of a source by name, as an agent that may use all of them. */
export function createOutsideCaller(source: OutsideToolSource): {
  tool(name: string): Promise<OutsideTool>;
  run<T = Record<string, unknown>>(name: string, input: object, signal?: AbortSignal): Promise<T>;
  /** The words that a call is refused with; fails the test when it isn't, or is without words. */
  refusal(name: string, input: object): Promise<string>;
} {
  const tool = async (name: string): Promise<OutsideTool> => {
    const tools = await source.list({ agentTypes: ['orchestrator'] });
    const found = tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no tool ${name}.`);
    return found;
  };
  const run = async <T>(
    name: string,
    input: object,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<T> => {
    const output = await (await tool(name)).run({ ...input }, { signal });
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
