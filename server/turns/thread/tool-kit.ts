import { jsonSchema, type JSONValue, type Schema, type ToolResultPart, type ToolSet } from 'ai';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { boundOutput } from '../../tools/bound-output.ts';
import { ToolError, type Tool, type ToolContext } from '../../tools/tool.ts';
import type { CallResult, HostPort, Picture } from '../../agents/host-port.ts';
import type { Reply } from './reply.ts';
import type { TurnTool } from '../../agents/turn.ts';

/**
 * Creates a turn's tools for the AI SDK, in this order; tools of this thread that the kit lacks are skipped. Errors of tools reach
 * the model and the reader in words; internal errors go to `onFault` first.
 */
export type ToolKit = (offered: readonly TurnTool[], context: ToolRunContext) => ToolSet;

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

/** How often a call that needs a sign-in is announced, whoever answers. */
const MAX_SIGN_INS = 3;

interface KitTool {
  tool: Tool;
  inputSchema: Schema;
}

type Execute = (input: unknown, call: { toolCallId: string }) => Promise<unknown>;

/** A kit with these tools of the agents' thread. Input validators are created when first needed. */
export function createToolKit(tools: readonly Tool[]): ToolKit {
  const kit = new Map(tools.map((tool) => [tool.name, { tool, inputSchema: checkedSchema(tool.input) }]));
  return (offered, context) => {
    const set: ToolSet = {};
    for (const offer of offered) {
      const known = kit.get(offer.name);
      if (offer.runs === 'service') set[offer.name] = hostTool(offer, context);
      else if (known !== undefined) set[offer.name] = threadTool(known, offer.asks, context);
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

function threadTool({ tool, inputSchema }: KitTool, asks: boolean, context: ToolRunContext): ToolSet[string] {
  const { name, description } = tool;
  const execute: Execute = async (input, { toolCallId }) => {
    if (asks) await announce(context, toolCallId, name, input);
    try {
      return boundOutput(await tool.run(input as Record<string, unknown>, context));
    } catch (error) {
      if (error instanceof ToolError || context.signal.aborted) throw error;
      context.onFault(`tool ${name}`, error);
      throw new Error(`The tool “${name}” failed because of a bug in it.`, { cause: error });
    }
  };
  return { description, inputSchema, execute };
}

function hostTool(
  { name, description, input }: Extract<TurnTool, { runs: 'service' }>,
  { host, reply }: ToolRunContext,
): ToolSet[string] {
  const seen = new Map<string, readonly Picture[]>();
  const execute: Execute = async (callInput, { toolCallId }) => {
    let result: CallResult;
    let tries = 0;
    do {
      const id = await announce({ host, reply }, toolCallId, name, callInput);
      result = await host.runCall(id);
      tries += 1;
    } while (result.unsent !== undefined && tries < MAX_SIGN_INS);
    const { output, files, pictures, unsent } = result;
    if (unsent !== undefined) throw new ToolError(unsent);
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
