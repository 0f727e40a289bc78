import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import type { CallOutcome, CallTool } from '../../agents/call-tool.ts';
import type { TurnPorts, TurnTool } from '../../agents/turn.ts';
import { attempt } from '../../../shared/attempt.ts';
import { boundOutput } from '../../tools/bound-output.ts';
import {
  faultWords,
  ToolError,
  type ThreadContext,
  type ThreadTool,
  type ToolOutline,
} from '../../tools/tool.ts';
import type { GrowingReply } from './reply.ts';

/** A tool that the model is offered, and how to call it. */
export interface ModelTool {
  offer: LanguageModelV4FunctionTool;
  /** Why input doesn't fit, in words for the reader; null: it does. */
  check: (input: unknown) => string | null;
  /** Makes the call of a step. What it throws is in words for the reader. */
  run: (input: unknown, stepId: string) => Promise<CallOutcome> | CallOutcome;
}

/** What a turn may use in this thread: there, a call of the service that fails is an outcome, too. */
export interface ThreadPorts extends Omit<TurnPorts, 'callTool'> {
  callTool: (...call: Parameters<CallTool>) => Promise<CallOutcome>;
}

/** Creates a turn's tools, in this order; tools of this thread that the kit lacks are skipped. Internal errors go to `onFault`. */
export type ToolKit = (offered: readonly TurnTool[], context: ToolRunContext) => ModelTool[];

/** The context in which the tools of one turn run. */
export interface ToolRunContext extends ThreadContext, Pick<ThreadPorts, 'callTool'> {
  /** Shows approvals. */
  reply: Pick<GrowingReply, 'setApproval'>;
  /** Called with internal errors of tools, before they are put in words. */
  onFault: (where: string, error: unknown) => void;
}

/** A kit with these tools of the agents' thread. Input validators are created when first needed. */
export function createToolKit(tools: readonly ThreadTool[]): ToolKit {
  const kit = new Map(tools.map((tool) => [tool.name, { tool, ...offerOf(tool) }]));
  return (offered, context) =>
    offered.flatMap((offer): ModelTool[] => {
      if (offer.runs !== 'thread')
        return [
          { ...offerOf(offer), run: (input, stepId) => callService(offer.name, input, stepId, context) },
        ];
      const known = kit.get(offer.name);
      return known === undefined ? [] : [{ ...known, run: (input) => runHere(known.tool, input, context) }];
    });
}

/** What a model gets of a tool, and the check of its input. If the schema can't be compiled, whoever runs the tool checks it. */
export function offerOf({
  name,
  description,
  input: inputSchema,
}: ToolOutline): Pick<ModelTool, 'offer' | 'check'> {
  let validator: Validator | null | undefined;
  return {
    offer: { type: 'function', name, description, inputSchema },
    check: (input) => {
      if (validator === undefined) validator = compiled(inputSchema);
      if (validator === null || validator.Check(input)) return null;
      const [, mismatches] = validator.Errors(input);
      return describeMismatches(mismatches);
    },
  };
}

const compiled = (schema: TSchema): Validator | null => attempt(() => Compile(schema));

/** The first few mismatches in a tool's input, in words. */
function describeMismatches(mismatches: readonly { instancePath: string; message: string }[]): string {
  return mismatches
    .slice(0, 3)
    .map(({ instancePath, message }) =>
      instancePath === '' ? message : `${instancePath.slice(1)} ${message}`,
    )
    .join('; ');
}

async function runHere(tool: ThreadTool, input: unknown, context: ToolRunContext): Promise<CallOutcome> {
  try {
    return { output: boundOutput(await tool.run(input as Record<string, unknown>, context)) };
  } catch (error) {
    if (error instanceof ToolError || context.signal.aborted) throw error;
    context.onFault(`tool ${tool.name}`, error);
    throw new Error(faultWords(tool.name), { cause: error });
  }
}

const callService = (
  name: string,
  input: unknown,
  stepId: string,
  { callTool, reply }: ToolRunContext,
): Promise<CallOutcome> => callTool(name, input, (approval) => reply.setApproval(stepId, approval));
