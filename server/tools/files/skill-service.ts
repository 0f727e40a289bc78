/**
 * The skills that a person keeps: found in folders, turned on one by one, with the version that was seen. A skill of which a file has
 * changed isn't used until a person has turned it on again.
 */
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AddFolderBody } from '../../../shared/api/folder.ts';
import type { Skill, SkillFolder, SkillList, SkillText, UpdateSkillBody } from '../../../shared/api/skill.ts';
import { MAX_FOLDERS, MAX_SKILLS_ON } from '../../../shared/limits.ts';
import { AppError, found } from '../../errors.ts';
import { unlessAborted } from '../../lib/unless-aborted.ts';
import { readSettled } from '../../store/read-settled.ts';
import {
  createSkillFolder,
  deleteSkill,
  deleteSkillFolder,
  listSkillFolders,
  listStoredSkills,
  putSkill,
  type StoredSkill,
} from '../../store/skill-repository.ts';
import type { Store } from '../../store/types.ts';
import { isAvailable, readFolderPath } from './check-folder.ts';
import { findSkills, readSkill, type FoundSkill } from './read-skills.ts';
import { skillTokens, textTokens } from './skill-tokens.ts';

/** What {@link createSkillService} works with. */
export interface SkillServiceDeps {
  store: Store;
  dataDir: string;
  clock: () => Date;
  newId: () => string;
  /** The person's own folder; the system's unless given. */
  home?: string;
}

/** A skill that is on. */
export interface CurrentSkill {
  stored: StoredSkill;
  /** As it is on disk, the same as when it was turned on; null: it changed, or can't be read. */
  onDisk: FoundSkill | null;
}

/** Managing skills. Their folders are never changed. */
export type SkillService = ReturnType<typeof createSkillService>;

/** How long reading may take: a disk that doesn't answer must hold up no turn. */
const READ_TIMEOUT_MS = 5_000;
/** In the person's own folder, where other programs keep theirs. */
const USUAL_FOLDERS = ['.agents/skills', '.claude/skills'];

/** Makes the skill service of a store. */
export function createSkillService({ store, dataDir, clock, newId, home = homedir() }: SkillServiceDeps) {
  const ownFolder = join(dataDir, 'skills');

  /** All skills, on or off, with the folder that each was found in; those that are on and gone as well. */
  async function findAll(): Promise<Map<string, { skill: FoundSkill; folderId: string | null }>> {
    const folders = await readSettled(store, listSkillFolders);
    const all = new Map<string, { skill: FoundSkill; folderId: string | null }>();
    const own = await realpath(ownFolder).catch(() => ownFolder);
    for (const { id: folderId, path } of [{ id: null, path: own }, ...folders]) {
      for (const skill of (await inTime(path, findSkills)) ?? [])
        if (!all.has(skill.id)) all.set(skill.id, { skill, folderId });
    }
    for (const { id, path, name, description, folderId } of store.read(listStoredSkills)) {
      const gone = { id, path, name, description, text: '', files: [], version: '', problem: GONE };
      if (!all.has(id)) all.set(id, { skill: gone, folderId });
    }
    return all;
  }

  async function list(): Promise<SkillList> {
    const all = await findAll();
    const [folders, stored] = await readSettled(store, (reader) => [
      listSkillFolders(reader),
      listStoredSkills(reader),
    ]);
    const skills = [...all.values()].map(({ skill }) => toSkill(skill, stored));
    const usual = USUAL_FOLDERS.map((folder) => join(home, folder));
    const suggestions = await Promise.all(
      usual.map(async (path) => !folders.some((folder) => folder.path === path) && (await isAvailable(path))),
    );
    return {
      skills: skills.sort((one, other) => one.name.localeCompare(other.name, 'en')),
      folders: await Promise.all(folders.map(toFolder)),
      ownFolder,
      suggestions: usual.filter((_path, index) => suggestions[index]),
    };
  }

  return {
    /** All that are found, with what is wrong with those that can't be used. */
    list,

    /** What a skill says. Null: there is no such skill. */
    async read(id: string): Promise<SkillText | null> {
      const skill = (await findAll()).get(id)?.skill;
      if (skill === undefined) return null;
      return {
        skill: toSkill(skill, store.read(listStoredSkills)),
        text: skill.text,
        files: skill.files,
      };
    },

    /**
     * Turns a skill on or off, or changes which agents have it. Rejects with AppError `skill_not_found`; `conflict` if it can't be
     * used, has changed since the person saw it, has the name of another that is on, or there are {@link MAX_SKILLS_ON}.
     */
    async update(id: string, { enabled, version, agents }: UpdateSkillBody): Promise<Skill> {
      const { skill, folderId } = found((await findAll()).get(id) ?? null, 'skill_not_found');
      return store.write((writer) => {
        const others = listStoredSkills(writer);
        const before = others.find((row) => row.id === id);
        if (enabled === false) {
          deleteSkill(writer, id);
          return toSkill(skill, []);
        }
        if (enabled === true) {
          if (skill.problem !== null)
            throw new AppError('conflict', `This skill can’t be used. ${skill.problem}`);
          if (version !== undefined && version !== skill.version) throw new AppError('conflict', CHANGED);
          // Models name it in any case.
          const name = skill.name.toLowerCase();
          if (others.some((other) => other.id !== id && other.name.toLowerCase() === name))
            throw new AppError(
              'conflict',
              `Another skill called “${skill.name}” is on; turn that one off first.`,
            );
          if (before === undefined && others.length >= MAX_SKILLS_ON)
            throw new AppError('conflict', TOO_MANY);
        }
        if (enabled === undefined && before === undefined) throw new AppError('conflict', OFF);
        const row: StoredSkill = {
          ...{ id, path: skill.path, folderId, createdAt: clock().toISOString() },
          ...{ name: skill.name, description: skill.description, version: skill.version },
          ...(enabled === undefined && before),
          agents: agents ?? before?.agents ?? 'all',
        };
        putSkill(writer, row);
        return toSkill(skill, [row]);
      });
    },

    /**
     * Adds a folder to find skills in. Rejects with AppError `invalid_request` when it can't be used, `conflict` when it is there already
     * or there are {@link MAX_FOLDERS}.
     */
    async addFolder(body: AddFolderBody): Promise<SkillFolder> {
      const path = await readFolderPath(body.path, dataDir);
      const folder = await store.write((writer) => {
        const others = listSkillFolders(writer);
        if (others.some((other) => other.path === path))
          throw new AppError('conflict', 'That folder is on the list.');
        if (others.length >= MAX_FOLDERS)
          throw new AppError('conflict', `There are ${MAX_FOLDERS} folders already; remove one first.`);
        const added = { id: newId(), path, createdAt: clock().toISOString() };
        createSkillFolder(writer, added);
        return added;
      });
      return toFolder(folder);
    },

    /** Takes it off the list, and turns its skills off. Null: it is not on the list. */
    async removeFolder(id: string): Promise<SkillFolder | null> {
      const folder = await store.write((writer) => deleteSkillFolder(writer, id));
      return folder && toFolder(folder);
    },

    /** Those that are on, for a turn that begins now. Reads nothing from disk if none is. */
    current: (): Promise<CurrentSkill[]> =>
      Promise.all(
        store.read(listStoredSkills).map(async (stored) => {
          const { path, version } = stored;
          const skill = await inTime(path, readSkill);
          return { stored, onDisk: skill?.version === version ? skill : null };
        }),
      ),
  };
}

/** Reads a folder if it is there and its disk answers in time; else null. */
async function inTime<T>(
  path: string,
  read: (path: string, signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  if (!(await isAvailable(path))) return null;
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
  return unlessAborted(signal, read(path, signal)).catch(() => null);
}

const GONE = 'It is no longer where it was.';
const CHANGED = 'This skill has changed since you looked at it; look at it again.';
const OFF = 'This skill is off; turn it on first.';
const TOO_MANY = `${MAX_SKILLS_ON} skills are on, which is the most; turn one off first.`;

function toSkill(
  { id, name, description, path, problem, version, files, text }: FoundSkill,
  all: readonly StoredSkill[],
): Skill {
  const stored = all.find((row) => row.id === id);
  const enabled = stored !== undefined;
  return {
    ...{ id, name, description, path, problem, version },
    enabled,
    state: problem !== null ? 'broken' : !enabled ? 'off' : stored.version === version ? 'on' : 'changed',
    agents: stored?.agents ?? 'all',
    files: files.length,
    tokens: skillTokens({ name, description }),
    textTokens: textTokens(text),
  };
}

const toFolder = async ({ id, path }: { id: string; path: string }): Promise<SkillFolder> => ({
  ...{ id, path },
  available: await isAvailable(path),
});
