import { jsonSchema, type JSONValue, type Schema, type ToolResultPart, type ToolSet } from 'ai';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { boundOutput } from '../../tools/bound-output.ts';
import { ToolError, type Tool, type ToolContext } from '../../tools/tool.ts';
import type { HostPort, Picture } from '../../agents/host-port.ts';
import type { Reply } from './reply.ts';
import type { TurnTool } from '../../agents/turn.ts';

/** Makes the tools for turns, wherever they run. Input validators are created once, when first needed. */
export interface ToolKit {
  /**
   * The tools for the AI SDK, in this order; tools of this thread that the kit lacks are skipped. Errors of tools reach
   * the model and the reader in words; internal errors go to `onFault` first.
   */
  toolSet(offered: readonly TurnTool[], context: ToolRunContext): ToolSet;
}

/** The context in which the tools of one turn run. */
export interface ToolRunContext extends ToolContext {
  /** Asks for approvals, and runs tools that don't run in this thread. */
  host: HostPort;
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
  tool: Tool;
  inputSchema: Schema;
}

type Execute = (input: unknown, call: { toolCallId: string }) => Promise<unknown>;

/** A kit with these tools of the agents' thread. */
export function createToolKit(tools: readonly Tool[]): ToolKit {
  const kit = new Map(tools.map((tool) => [tool.name, prepare(tool)]));

  function toolOf(offer: TurnTool, context: ToolRunContext): ToolSet[string] | null {
    if (offer.runs === 'service') return hostTool(offer, context);
    const known = kit.get(offer.name);
    if (known === undefined) return null;
    const execute: Execute = async (input, { toolCallId }) => {
      if (offer.asks) await announce(context, toolCallId, offer.name, input);
      return runHere(known, input as Record<string, unknown>, context);
    };
    return { description: known.tool.description, inputSchema: known.inputSchema, execute };
  }

  return {
    toolSet(offered, context) {
      const set: ToolSet = {};
      for (const offer of offered) {
        const tool = toolOf(offer, context);
        if (tool !== null) set[offer.name] = tool;
      }
      return set;
    },
  };
}

const prepare = (tool: Tool): KitTool => ({ tool, inputSchema: checkedSchema(tool.input) });

/** Null if the schema can't be compiled. */
function lazyValidator(schema: TSchema): () => Validator | null {
  let validator: Validator | null | undefined;
  return () => {
    try {
      return validator === undefined ? (validator = Compile(schema)) : validator;
    } catch {
      return (validator = null);
    }
  };
}

/** A schema that checks input; if it can't be compiled, checking is left to whoever runs the tool. */
export function checkedSchema<T>(schema: TSchema): Schema<T> {
  const validator = lazyValidator(schema);
  return jsonSchema<T>(schema, {
    validate: (value) => {
      const check = validator();
      if (check === null || check.Check(value)) return { success: true, value: value as T };
      const [, mismatches] = check.Errors(value);
      return { success: false, error: new ToolInputError(describeMismatches(mismatches)) };
    },
  });
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

/**
 * Announces a call and waits for approval if it needs one; resolves with the call's id at the host. Rejects in words if
 * the call must not be made.
 */
async function announce(
  { host, reply }: Pick<ToolRunContext, 'host' | 'reply'>,
  callId: string,
  tool: string,
  input: unknown,
): Promise<string> {
  const { id, approval } = await host.announceCall(tool, input);
  if (approval === null) return id;
  reply.setApproval(callId, approval);
  try {
    await host.awaitApproval(id);
  } finally {
    reply.setApproval(callId, null);
  }
  return id;
}

async function runHere(
  { tool }: KitTool,
  input: Record<string, unknown>,
  context: ToolRunContext,
): Promise<unknown> {
  try {
    return boundOutput(await tool.run(input, context));
  } catch (error) {
    if (error instanceof ToolError || context.signal.aborted) throw error;
    context.onFault(`tool ${tool.name}`, error);
  }
  throw new Error(`The tool “${tool.name}” failed because of a bug in it.`);
}

function hostTool(
  { name, description, input }: Extract<TurnTool, { runs: 'service' }>,
  { host, reply }: ToolRunContext,
): ToolSet[string] {
  const seen = new Map<string, readonly Picture[]>();
  const execute: Execute = async (given, { toolCallId }) => {
    const id = await announce({ host, reply }, toolCallId, name, given);
    const { output, files, pictures } = await host.runCall(id);
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
  const said: Extract<ContentPart, { type: 'text' }> = { type: 'text', text: JSON.stringify(output) };
  const shown = pictures.map(({ mediaType, data }): Extract<ContentPart, { type: 'file' }> => ({
    type: 'file',
    mediaType,
    data: { type: 'data', data },
  }));
  return { type: 'content', value: [said, ...shown] };
}
