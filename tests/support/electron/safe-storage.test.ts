import { expect, test } from 'vitest';
import { freshUserData, startSample, type Sample } from './fixtures/start-sample.ts';
import { safeStorage } from './safe-storage.ts';

/** The sample once it can seal, if ever. */
async function started(options: Parameters<typeof startSample>[0] = {}): Promise<Sample> {
  const sample = await startSample(options);
  await sample.endpoint;
  return sample;
}

const seal = (sample: Sample): Promise<string> =>
  sample.run(async ({ safeStorage: store }) =>
    (await store.encryptStringAsync('a secret, é')).toString('base64'),
  );
const open = (sample: Sample, sealed: string): Promise<string> =>
  sample.run(
    async ({ safeStorage: store }, text) =>
      (await store.decryptStringAsync(Buffer.from(text, 'base64'))).result,
    sealed,
  );

test('nothing can be sealed before the app is ready', async () => {
  expect(await safeStorage.isAsyncEncryptionAvailable()).toBe(false);
  await expect(safeStorage.encryptStringAsync('x')).rejects.toThrow('Error while encrypting');
});

test('what is sealed is opened by a later start with the same data, and by no other', async () => {
  const userData = await freshUserData();
  const first = await started({ userData });
  const sealed = await seal(first);
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('secret');
  await first.run(({ app }) => app.quit());
  await first.ended;
  expect(await open(await started({ userData }), sealed)).toBe('a secret, é');
  await expect(open(await started(), sealed)).rejects.toThrow('Error while decrypting');
});

test('what was changed since, or never sealed, is not opened', async () => {
  const sample = await started();
  const bytes = Buffer.from(await seal(sample), 'base64');
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  await expect(open(sample, bytes.toString('base64'))).rejects.toThrow('Error while decrypting');
  await expect(open(sample, Buffer.from('plain').toString('base64'))).rejects.toThrow(
    'Error while decrypting',
  );
});

test('without a key store nothing can be sealed', async () => {
  const sample = await started({ env: { STAND_IN_KEY_STORE: 'none' } });
  expect(await sample.run(({ safeStorage: store }) => store.isAsyncEncryptionAvailable())).toBe(false);
  await expect(seal(sample)).rejects.toThrow('Error while encrypting');
});

test('without a key store on Linux a key that everybody knows is used, and only the prefix tells', async () => {
  for (const [keyStore, backend] of [
    ['basic_text', 'basic_text'],
    ['silent', 'gnome_libsecret'],
  ] as const) {
    const sample = await started({ env: { STAND_IN_KEY_STORE: keyStore } });
    expect(
      await sample.run(async ({ safeStorage: store }) => [
        await store.isAsyncEncryptionAvailable(),
        store.getSelectedStorageBackend(),
      ]),
    ).toEqual([true, backend]);
    const sealed = await seal(sample);
    expect(Buffer.from(sealed, 'base64').subarray(0, 3).toString()).toBe('v10');
    expect(await open(await started(), sealed)).toBe('a secret, é');
  }
});
