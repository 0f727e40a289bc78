/**
 * Permissions of pages. The app's handlers are asked when a page has been loaded, not when it asks, and the browser gets
 * their answers: what they refuse really is refused, and without handlers everything is granted, as in Electron.
 */
import type { Session as ElectronSession } from './session.ts';

/** Electron's names, and the browser's. */
const PERMISSIONS: Record<string, object[]> = {
  'clipboard-read': [{ name: 'clipboard-read' }],
  'clipboard-sanitized-write': [{ name: 'clipboard-write' }],
  'display-capture': [{ name: 'display-capture' }],
  geolocation: [{ name: 'geolocation' }],
  'idle-detection': [{ name: 'idle-detection' }],
  media: [{ name: 'camera' }, { name: 'microphone' }],
  midi: [{ name: 'midi' }],
  midiSysex: [{ name: 'midi', sysex: true }],
  notifications: [{ name: 'notifications' }],
};

interface Browser {
  send: (method: string, params: Record<string, unknown>) => Promise<unknown>;
}

/** Grants and refuses an origin in the browser what the handlers do. */
export async function applyPermissions(
  browser: Browser,
  session: ElectronSession,
  contents: unknown,
  url: string,
): Promise<void> {
  const { origin } = new URL(url);
  const settings = Object.entries(PERMISSIONS).map(async ([permission, names]) => {
    const isGranted = await isAllowed(session, contents, permission, url, origin);
    for (const name of names)
      await browser.send('Browser.setPermission', {
        permission: name,
        setting: isGranted ? 'granted' : 'denied',
        origin,
      });
  });
  await Promise.all(settings);
}

async function isAllowed(
  { standIn: { permissionCheck, permissionRequest } }: ElectronSession,
  contents: unknown,
  permission: string,
  url: string,
  origin: string,
): Promise<boolean> {
  const details = { isMainFrame: true, requestingUrl: url, securityOrigin: origin };
  if (permissionCheck !== null && !permissionCheck(contents, permission, origin, details)) return false;
  if (permissionRequest === null) return true;
  return new Promise((resolve) => permissionRequest(contents, permission, resolve, details));
}
