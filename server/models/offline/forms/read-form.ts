/**
 * A message that names a tool and its fields, such as the window's forms write and people and programs can type. It is read
 * by its shape alone, so that it means the same in every language and whichever model a chat has.
 */
import { findOwnTool } from '../../../tools/catalog.ts';

/** A call that is asked for in so many words. */
export interface ToolForm {
  /** The name as it was written, in small letters and with underscores; empty: none was given. */
  tool: string;
  /** What follows it: the fields. */
  rest: string;
}

const NAMED = /^\s*\/tool(?:[^\S\n]+([\p{L}\p{N}_.-]+))?(?=\s|$)/iu;
/** Only with the name of a tool of Parley's own: any text may begin with a slash. */
const SHORT = /^\s*\/([a-z][a-z_-]+)(?=\s|$)/i;

/** The form that a message is: `/tool calculate …`, or `/calculate …` for short. Null: it is another message. */
export function readForm(message: string): ToolForm | null {
  const named = NAMED.exec(message);
  if (named !== null) return { tool: plainName(named[1] ?? ''), rest: message.slice(named[0].length) };
  const [head = '', name = ''] = SHORT.exec(message) ?? [];
  const tool = plainName(name);
  return findOwnTool(tool) === null ? null : { tool, rest: message.slice(head.length) };
}

/** Whether a message is a form for a tool that isn't known to run in the agents' thread, so that the service's are wanted. */
export function wantsServiceTool(message: string): boolean {
  const form = readForm(message);
  return form !== null && findOwnTool(form.tool)?.runs !== 'thread';
}

const plainName = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/** What a form gives, as it was written. */
interface FormFields {
  /** In the order in which they were given. */
  values: Map<string, FieldText>;
  /** Blocks and words that stand under no field's name. */
  loose: FieldText[];
}

/** The text of a field. */
export interface FieldText {
  text: string;
  /** It stood in a fenced block, so it is taken as it is. */
  isBlock: boolean;
}

const FIELD = /^\s*([\p{L}_][\p{L}\p{N}_ -]{0,60}?)\s*[:：](?:[^\S\n]+|$)(.*)$/u;
const FENCE = /^\s{0,3}(`{3,}|~{3,})[^`]*$/;

/**
 * Takes a form's lines apart: `name: value` each, or a fenced block after `name:`. A line that begins with no field's name goes
 * on with the field before it. `nameOf` tells which field a name means; null: none.
 */
export function splitFields(rest: string, nameOf: (written: string) => string | null): FormFields {
  const fields: FormFields = { values: new Map(), loose: [] };
  const lines = rest.replaceAll('\r\n', '\n').split('\n');
  let open: FieldText | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      const end = endOfBlock(lines, at, fence);
      const text = lines.slice(at + 1, end).join('\n');
      if (open !== null && open.text.trim() === '' && !open.isBlock) {
        open.text = text;
        open.isBlock = true;
      } else fields.loose.push({ text, isBlock: true });
      open = null;
      at = end;
      continue;
    }
    const [, written = '', value = ''] = FIELD.exec(line) ?? [];
    const name = written === '' ? null : nameOf(written);
    if (name !== null && !fields.values.has(name)) {
      open = { text: value, isBlock: false };
      fields.values.set(name, open);
    } else if (open !== null) open.text += `\n${line}`;
    else if (line.trim() !== '') {
      open = { text: line, isBlock: false };
      fields.loose.push(open);
    }
  }
  for (const each of [...fields.values.values(), ...fields.loose])
    if (!each.isBlock) each.text = each.text.trim();
  return fields;
}

/** The line that ends a block; the one after the last where none does. */
function endOfBlock(lines: readonly string[], start: number, fence: string): number {
  const isEnd = (line: string): boolean => {
    const bare = line.trim();
    return bare.length >= fence.length && bare === (fence[0] ?? '').repeat(bare.length);
  };
  const end = lines.findIndex((line, index) => index > start && isEnd(line));
  return end < 0 ? lines.length : end;
}
