import { describe, expect, it } from 'vitest';
import { whyNoSandbox, type SandboxProbe } from '../../electron/sandbox.ts';

const PROGRAM = '/app/dist/electron';
const HELPER = '/app/dist/chrome-sandbox';

function system(
  files: Record<string, string>,
  helper: { uid: number; mode: number } | null = { uid: 1000, mode: 0o100755 },
): SandboxProbe {
  return {
    readText: (path) => files[path] ?? null,
    stat: (path) => (path === HELPER ? helper : null),
    list: (path) =>
      Object.keys(files)
        .filter((file) => file.startsWith(`${path}/`))
        .map((file) => file.slice(path.length + 1)),
  };
}

const RESTRICTED = { '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1\n' };

describe('Chromium’s sandbox', () => {
  it('can be had where the kernel gives user namespaces to everybody', () => {
    expect(whyNoSandbox(PROGRAM, system({}))).toBeNull();
    expect(
      whyNoSandbox(
        PROGRAM,
        system({
          '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '0\n',
          '/proc/sys/kernel/unprivileged_userns_clone': '1\n',
          '/proc/sys/user/max_user_namespaces': '63000\n',
        }),
      ),
    ).toBeNull();
  });

  it.each([
    ['AppArmor keeps them to programs it knows', RESTRICTED],
    ['the kernel gives none to ordinary people', { '/proc/sys/kernel/unprivileged_userns_clone': '0' }],
    ['there can be none at all', { '/proc/sys/user/max_user_namespaces': '0' }],
  ])('can’t be had where %s, and one line says what to run', (_name, files) => {
    const why = whyNoSandbox(PROGRAM, system(files));
    expect(why).toContain(`sudo chown root:root '${HELPER}' && sudo chmod 4755 '${HELPER}'`);
    expect(why).not.toContain('\n');
  });

  it('can be had with the helper once that was done, and not with a half of it', () => {
    const withHelper = (uid: number, mode: number): string | null =>
      whyNoSandbox(PROGRAM, system(RESTRICTED, { uid, mode }));
    expect(withHelper(0, 0o104755)).toBeNull();
    expect(withHelper(0, 0o100755)).not.toBeNull();
    expect(withHelper(1000, 0o104755)).not.toBeNull();
    expect(whyNoSandbox(PROGRAM, system(RESTRICTED, null))).not.toBeNull();
  });

  it('can be had by a program that a profile names', () => {
    const profile = `profile parley ${PROGRAM} flags=(unconfined) { userns, }`;
    expect(whyNoSandbox(PROGRAM, system({ ...RESTRICTED, '/etc/apparmor.d/parley': profile }))).toBeNull();
    expect(
      whyNoSandbox(PROGRAM, system({ ...RESTRICTED, '/etc/apparmor.d/chrome': 'profile chrome {}' })),
    ).not.toBeNull();
  });
});
