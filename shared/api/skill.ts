import { Type, type Static } from 'typebox';
import { SKILL_STATES } from '../choices.ts';
import { MAX_AGENTS } from '../limits.ts';
import { AgentType, orNull } from './common.ts';

const Agents = Type.Union([Type.Literal('all'), Type.Array(AgentType, { maxItems: MAX_AGENTS })], {
  description: 'The `agentType`s of the agents that have it.',
  expected: '"all", or a list of agent types',
});

export const Skill = Type.Object(
  {
    id: Type.String({ description: 'Made from its path.', examples: ['4f1c09be52a0d6e7'] }),
    name: Type.String({ examples: ['release-notes'], description: 'From its SKILL.md, else its folder.' }),
    description: Type.String({ description: 'From its SKILL.md: when models should read it.' }),
    path: Type.String({ description: 'Its folder.', examples: ['/home/ana/.agents/skills/release-notes'] }),
    enabled: Type.Boolean({ description: 'Whether a person turned it on, in whatever version.' }),
    state: Type.Enum([...SKILL_STATES], {
      description:
        '`on`: its agents are told about it. `changed`: one of its files changed since it was turned on, so it isn’t used until it is turned on again. `broken`: it can’t be used, see `problem`.',
    }),
    problem: orNull(Type.String(), {
      description: 'What is wrong with it, in a sentence. Null: nothing.',
    }),
    version: Type.String({
      description: 'Identifies the content of all its files. Empty if they can’t be read.',
    }),
    agents: Agents,
    files: Type.Integer({ description: 'How many files it has, SKILL.md included.' }),
    tokens: Type.Integer({
      description: 'About how many tokens its name and description take in every request, while it is on.',
    }),
    textTokens: Type.Integer({ description: 'About how many tokens SKILL.md takes when a model reads it.' }),
  },
  { description: 'A skill: a folder with a SKILL.md that tells models how to do a kind of task.' },
);
export type Skill = Static<typeof Skill>;

export const SkillFolder = Type.Object(
  {
    id: Type.String({ description: 'Unique id.' }),
    path: Type.String({ description: 'Its real path.', examples: ['/home/ana/.agents/skills'] }),
    available: Type.Boolean({ description: 'Whether it is there now.' }),
  },
  { description: 'A folder that skills are found in, besides `skills` in the data folder.' },
);
export type SkillFolder = Static<typeof SkillFolder>;

/** Answer of `GET /api/v1/skills`; needs the scope `admin`. */
export const SkillList = Type.Object({
  skills: Type.Array(Skill, { description: 'By name.' }),
  folders: Type.Array(SkillFolder, { description: 'Oldest first.' }),
  ownFolder: Type.String({ description: 'The folder in the data folder; it need not be there.' }),
  suggestions: Type.Array(Type.String(), {
    description: 'Folders with skills of other programs that aren’t in `folders`.',
  }),
});
export type SkillList = Static<typeof SkillList>;

/** Answer of `GET /api/v1/skills/:skillId`. */
export const SkillText = Type.Object({
  skill: Skill,
  text: Type.String({ description: 'Its SKILL.md.' }),
  files: Type.Array(Type.String(), { description: 'Paths of all its files, in its folder.' }),
});
export type SkillText = Static<typeof SkillText>;

/** Body of `PATCH /api/v1/skills/:skillId`. */
export const UpdateSkillBody = Type.Object({
  enabled: Type.Optional(
    Type.Boolean({ description: 'Turns it on, in the version that it has now, or off.' }),
  ),
  version: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'With `enabled: true`: the version that the person saw. If it is another by now, nothing changes.',
    }),
  ),
  agents: Type.Optional(Agents),
});
export type UpdateSkillBody = Static<typeof UpdateSkillBody>;

/** Answer of `PATCH /api/v1/skills/:skillId`. */
export const SkillAnswer = Type.Object({ skill: Skill });

/** Answer of every endpoint about one folder of skills. */
export const SkillFolderAnswer = Type.Object({ folder: SkillFolder });
