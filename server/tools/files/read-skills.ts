/**
 * Reads skills from disk: folders with a SKILL.md, which begins with its name and description as YAML. Nothing in them is run, links
 * inside them aren't followed, and only what is listed here can be read later.
 */
import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { cleanName } from '../../lib/clean-name.ts';
import { fieldsOf, textOf } from '../../lib/fields.ts';
import { readAtMost } from './read-file.ts';
import { readFolder, withFile } from './safe-open.ts';
import { readContent } from './text.ts';
import { walk } from './walk.ts';
import { ToolError } from '../tool.ts';
import { messageOf } from '../../lib/message-of.ts';

/** A skill as it is on disk. */
export interface FoundSkill {
  /** The same as long as it stays where it is. */
  id: string;
  /** Its real path. */
  path: string;
  name: string;
  /** When to use it; empty: it doesn't say, which is a problem. */
  description: string;
  /** Its SKILL.md; empty: it can't be read. */
  text: string;
  /** Paths of its files in its folder, with slashes; SKILL.md first. */
  files: string[];
  /** Identifies the content of all its files; empty: they can't be read. */
  version: string;
  /** Why it can't be used, in a sentence; null: it can. */
  problem: string | null;
}

/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md';

const MAX_SKILLS = 200;
/** Levels of folders that skills are looked for in, such as those of a repository, and how many folders in all. */
const MAX_LEVELS = 5;
const MAX_FOLDERS = 500;
const MAX_FILES = 200;
const MAX_DEPTH = 6;
/** Of all files of a skill. */
const MAX_BYTES = 20_000_000;
const MAX_TEXT_BYTES = 200_000;
const MAX_NAME_CHARACTERS = 64;
const MAX_DESCRIPTION_CHARACTERS = 1_024;
/** Not part of a skill, wherever they come from. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', '__pycache__']);

/** The skills in a folder: each folder in it that has a SKILL.md, or the folder itself. Rejects with the signal's reason. */
export async function findSkills(folder: string, signal: AbortSignal): Promise<FoundSkill[]> {
  const found: FoundSkill[] = [];
  const folders = [{ path: folder, level: 1 }];
  // Folders are added on the way.
  for (const { path, level } of folders) {
    signal.throwIfAborted();
    const { entries } = await readFolder(path, path, 2_000).catch(() => ({ entries: [] }));
    const isSkill = entries.some(({ name }) => name === SKILL_FILE);
    const others = isSkill ? [] : entries.filter(({ name }) => !SKIPPED.has(name));
    for (const { name, kind } of others)
      if (kind === 'folder' && level < MAX_LEVELS && folders.length < MAX_FOLDERS)
        folders.push({ path: join(path, name), level: level + 1 });
    // A link may lead to a skill elsewhere: people share one between programs.
    const links = others.filter(({ kind }) => kind === 'link').map(({ name }) => join(path, name));
    for (const each of isSkill ? [path] : links) {
      const real = await realpath(each).catch(() => null);
      const skill = real === null || found.length >= MAX_SKILLS ? null : await readSkill(real, signal);
      if (skill !== null && !found.some(({ id }) => id === skill.id)) found.push(skill);
    }
  }
  return found;
}

/** The skill at a real path; null: there is none. Rejects with the signal's reason. */
export async function readSkill(path: string, signal: AbortSignal): Promise<FoundSkill | null> {
  const stats = await lstat(join(path, SKILL_FILE)).catch(() => null);
  if (stats === null) return null;
  const id = createHash('sha256').update(path).digest('hex').slice(0, 16);
  const skill: FoundSkill = {
    ...{ id, path, name: basename(path), description: '', text: '', files: [], version: '', problem: null },
  };
  try {
    if (!stats.isFile())
      throw new ToolError(`${SKILL_FILE} is a link or a folder; put the file itself there.`);
    skill.files = await listSkillFiles(path, signal);
    const hash = createHash('sha256');
    let left = MAX_BYTES;
    for (const file of skill.files) {
      const bytes = await readSkillFile(path, file, left, signal);
      left -= bytes.length;
      hash.update(`${file}\0${bytes.length}\0`).update(bytes);
      if (file === SKILL_FILE) Object.assign(skill, await describe(bytes, skill.name));
    }
    skill.version = hash.digest('hex').slice(0, 32);
  } catch (error) {
    signal.throwIfAborted();
    skill.problem = error instanceof ToolError ? error.message : 'Its files can’t be read.';
  }
  return skill;
}

/** A file of a skill. Rejects with ToolError when it can't be read or has more bytes than that. */
export async function readSkillFile(
  path: string,
  file: string,
  most: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const real = join(path, ...file.split('/'));
  const stats = await lstat(real, { bigint: true }).catch(() => null);
  const bytes = await withFile({ real, shown: file, stats }, (handle) =>
    readAtMost(handle, most + 1, signal),
  );
  if (bytes.length > most) throw new ToolError(`It is too large: ${MAX_BYTES / 1_000_000} MB is the most.`);
  return bytes;
}

async function listSkillFiles(path: string, signal: AbortSignal): Promise<string[]> {
  const root = { real: path, shown: '', stats: await lstat(path, { bigint: true }), folder: null as never };
  const omitted = { isCut: false, hasDeeper: false, failures: [] };
  const bounds = { depth: MAX_DEPTH, entries: MAX_FILES, skipped: SKIPPED, signal };
  const files: string[] = [];
  for await (const { real, kind } of walk({ isOwnData: async () => false }, [root], bounds, omitted))
    if (kind === 'file') files.push(relative(path, real).split(sep).join('/'));
  if (omitted.isCut || omitted.hasDeeper || files.length > MAX_FILES)
    throw new ToolError(`It has too many files, or folders: ${MAX_FILES} files are the most.`);
  if (omitted.failures.length > 0) throw new ToolError('One of its folders can’t be read.');
  return files.sort(
    (one, other) => Number(other === SKILL_FILE) - Number(one === SKILL_FILE) || (one < other ? -1 : 1),
  );
}

const BLOCK = /^---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** What a SKILL.md says about its skill. Throws ToolError when it says nothing of use. */
async function describe(
  bytes: Buffer,
  folderName: string,
): Promise<Pick<FoundSkill, 'name' | 'description' | 'text'>> {
  if (bytes.length > MAX_TEXT_BYTES)
    throw new ToolError(`${SKILL_FILE} is too long: ${MAX_TEXT_BYTES / 1_000} kB is the most.`);
  const content = await readContent(bytes, SKILL_FILE);
  if ('guess' in content || content.encoding !== 'utf-8')
    throw new ToolError(`${SKILL_FILE} is no text in UTF-8.`);
  const text = content.text.replace(/^\ufeff/, '');
  const [, block] = BLOCK.exec(text) ?? [];
  if (block === undefined)
    throw new ToolError(`${SKILL_FILE} must begin with its name and description between two lines of “---”.`);
  const { name, description } = fieldsOf(await readBlock(block));
  const what = cleanName(textOf(description) ?? '');
  if (what === null) throw new ToolError(`${SKILL_FILE} has no “description” that says when to use it.`);
  if (what.length > MAX_DESCRIPTION_CHARACTERS)
    throw new ToolError(
      `Its description is too long: ${MAX_DESCRIPTION_CHARACTERS} characters are the most.`,
    );
  const called = cleanName(textOf(name) ?? '') ?? folderName;
  if (called.length > MAX_NAME_CHARACTERS)
    throw new ToolError(`Its name is too long: ${MAX_NAME_CHARACTERS} characters are the most.`);
  return { name: called, description: what, text };
}

/** The fields at the beginning. Throws ToolError when they can't be read. */
async function readBlock(block: string): Promise<unknown> {
  const { parse } = await import('yaml');
  let why = '';
  // The second is much in use, and read by other programs: text without quotes where YAML wants some, such as “Use when: …”.
  for (const yaml of [block, block.replace(UNQUOTED, quoteValue)])
    try {
      return parse(yaml, { maxAliasCount: 0, logLevel: 'error' });
    } catch (error) {
      why ||= messageOf(error).split('\n')[0] ?? '';
    }
  throw new ToolError(`The block at the beginning of ${SKILL_FILE} can’t be read: ${why.replace(/:$/, '')}.`);
}

/** A field in words, with its further lines. */
const UNQUOTED = /^(name|description):[ \t]+([^\s>|].*(?:\r?\n[ \t]+\S.*)*)$/gm;

const quoteValue = (_all: string, name: string, value: string): string =>
  `${name}: ${JSON.stringify(value.trim().replace(/\s+/g, ' '))}`;
