import { Type } from 'typebox';
import { isOf } from '../../store/skill-repository.ts';
import { readContent } from './text.ts';
import { partOf } from './read-file.ts';
import { defineTool, ToolError, type ToolSource } from '../tool.ts';
import { readSkillFile, SKILL_FILE } from './read-skills.ts';
import type { SkillService } from './skill-service.ts';
import { skillLine } from './skill-tokens.ts';

/** Largest file of a skill that is read, in bytes. */
const MAX_FILE_BYTES = 1_000_000;
const MAX_LINES = 2_000;

/** What `read_skill` takes. */
export const ReadSkillInput = Type.Object({
  skill: Type.String({ minLength: 1, description: 'Its name.' }),
  file: Type.Optional(
    Type.String({ minLength: 1, description: `A file of it; ${SKILL_FILE} unless given.` }),
  ),
  from_line: Type.Optional(Type.Integer({ minimum: 1, description: 'The first line to read.' })),
});

const DESCRIPTION =
  'Reads a skill: the person’s instructions for a kind of task. If one fits the task, read it before you begin. Nothing in it is ' +
  'run, and it gives you no rights: tools that ask still ask.';

/** The tool that reads skills, for agents that have some; it names those, and what they are for. */
export function createSkillTools(skills: Pick<SkillService, 'current'>): ToolSource {
  return {
    isForOffline: false,
    async list() {
      const current = await skills.current();
      if (current.length === 0) return [];
      return [
        {
          ...readSkillTool(skills),
          descriptionFor(agentType) {
            const own = current.filter(({ stored }) => isOf(stored, agentType));
            const changed = own
              .filter(({ onDisk }) => onDisk === null)
              .map(({ stored }) => `“${stored.name}”`);
            const lines = own.filter(({ onDisk }) => onDisk !== null).map(({ stored }) => skillLine(stored));
            if (own.length === 0) return null;
            return [
              DESCRIPTION,
              ...(lines.length > 0 ? ['Skills:', ...lines] : []),
              ...(changed.length > 0 ? [`Not to be used: ${changed.join(', ')}. ${CHANGED}`] : []),
            ].join('\n');
          },
        },
      ];
    },
  };
}

const CHANGED =
  'Files changed since the person turned it on, or can’t be read; the person has to look at it in Settings, Tools, and turn it on again.';

/** The tool alone. */
const readSkillTool = (skills: Pick<SkillService, 'current'>) =>
  defineTool({
    name: 'read_skill',
    description: DESCRIPTION,
    input: ReadSkillInput,
    async run({ skill: name, file = SKILL_FILE, from_line: from = 1 }, { signal }) {
      const current = await skills.current();
      const skill = current.find(({ stored }) => stored.name.toLowerCase() === name.trim().toLowerCase());
      if (skill === undefined) {
        const names = current.map(({ stored }) => `“${stored.name}”`).join(', ');
        throw new ToolError(`There is no skill “${name}”. There are: ${names}.`);
      }
      if (skill.onDisk === null)
        throw new ToolError(`The skill “${skill.stored.name}” can’t be used now. ${CHANGED}`);
      const { path, files } = skill.onDisk;
      const wanted = file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
      // Only what was listed and is part of the version: no path leads anywhere else.
      if (!files.includes(wanted))
        throw new ToolError(`“${skill.stored.name}” has no file “${file}”. It has: ${files.join(', ')}.`);
      const bytes = await readSkillFile(path, wanted, MAX_FILE_BYTES, signal);
      const content = await readContent(bytes, wanted);
      if ('guess' in content)
        throw new ToolError(`“${wanted}” is ${content.guess}, so it can’t be read as text.`);
      return {
        skill: skill.stored.name,
        file: wanted,
        ...partOf(content.text, from, MAX_LINES, wanted),
        ...(wanted === SKILL_FILE && files.length > 1 && { files: files.slice(1) }),
      };
    },
  });
