import { InvalidToolInputError, NoSuchToolError, type FinishReason } from 'ai';
import { ToolInputError } from './tool-kit.ts';

/** Why a model's tool call was not run; `error` is the AI SDK's. */
export function describeRefusal(tool: string, error: unknown): string {
  if (NoSuchToolError.isInstance(error)) return `There is no tool called “${tool}” here.`;
  if (!InvalidToolInputError.isInstance(error)) return `The call of “${tool}” could not be read.`;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ToolInputError) return `The input for “${tool}” does not fit: ${cause.message}.`;
  }
  return `The input for “${tool}” is not valid JSON.`;
}

/** Why a tool call failed. What our tools throw is in words already. */
export function describeToolError(error: unknown): string {
  return error instanceof Error ? error.message : 'The tool failed.';
}

/** Why a reply without text is none. */
export function describeEmptyReply(model: string, reason: FinishReason | null): string {
  return reason === 'length'
    ? `The model “${model}” reached its length limit before it wrote anything.`
    : `The model “${model}” gave an empty reply. Try again.`;
}
