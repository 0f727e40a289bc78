import type { Static, TObject } from 'typebox';
import type { OwnTool } from '../../server/tools/tool.ts';
import { toolContext } from './tool-context.ts';

/** Runs a tool that answers at once. */
export function run<Input extends TObject, Output>(
  tool: OwnTool<Input, Output>,
  input: Static<Input>,
): Output {
  const output = tool.run(input, toolContext());
  if (output instanceof Promise) throw new Error(`${tool.name} answers later.`);
  return output;
}
