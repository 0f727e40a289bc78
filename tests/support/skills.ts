import { Value } from 'typebox/value';
import type { Exchange, Wish, Request, Skill } from '../../server/models/offline/skill.ts';
import { datesSkill } from '../../server/models/offline/skills/dates/index.ts';
import { mathsSkill } from '../../server/models/offline/skills/maths/index.ts';
import { unitsSkill } from '../../server/models/offline/skills/units.ts';
import { DATE_TOOLS, MATHS_TOOLS } from '../../server/tools/index.ts';
import type { Tool, ToolContext, WorkspacePort } from '../../server/tools/tool.ts';

/** Friday, 20 November 2026, 11:00 in Paris. */
export const NOW = new Date('2026-11-20T10:00:00Z');
export const TIME_ZONE = 'Europe/Paris';

/** The sum, unit and date skills, in the order in which they are asked. */
export const FIGURE_SKILLS: readonly Skill[] = [datesSkill, unitsSkill, mathsSkill];

const TOOLS = new Map<string, Tool>([...MATHS_TOOLS, ...DATE_TOOLS].map((tool) => [tool.name, tool]));

const noWorkspace = new Proxy({} as WorkspacePort, {
  get: () => () => Promise.reject(new Error('these tools have no business in the workspace')),
});

export function toolContext(timeZone = TIME_ZONE): ToolContext {
  return { workspace: noWorkspace, now: NOW, timeZone, signal: new AbortController().signal };
}

export function requestOf(text: string, history: Exchange[] = []): Request {
  return { text, material: null, message: text, history, now: NOW, timeZone: TIME_ZONE };
}

/** The result of the first skill that understands a text. */
export function recognise(text: string, history: Exchange[] = []): { skill: Skill; wish: Wish } | null {
  for (const skill of FIGURE_SKILLS) {
    const wish = skill.reads(requestOf(text, history));
    if (wish) return { skill, wish };
  }
  return null;
}

/** Runs a tool as the agent would: its input must fit its schema. */
export async function runTool(
  name: string,
  input: Record<string, unknown>,
  timeZone = TIME_ZONE,
): Promise<unknown> {
  const tool = TOOLS.get(name);
  if (!tool) throw new Error(`no tool ${name}`);
  if (!Value.Check(tool.input, input)) throw new Error(`${name} does not take ${JSON.stringify(input)}`);
  return tool.run(input, toolContext(timeZone));
}

/** A conversation with the three skills: each phrase sees the ones before it. A refusal is returned unchanged. */
export async function converse(...phrases: string[]): Promise<string[]> {
  const history: Exchange[] = [];
  const answers: string[] = [];
  for (const phrase of phrases) {
    const found = recognise(phrase, history);
    if (!found) {
      answers.push('(not recognised)');
      history.push({ question: phrase, answer: '(not recognised)', steps: [] });
      continue;
    }
    const { tool, input } = found.wish;
    try {
      const output = await runTool(tool, input);
      const answer = found.skill.tells(tool, input, output, requestOf(phrase, history));
      answers.push(answer);
      history.push({ question: phrase, answer, steps: [{ id: '1', tool, status: 'done', input, output }] });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      answers.push(`(refused) ${message}`);
      history.push({
        question: phrase,
        answer: message,
        steps: [{ id: '1', tool, status: 'failed', input, error: message }],
      });
    }
  }
  return answers;
}
