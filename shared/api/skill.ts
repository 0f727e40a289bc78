import { Type, type Static } from 'typebox';
import { SKILL_STATES } from '../choices.ts';
import { MAX_AGENTS } from '../limits.ts';
import { AgentType, choice, flag, list, object, orNull, text, whole } from './common.ts';

const Agents = Type.Union([Type.Literal('all'), Type.Array(AgentType, { maxItems: MAX_AGENTS })], {
  description: 'The `agentType`s of the agents that have it.',
  expected: '"all", or a list of agent types',
});

export const Skill = object('A skill: a folder with a SKILL.md that tells models how to do a kind of task.', {
  id: text('Made from its path.', '4f1c09be52a0d6e7'),
  name: text('From its SKILL.md, else its folder.', 'release-notes'),
  description: text('From its SKILL.md: when models should read it.'),
  path: text('Its folder.', '/home/ana/.agents/skills/release-notes'),
  enabled: flag('Whether a person turned it on, in whatever version.'),
  state: choice(
    SKILL_STATES,
    '`on`: its agents are told about it. `changed`: one of its files changed since it was turned on, so it isn’t used until it is turned on again. `broken`: it can’t be used, see `problem`.',
  ),
  problem: orNull(Type.String(), 'What is wrong with it, in a sentence. Null: nothing.'),
  version: text('Identifies the content of all its files. Empty if they can’t be read.'),
  agents: Agents,
  files: whole('How many files it has, SKILL.md included.'),
  tokens: whole('About how many tokens its name and description take in every request, while it is on.'),
  textTokens: whole('About how many tokens SKILL.md takes when a model reads it.'),
});
export type Skill = Static<typeof Skill>;

export const SkillFolder = object('A folder that skills are found in, besides `skills` in the data folder.', {
  id: text('Unique id.'),
  path: text('Its real path.', '/home/ana/.agents/skills'),
  available: flag('Whether it is there now.'),
});
export type SkillFolder = Static<typeof SkillFolder>;

/** Answer of `GET /api/v1/skills`; needs the scope `admin`. */
export const SkillList = Type.Object({
  skills: list(Skill, 'By name.'),
  folders: list(SkillFolder, 'Oldest first.'),
  ownFolder: text('The folder in the data folder; it need not be there.'),
  suggestions: list(Type.String(), 'Folders with skills of other programs that aren’t in `folders`.'),
});
export type SkillList = Static<typeof SkillList>;

/** Answer of `GET /api/v1/skills/:skillId`. */
export const SkillText = Type.Object({
  skill: Skill,
  text: text('Its SKILL.md.'),
  files: list(Type.String(), 'Paths of all its files, in its folder.'),
});
export type SkillText = Static<typeof SkillText>;

/** Body of `PATCH /api/v1/skills/:skillId`. */
export const UpdateSkillBody = Type.Object({
  enabled: Type.Optional(flag('Turns it on, in the version that it has now, or off.')),
  version: Type.Optional(
    text('With `enabled: true`: the version that the person saw. If it is another by now, nothing changes.', {
      maxLength: 100,
    }),
  ),
  agents: Type.Optional(Agents),
});
export type UpdateSkillBody = Static<typeof UpdateSkillBody>;

/** Answer of `PATCH /api/v1/skills/:skillId`. */
export const SkillAnswer = Type.Object({ skill: Skill });

/** Answer of every endpoint about one folder of skills. */
export const SkillFolderAnswer = Type.Object({ folder: SkillFolder });
