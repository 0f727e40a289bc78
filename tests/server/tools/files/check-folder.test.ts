import { expect, test } from 'vitest';
import { isAvailable, inspectInTime } from '../../../../server/tools/files/check-folder.ts';
import { createTempDir } from '../../../support/service.ts';

test('a disk that doesn’t answer is looked at once at a time, and keeps nobody from another', async () => {
  const dir = await createTempDir();
  const { promise: never, resolve } = Promise.withResolvers<{ path: string; isFolder: boolean }>();
  let looks = 0;
  const hang = () => {
    looks += 1;
    return never;
  };
  const looking = Array.from({ length: 20 }, () => inspectInTime('/mnt/gone', hang));
  expect(await isAvailable(dir)).toBe(true);
  expect(await Promise.all(looking)).toEqual(looking.map(() => null));
  expect(await inspectInTime('/mnt/gone', hang)).toBeNull();
  expect(looks).toBe(1);
  resolve({ path: '/mnt/gone', isFolder: true });
  await never;
  const back = { path: '/mnt/gone', isFolder: true };
  expect(await inspectInTime('/mnt/gone', () => Promise.resolve(back))).toEqual(back);
});
