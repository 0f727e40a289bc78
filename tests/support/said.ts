/**
 * What people say to the offline assistant, as tables of text. A line is a message, ` => `, the tools that it needs in brackets,
 * and the answer: parts joined by ` && `, `/…/` for a pattern. A line that starts with `>> ` continues the conversation of the
 * line before; `[chat] ` sends in mode chat. `# ` starts a section, `@NAME text` makes `{NAME}` mean a text, and `{200×text}`
 * is that text that many times.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { ToolContext } from '../../server/tools/tool.ts';
import { startConversation } from './converse.ts';

/** One thing said, and what is expected. */
export interface Said {
  message: string;
  tools: string[];
  reported: string[];
}

const LINE = /^(?<again>>> )?(?<message>.*?) => \[(?<tools>.*?)\] ?(?<reported>.*)$/;

/** The conversations of a table, by section. */
export function readSaid(url: URL): Map<string, Said[][]> {
  const texts = new Map<string, string>();
  const sections = new Map<string, Said[][]>();
  let section: Said[][] = [];
  for (const line of readFileSync(url, 'utf8').split('\n')) {
    const [, name, text] = /^@(\w+) (.*)$/.exec(line) ?? [];
    if (name !== undefined && text !== undefined) texts.set(name, text);
    if (line.startsWith('# ')) sections.set(line.slice(2), (section = []));
    const groups = LINE.exec(line)?.groups;
    if (groups === undefined) continue;
    const { again, message = '', tools = '', reported = '' } = groups as Record<string, string | undefined>;
    const said = {
      message: message
        .replace(/\{(\d+)×(.*?)\}/g, (_, times: string, one: string) => one.repeat(Number(times)))
        .replace(/\{([A-Z]+)\}/g, (whole, each: string) => texts.get(each) ?? whole)
        .replaceAll('\\n', '\n'),
      tools: tools === '' ? [] : tools.split(', '),
      reported: reported === '' ? [] : reported.split(' && '),
    };
    if (again === undefined) section.push([said]);
    else section.at(-1)?.push(said);
  }
  return sections;
}

/** Leads a conversation and holds each reply to what is expected. */
export async function expectSaid(said: readonly Said[], parts: Partial<ToolContext> = {}): Promise<void> {
  const conversation = startConversation(parts);
  for (const { message, tools, reported } of said) {
    const mode = message.startsWith('[chat] ') ? 'chat' : 'agent';
    const reply = await conversation.say(message.replace('[chat] ', ''), mode);
    expect(reply.tools, message).toEqual(tools);
    for (const words of reported) {
      const [, pattern, flags] = /^\/(.+)\/(\w*)$/.exec(words) ?? [];
      if (pattern === undefined) expect(reply.text, message).toContain(words.replaceAll('\\n', '\n'));
      else expect(reply.text, message).toMatch(new RegExp(pattern, flags));
    }
  }
}
