import { jsonSchema, type JSONSchema7, type Schema, type ToolSet } from 'ai';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { ToolError, type Tool, type ToolContext } from '../../tools/tool.ts';
import type { AskedCall } from './ask-first.ts';
import { boundOutput } from '../../tools/bound-output.ts';

/** The tools there are, each checked by validators that are compiled once, when first needed. */
export interface ToolKit {
  /**
   * The named tools (or all) as the AI SDK takes them, working in `context`. What a tool throws reaches the model and
   * the reader in words; faults of ours are told to `onFault` first.
   */
  toolSet(names: 'all' | readonly string[], context: ToolRunContext): ToolSet;
}

/** What the tools of one turn run with. */
export interface ToolRunContext extends ToolContext {
  /** Told of what went wrong inside a tool, before it is put in words. */
  onFault: (where: string, error: unknown) => void;
  /** Names of tools that ask first. */
  asking: readonly string[];
  /** Names of tools that aren't to be had. */
  withheld: readonly string[];
  /** Has a call approved that asks first; rejects in words where it is not to be made. */
  approve: (call: AskedCall) => Promise<unknown>;
}

/** Why the input of a tool call was not taken, in words for the reader. */
export class ToolInputError extends Error {
  override name = 'ToolInputError';
}

interface KitTool {
  tool: Tool;
  inputSchema: Schema;
  isOutput: (value: unknown) => boolean;
}

/** A kit of these tools. */
export function createToolKit(tools: readonly Tool[]): ToolKit {
  const kit = new Map(tools.map((tool) => [tool.name, prepare(tool)]));
  const all = [...kit.keys()];
  return {
    toolSet(names, context) {
      const set: ToolSet = {};
      for (const name of names === 'all' ? all : names) {
        const entry = kit.get(name);
        if (entry === undefined || context.withheld.includes(name)) continue;
        set[name] = {
          description: entry.tool.description,
          inputSchema: entry.inputSchema,
          execute: async (input: unknown, { toolCallId }: { toolCallId: string }) => {
            if (context.asking.includes(name))
              await context.approve({ callId: toolCallId, tool: name, input });
            return execute(entry, input as Record<string, unknown>, context);
          },
        };
      }
      return set;
    },
  };
}

function prepare(tool: Tool): KitTool {
  const input = lazyValidator(tool.input);
  const output = lazyValidator(tool.output);
  return {
    tool,
    // A TypeBox schema is a JSON schema; the two libraries' types for that differ.
    inputSchema: jsonSchema(tool.input as JSONSchema7, {
      validate: (value) =>
        input().Check(value)
          ? { success: true, value }
          : { success: false, error: new ToolInputError(describeMismatches(input().Errors(value))) },
    }),
    isOutput: (value) => output().Check(value),
  };
}

function lazyValidator(schema: TSchema): () => Validator {
  let validator: Validator | null = null;
  return () => (validator ??= Compile(schema));
}

/** What does not fit in a tool's input, in words; the first few. */
export function describeMismatches(mismatches: readonly { instancePath: string; message: string }[]): string {
  return mismatches
    .slice(0, 3)
    .map(({ instancePath, message }) =>
      instancePath === '' ? message : `${instancePath.slice(1)} ${message}`,
    )
    .join('; ');
}

async function execute(
  { tool, isOutput }: KitTool,
  input: Record<string, unknown>,
  context: ToolRunContext,
): Promise<unknown> {
  try {
    const output: unknown = await tool.run(input, context);
    if (isOutput(output)) return boundOutput(output);
    context.onFault(`tool ${tool.name}`, new Error('The output does not fit the output schema.'));
  } catch (error) {
    if (error instanceof ToolError || context.signal.aborted) throw error;
    context.onFault(`tool ${tool.name}`, error);
  }
  throw new Error(`The tool “${tool.name}” did not work: there is a fault in it.`);
}
