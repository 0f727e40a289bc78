import { defineTable, json, plain, text, type RowOf } from './table.ts';
import type { Reader, Writer } from './types.ts';

const SKILLS = defineTable('skills', {
  /** Made from its path. */
  id: text(),
  path: text(),
  /** Null: the one in the data folder. */
  folderId: plain<string | null>(),
  name: text(),
  description: text(),
  /** Of its files, as the person saw them. */
  version: text(),
  agents: json<'all' | string[]>(),
  createdAt: text(),
});

/** A skill that a person turned on. */
export type StoredSkill = RowOf<typeof SKILLS.columns>;

/** All of them, by name. */
export const listStoredSkills = SKILLS.list('ORDER BY name, id');

/** Those that an agent has. */
export const listSkillsOf = (reader: Reader, agentType: string): StoredSkill[] =>
  listStoredSkills(reader).filter((skill) => isOf(skill, agentType));

/** Whether an agent has it. */
export const isOf = ({ agents }: Pick<StoredSkill, 'agents'>, agentType: string): boolean =>
  agents === 'all' || agents.includes(agentType);

/** Stores a skill, in place of an earlier version of it. */
export const putSkill = SKILLS.replace;

/** Turns it off; whether it was on. */
export const deleteSkill = SKILLS.delete<[id: string]>('WHERE id = ?');

const deleteSkillsIn = SKILLS.delete<[folderId: string]>('WHERE folder_id = ?');

const FOLDERS = defineTable('skill_folders', { id: text(), path: text(), createdAt: text() });

/** A folder that skills are found in. */
type StoredSkillFolder = RowOf<typeof FOLDERS.columns>;

/** All of them, oldest first. */
export const listSkillFolders = FOLDERS.list('ORDER BY created_at, id');

/** Stores a new folder. */
export const createSkillFolder = FOLDERS.insert;

const findSkillFolder = FOLDERS.first<[id: string]>('WHERE id = ?');
const deleteFolder = FOLDERS.delete<[id: string]>('WHERE id = ?');

/** Removes a folder, and turns its skills off; null: there was none. */
export function deleteSkillFolder(writer: Writer, id: string): StoredSkillFolder | null {
  const folder = findSkillFolder(writer, id);
  deleteFolder(writer, id);
  deleteSkillsIn(writer, id);
  return folder;
}
