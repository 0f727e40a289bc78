import { jsonSchema, type JSONValue, type Schema, type ToolResultPart, type ToolSet } from 'ai';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { boundOutput } from '../../tools/bound-output.ts';
import { faultWords, ToolError, type ThreadContext, type ThreadTool } from '../../tools/tool.ts';
import type { CallTool, Picture } from '../../agents/call-tool.ts';
import type { Reply } from './reply.ts';
import type { TurnTool } from '../../agents/turn.ts';

/**
 * Creates a turn's tools for the AI SDK, in this order; tools of this thread that the kit lacks are skipped. Errors of tools reach
 * the model and the reader in words; internal errors go to `onFault` first.
 */
export type ToolKit = (offered: readonly TurnTool[], context: ToolRunContext) => ToolSet;

/** The context in which the tools of one turn run. */
export interface ToolRunContext extends ThreadContext {
  /** Calls tools that don't run in this thread. */
  callTool: CallTool;
  /** Shows approvals and files. */
  reply: Pick<Reply, 'setApproval' | 'setFiles'>;
  /** Called with internal errors of tools, before they are put in words. */
  onFault: (where: string, error: unknown) => void;
}

/** Why the input of a tool call was rejected, in words for the reader. */
export class ToolInputError extends Error {
  override name = 'ToolInputError';
}

interface KitTool {
  tool: ThreadTool;
  inputSchema: Schema;
}

type Execute = (input: unknown, call: { toolCallId: string }) => Promise<unknown>;

/** A kit with these tools of the agents' thread. Input validators are created when first needed. */
export function createToolKit(tools: readonly ThreadTool[]): ToolKit {
  const kit = new Map(tools.map((tool) => [tool.name, { tool, inputSchema: checkedSchema(tool.input) }]));
  return (offered, context) => {
    const set: ToolSet = {};
    for (const offer of offered) {
      const known = kit.get(offer.name);
      if (offer.runs !== 'thread') set[offer.name] = serviceTool(offer, context);
      else if (known !== undefined) set[offer.name] = threadTool(known, context);
    }
    return set;
  };
}

/** A schema that checks input; if it can't be compiled, checking is left to whoever runs the tool. */
export function checkedSchema<T>(schema: TSchema): Schema<T> {
  let validator: Validator | null | undefined;
  return jsonSchema<T>(schema, {
    validate: (value) => {
      if (validator === undefined) validator = compiled(schema);
      if (validator === null || validator.Check(value)) return { success: true, value: value as T };
      const [, mismatches] = validator.Errors(value);
      return { success: false, error: new ToolInputError(describeMismatches(mismatches)) };
    },
  });
}

function compiled(schema: TSchema): Validator | null {
  try {
    return Compile(schema);
  } catch {
    return null;
  }
}

/** The first few mismatches in a tool's input, in words. */
function describeMismatches(mismatches: readonly { instancePath: string; message: string }[]): string {
  return mismatches
    .slice(0, 3)
    .map(({ instancePath, message }) =>
      instancePath === '' ? message : `${instancePath.slice(1)} ${message}`,
    )
    .join('; ');
}

function threadTool({ tool, inputSchema }: KitTool, context: ToolRunContext): ToolSet[string] {
  const { name, description } = tool;
  const execute: Execute = async (input) => {
    try {
      return boundOutput(await tool.run(input as Record<string, unknown>, context));
    } catch (error) {
      if (error instanceof ToolError || context.signal.aborted) throw error;
      context.onFault(`tool ${name}`, error);
      throw new Error(faultWords(name), { cause: error });
    }
  };
  return { description, inputSchema, execute };
}

function serviceTool(
  { name, description, input }: Exclude<TurnTool, { runs: 'thread' }>,
  { callTool, reply }: ToolRunContext,
): ToolSet[string] {
  const seen = new Map<string, readonly Picture[]>();
  const execute: Execute = async (callInput, { toolCallId }) => {
    const { output, files, pictures } = await callTool(name, callInput, (approval) =>
      reply.setApproval(toolCallId, approval),
    );
    if (files !== undefined) reply.setFiles(toolCallId, files);
    if (pictures !== undefined) seen.set(toolCallId, pictures);
    return output;
  };
  return {
    description,
    inputSchema: checkedSchema(input),
    execute,
    toModelOutput: ({ toolCallId, output }: { toolCallId: string; output: unknown }) =>
      withPictures(output as JSONValue, seen.get(toolCallId) ?? []),
  };
}

type ModelOutput = ToolResultPart['output'];
type ContentPart = Extract<ModelOutput, { type: 'content' }>['value'][number];

/** A tool's output, with the pictures that the model can see. */
function withPictures(output: JSONValue, pictures: readonly Picture[]): ModelOutput {
  if (pictures.length === 0) return { type: 'json', value: output };
  const json: Extract<ContentPart, { type: 'text' }> = { type: 'text', text: JSON.stringify(output) };
  const shown = pictures.map(({ mediaType, data }): Extract<ContentPart, { type: 'file' }> => ({
    type: 'file',
    mediaType,
    data: { type: 'data', data },
  }));
  return { type: 'content', value: [json, ...shown] };
}
