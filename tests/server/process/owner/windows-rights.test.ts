import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isOpenToOthers, makeDataFolder } from '../../../../server/process/owner/windows-rights.ts';
import { createTempDir } from '../../../support/service.ts';

let home: string;
beforeEach(async () => {
  home = await createTempDir();
  vi.stubEnv('HOME', home).stubEnv('USERPROFILE', home);
});
afterEach(() => void vi.unstubAllEnvs());

/** Windows' programs, where those may read a folder; icacls prints the path in an encoding of its own. */
const windows = (...others: string[]) =>
  vi.fn(async (program: string, ...[folder, , who]: string[]) => {
    if (program === 'whoami.exe') return '"PC\\Ana","S-1-5-21-1-2-3-1001"\r\n';
    const isFound = folder !== undefined && others.includes(who ?? '');
    return isFound ? 'SID gefunden: D:\\D?ta.\r\n1 Dateien' : 'Keine Dateien.\r\n1 Dateien';
  });

const make = async (folder: string, run: ReturnType<typeof windows>): Promise<string[]> => {
  const warnings: string[] = [];
  await makeDataFolder(folder, (line) => warnings.push(line), run, 'win32');
  return warnings;
};

test.each([
  ['new', []],
  ['empty', ['']],
  ['desktop app’s new', ['window', 'logs']],
])('an %s folder outside the profile is made private to the person', async (_, inside) => {
  const folder = join(await createTempDir(), 'data');
  for (const name of inside) await mkdir(join(folder, name), { recursive: true });
  const run = windows();
  expect(await make(folder, run)).toEqual([]);
  expect(run).toHaveBeenLastCalledWith(
    'icacls.exe',
    folder,
    '/inheritance:r',
    '/grant:r',
    '*S-1-5-21-1-2-3-1001:(OI)(CI)F',
    '*S-1-5-18:(OI)(CI)F',
    '*S-1-5-32-544:(OI)(CI)F',
  );
});

test('rights of a folder with other things in it stay, and a warning says that others can read it', async () => {
  const folder = await createTempDir();
  await writeFile(join(folder, 'letter.txt'), '');
  const [open, closed] = [windows('*S-1-5-11'), windows()];
  expect(await make(folder, open)).toEqual([expect.stringContaining('may be able to read')]);
  expect(await make(folder, closed)).toEqual([]);
  for (const run of [open, closed]) expect(run.mock.calls.flat()).not.toContain('/grant:r');
});

test('a folder in the profile is private already', async () => {
  const run = windows('*S-1-1-0');
  expect(await make(join(home, 'data'), run)).toEqual([]);
  expect(run).not.toHaveBeenCalled();
});

test('a refusal of Windows is a warning', async () => {
  const run = windows();
  run.mockRejectedValue(new Error('Access is denied.'));
  expect(await make(await createTempDir(), run)).toEqual([expect.stringContaining('may be able to read')]);
});

test('whoever may get into a folder is found, however Windows prints its path', async () => {
  expect(await isOpenToOthers('D:\\Däta', windows('*S-1-5-32-545'))).toBe(true);
  expect(await isOpenToOthers('D:\\Däta', windows())).toBe(false);
  const run = windows();
  run.mockRejectedValue(new Error('There is no such folder.'));
  expect(await isOpenToOthers('D:\\Däta', run)).toBeNull();
});
