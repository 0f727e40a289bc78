/** Bounds a server's list of tools, which may contain anything. */
import { hash } from 'node:crypto';
import { MAX_MCP_TOOLS } from '../../shared/limits.ts';
import { storableText } from '../lib/clean-name.ts';
import { toolPrefix, type ListedTool } from '../store/mcp-repository.ts';
import type { Mask } from '../secrets/mask.ts';

/** A tool as a server sends it. */
export interface SentTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: unknown;
  /** Only in protocol versions with tasks. */
  execution?: { taskSupport?: string | undefined } | undefined;
  annotations?: { readOnlyHint?: boolean | undefined; title?: string | undefined } | undefined;
}

const MAX_NAME = 200;
const MAX_DESCRIPTION = 4_000;
/** Largest schema of one tool, and of all tools of a server, in characters of JSON. */
const MAX_SCHEMA = 64 * 1024;
const MAX_SCHEMAS = 512 * 1024;
/** Replaces a schema that is too large. */
const ANY_OBJECT = { type: 'object' } as const;
const SCHEMA_LEFT_OUT = 'The description of its input is too large to be given here.';

/**
 * The tools of a server, bounded, each with the name that models use. Of two with the same name, the first stays. Tools
 * that can only be called as tasks, which Parley doesn't support, are left out.
 */
export function boundTools(slug: string, sent: readonly SentTool[], mask: Mask): ListedTool[] {
  const tools = new Map<string, ListedTool>();
  let schemas = 0;
  for (const tool of sent) {
    if (tools.size >= MAX_MCP_TOOLS) break;
    if (tool.name === '' || tool.name.length > MAX_NAME) continue;
    if (tool.execution?.taskSupport === 'required') continue;
    const name = toolNameFor(slug, tool.name);
    if (tools.has(name)) continue;
    const schema = storableText(JSON.stringify(tool.inputSchema));
    const fits = schema.length <= MAX_SCHEMA && schemas + schema.length <= MAX_SCHEMAS;
    if (fits) schemas += schema.length;
    const description = describe(tool, mask);
    tools.set(name, {
      name,
      tool: tool.name,
      description: fits ? description : `${description} ${SCHEMA_LEFT_OUT}`.trim(),
      inputSchema: fits ? (JSON.parse(schema) as Record<string, unknown>) : ANY_OBJECT,
      isReadOnly: tool.annotations?.readOnlyHint === true,
    });
  }
  return [...tools.values()];
}

function describe({ title, description, annotations }: SentTool, mask: Mask): string {
  const said = storableText(mask(description ?? title ?? annotations?.title ?? '')).trim();
  return said.length <= MAX_DESCRIPTION ? said : `${said.slice(0, MAX_DESCRIPTION).toWellFormed()}…`;
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
