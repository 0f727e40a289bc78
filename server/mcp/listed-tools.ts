/** Bounds a server's list of tools, which may contain anything. */
import { hash } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';
import { MAX_MCP_TOOLS } from '../../shared/limits.ts';
import { storableText } from '../lib/clean-name.ts';
import { toolPrefix, type ListedTool } from '../store/mcp-repository.ts';
import type { Mask } from '../secrets/mask.ts';
import { quoted } from '../../shared/visible.ts';
import { UNREADABLE_SCHEMA } from './tidy-message.ts';

const MAX_NAME = 200;
/** How many of the tools that are left out are named. */
const MAX_NAMED = 5;
/** Longest description of one tool, and of each further one once all of them are long, in characters. */
const MAX_DESCRIPTION = 4_000;
const SHORT_DESCRIPTION = 400;
const MAX_DESCRIPTIONS = 300_000;
/** Largest schema of one tool, and of all tools of a server, in characters of JSON. */
const MAX_SCHEMA = 64 * 1024;
const MAX_SCHEMAS = 512 * 1024;
/** Replaces a schema that is too large. */
const ANY_OBJECT = { type: 'object' } as const;
const SCHEMA_LEFT_OUT = 'The description of its input is too large to be given here.';

/** What a server lists. */
export interface ToolListing {
  tools: ListedTool[];
  /** Which tools were left out, and why, in a sentence; null: none. */
  leftOut: string | null;
}

/**
 * The tools of a server, bounded, each with the name that models use. Of two with the same name, the first stays. Left out are tools that
 * can't be called as they are described, and those that can only be called as tasks, which Parley doesn't support.
 */
export function boundTools(slug: string, sent: readonly Tool[], mask: Mask): ToolListing {
  const tools = new Map<string, ListedTool>();
  const odd: string[] = [];
  let more = 0;
  let schemas = 0;
  let words = 0;
  for (const tool of sent) {
    const name = toolNameFor(slug, tool.name);
    if (tools.has(name)) continue;
    if (!isCallable(tool)) odd.push(tool.name === '' ? 'one without a name' : quoted(mask(tool.name)));
    else if (tools.size >= MAX_MCP_TOOLS) more += 1;
    else {
      const schema = storableText(JSON.stringify(tool.inputSchema));
      const fits = schema.length <= MAX_SCHEMA && schemas + schema.length <= MAX_SCHEMAS;
      if (fits) schemas += schema.length;
      const description = describe(
        tool,
        mask,
        words < MAX_DESCRIPTIONS ? MAX_DESCRIPTION : SHORT_DESCRIPTION,
      );
      words += description.length;
      tools.set(name, {
        name,
        tool: tool.name,
        description: fits ? description : `${description} ${SCHEMA_LEFT_OUT}`.trim(),
        inputSchema: fits ? (JSON.parse(schema) as Record<string, unknown>) : ANY_OBJECT,
        isReadOnly: tool.annotations?.readOnlyHint === true,
      });
    }
  }
  return { tools: [...tools.values()], leftOut: describeLeftOut(odd, more) };
}

const isCallable = ({ name, execution, inputSchema }: Tool): boolean =>
  name !== '' &&
  name.length <= MAX_NAME &&
  execution?.taskSupport !== 'required' &&
  !(UNREADABLE_SCHEMA in inputSchema);

function describeLeftOut(odd: readonly string[], more: number): string | null {
  const named = odd.slice(0, MAX_NAMED);
  if (odd.length > named.length) named.push(`${odd.length - named.length} more`);
  const sentences = [
    ...(odd.length > 0
      ? [`Left out, since Parley can’t call them as they are described: ${named.join(', ')}.`]
      : []),
    ...(more > 0 ? [`Left out: ${more} more, since Parley takes ${MAX_MCP_TOOLS} at most.`] : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

function describe({ title, description, annotations }: Tool, mask: Mask, most: number): string {
  const text = storableText(mask(description ?? title ?? annotations?.title ?? '')).trim();
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

/** Longest name of a tool, in characters. */
const MAX_TOOL_NAME = 64;
const HASH_CHARACTERS = 6;

/**
 * The name that models use for a server's tool. A name that had to be changed gets a short hash of the original, so
 * that names are unique and never depend on other tools: what a person allowed stays with the tool they meant.
 */
export function toolNameFor(slug: string, tool: string): string {
  const prefix = toolPrefix(slug);
  const clean = tool.replace(/[^A-Za-z0-9_-]+/g, '_');
  const plain = `${prefix}${clean}`;
  if (clean === tool && plain.length <= MAX_TOOL_NAME) return plain;
  const sign = hash('sha256', tool, 'hex').slice(0, HASH_CHARACTERS);
  return `${plain.slice(0, MAX_TOOL_NAME - 1 - HASH_CHARACTERS)}_${sign}`;
}
