/**
 * A message that names a tool and its fields, such as the window's forms write and people and programs can type. It is read
 * by its shape alone, so that it means the same in every language and whichever model a chat has.
 */
import { findOwnTool, isAlwaysThere } from '../../../tools/catalog.ts';

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

/** Whether a message is a form for a tool that isn't there in every chat, so that the service's are wanted. */
export function wantsServiceTool(message: string): boolean {
  const form = readForm(message);
  return form !== null && !isAlwaysThere(form.tool);
}

const plainName = (name: string): string => name.toLowerCase().replaceAll('-', '_');
