import { describe, expect, it } from 'vitest';
import { createSystemBox, type Sealer } from '../../electron/secret-box.ts';

/** A key store whose seals begin with a prefix; what it seals is the text itself. */
function keyStore(prefix: string | null): { sealer: Sealer; asked: () => number } {
  let asked = 0;
  const sealer = {
    isAsyncEncryptionAvailable: async () => prefix !== null,
    encryptStringAsync: async (text: string) => {
      asked += 1;
      return Buffer.from(`${prefix}${text}`);
    },
    decryptStringAsync: async (sealed: Buffer) => ({
      result: sealed.subarray(3).toString(),
      shouldReEncrypt: false,
    }),
    // What is told is a guess, and wrong here.
  } as unknown as Sealer;
  return { sealer, asked: () => asked };
}

describe('the system’s key store', () => {
  it('on Linux is known by what comes out of it, and only once it is asked', async () => {
    const { sealer, asked } = keyStore('v11');
    const system = createSystemBox(sealer, 'linux');
    expect(system.kept()).toBe('unasked');
    expect(asked()).toBe(0);
    const box = await system.open();
    expect(system.kept()).toBe('sealed');
    expect(await box?.seal?.('sk-one')).toBe(Buffer.from('v11sk-one').toString('base64'));
  });

  it('that seals with the key everybody knows seals nothing, and still opens', async () => {
    const system = createSystemBox(keyStore('v10').sealer, 'linux');
    const box = await system.open();
    expect(box?.seal).toBeNull();
    expect(system.kept()).toBe('file');
    expect(await box?.open(Buffer.from('v10sk-one').toString('base64'))).toEqual({
      text: 'sk-one',
      isStale: false,
    });
  });

  it('that is not there leaves secrets in a file', async () => {
    const system = createSystemBox(keyStore(null).sealer, 'linux');
    expect(await system.open()).toBeNull();
    expect(system.kept()).toBe('file');
  });

  it.each(['darwin', 'win32'] as const)('seals on %s, whatever prefix that has there', async (platform) => {
    const { sealer } = keyStore('v10');
    const system = createSystemBox(sealer, platform);
    expect(system.kept()).toBe('sealed');
    expect((await system.open())?.seal).not.toBeNull();
  });
});
