import { jsonSchema, type JSONSchema7, type Schema, type ToolSet } from 'ai';
import { Compile, type Validator } from 'typebox/schema';
import type { OutsideToolInfo } from '../outside/outside-tool.ts';
import { askFirst, type AskFirstDeps } from './ask-first.ts';
import { describeMismatches, ToolInputError } from './tool-kit.ts';

/** The tools that run in the main thread, as the AI SDK takes them. */
export function outsideToolSet(tools: readonly OutsideToolInfo[], deps: AskFirstDeps): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      {
        description,
        inputSchema: checkedSchema(inputSchema),
        execute: async (input: unknown, { toolCallId }: { toolCallId: string }) =>
          deps.outside.runCall(await askFirst(deps, { callId: toolCallId, tool: name, input })),
      },
    ]),
  );
}

/** A schema that input is checked by; one that can't be understood is left to whoever runs the tool. */
function checkedSchema(schema: OutsideToolInfo['inputSchema']): Schema {
  let validator: Validator | null | undefined;
  const compiled = (): Validator | null => {
    try {
      return (validator ??= Compile(schema));
    } catch {
      return (validator = null);
    }
  };
  return jsonSchema(schema as JSONSchema7, {
    validate: (value) => {
      const check = validator === null ? null : compiled();
      if (check === null || check.Check(value)) return { success: true, value };
      const [, mismatches] = check.Errors(value);
      return { success: false, error: new ToolInputError(describeMismatches(mismatches)) };
    },
  });
}
