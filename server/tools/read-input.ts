/** Reading what a model gave a tool: its schema was checked before only where that could be done. Each throws ToolError in words. */
import { ToolError } from './tool.ts';

type Input = Readonly<Record<string, unknown>>;

/** A text that has to be there, and may be empty only where that is said. */
export function readText(input: Input, field: string, { mayBeEmpty = false } = {}): string {
  const value = input[field];
  if (typeof value !== 'string' || (value === '' && !mayBeEmpty)) {
    throw new ToolError(`“${field}” is missing; it has to be a text.`);
  }
  return value;
}

/** A text, or null where it is absent or empty. */
export function readOptionalText(input: Input, field: string): string | null {
  const value = input[field] ?? null;
  if (value !== null && typeof value !== 'string') throw new ToolError(`“${field}” has to be a text.`);
  return value === '' ? null : value;
}

/** A whole number from `least` to `most`, or `otherwise` where it is absent. */
export function readWhole(
  input: Input,
  field: string,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  const value = input[field] ?? otherwise;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new ToolError(`“${field}” has to be a whole number from ${least} to ${most}.`);
  }
  return value;
}

/** True or false; false where it is absent. */
export function readFlag(input: Input, field: string): boolean {
  const value = input[field] ?? false;
  if (typeof value !== 'boolean') throw new ToolError(`“${field}” has to be true or false.`);
  return value;
}
