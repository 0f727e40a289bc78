import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { packageFiles, watchReplaced } from '../../electron/replaced.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  for (const file of packageFiles(join(folder, 'parley'), folder)) await writeFile(file, 'first');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function watch(): { check: () => void; onReplaced: ReturnType<typeof vi.fn> } {
  const onReplaced = vi.fn();
  return {
    onReplaced,
    check: watchReplaced(packageFiles(join(folder, 'parley'), folder), onReplaced),
  };
}

it.each(['parley', 'app.asar'])('a package whose %s was replaced is noticed, once', async (file) => {
  const { check, onReplaced } = watch();
  check();
  expect(onReplaced).not.toHaveBeenCalled();
  // As package managers do; the same size and content don't hide it.
  await writeFile(join(folder, 'new'), 'first');
  await rename(join(folder, 'new'), join(folder, file));
  check();
  check();
  expect(onReplaced).toHaveBeenCalledOnce();
});

it('a package that is gone for a moment is not one that was replaced', async () => {
  const { check, onReplaced } = watch();
  await rename(join(folder, 'app.asar'), join(folder, 'away'));
  check();
  await rename(join(folder, 'away'), join(folder, 'app.asar'));
  check();
  expect(onReplaced).not.toHaveBeenCalled();
});

it('is noticed without anybody asking', async () => {
  const onReplaced = vi.fn();
  watchReplaced([join(folder, 'parley')], onReplaced, 5);
  await writeFile(join(folder, 'parley'), 'another');
  await vi.waitFor(() => expect(onReplaced).toHaveBeenCalledOnce());
});
