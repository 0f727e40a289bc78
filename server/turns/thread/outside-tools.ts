import {
  jsonSchema,
  type JSONSchema7,
  type JSONValue,
  type Schema,
  type ToolResultPart,
  type ToolSet,
} from 'ai';
import { Compile, type Validator } from 'typebox/schema';
import type { Picture } from '../host-port.ts';
import type { OutsideToolInfo } from '../../tools/host-tool.ts';
import { askFirst, type AskFirstDeps } from './ask-first.ts';
import { describeMismatches, ToolInputError } from './tool-kit.ts';

/** The tools that run in the main thread, as the AI SDK takes them. */
export function outsideToolSet(tools: readonly OutsideToolInfo[], deps: AskFirstDeps): ToolSet {
  const seen = new Map<string, readonly Picture[]>();
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      {
        description,
        inputSchema: checkedSchema(inputSchema),
        execute: async (input: unknown, { toolCallId }: { toolCallId: string }) => {
          const id = await askFirst(deps, { callId: toolCallId, tool: name, input });
          const { output, files, pictures } = await deps.outside.runCall(id);
          if (files !== undefined) deps.reply.setFiles(toolCallId, files);
          if (pictures !== undefined) seen.set(toolCallId, pictures);
          return output;
        },
        toModelOutput: ({ toolCallId, output }: { toolCallId: string; output: unknown }) =>
          withPictures(output as JSONValue, seen.get(toolCallId) ?? []),
      },
    ]),
  );
}

type ModelOutput = ToolResultPart['output'];
type ContentPart = Extract<ModelOutput, { type: 'content' }>['value'][number];

/** What a tool gave, with the pictures that the model can look at. */
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
