import type { App } from 'electron';
import { describe, expect, it } from 'vitest';
import { appName, registerLinks, setupIdentity } from '../../electron/identity.ts';

function known(platform: NodeJS.Platform, isPackaged: boolean): { id: string | null; name: string } {
  let id: string | null = null;
  const app = {
    isPackaged,
    setAppUserModelId: (given: string) => {
      id = given;
    },
    setAboutPanelOptions: () => undefined,
  } as unknown as App;
  setupIdentity(app, platform);
  return { id, name: appName(app, platform) };
}

describe('what the system knows the app by', () => {
  it('on Windows is another in a checkout, which must not take an installed one’s place', () => {
    const installed = known('win32', true);
    const checkout = known('win32', false);
    expect(installed).toEqual({ id: 'app.parley.desktop', name: 'Parley' });
    expect(checkout.id).not.toBe(installed.id);
    expect(checkout.name).not.toBe(installed.name);
  });

  it.each(['linux', 'darwin'] as const)('on %s is the same in both', (platform) => {
    expect(known(platform, false)).toEqual({ id: null, name: 'Parley' });
  });
});

describe('links', () => {
  const registered = (platform: NodeJS.Platform, isPackaged = true): string[] => {
    const schemes: string[] = [];
    registerLinks({ isPackaged, setAsDefaultProtocolClient: (scheme) => schemes.push(scheme) > 0 }, platform);
    return schemes;
  };

  it.each(['win32', 'darwin'] as const)('are registered on %s by an installed app', (platform) => {
    expect(registered(platform)).toEqual(['parley']);
    expect(registered(platform, false)).toEqual([]);
  });

  it('are left to the desktop entry on Linux', () => {
    expect(registered('linux')).toEqual([]);
  });
});
