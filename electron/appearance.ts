/** Light or dark, and the pictures that the main process shows. */
import { fileURLToPath } from 'node:url';
import type { NativeImage, nativeImage as ElectronNativeImage, NativeTheme } from 'electron';
import type { Theme } from '../shared/api/settings.ts';
import { FRAME_COLOURS } from '../shared/appearance.ts';

/** The colour of a window before its page is painted. */
export const backgroundColour = (theme: Pick<NativeTheme, 'shouldUseDarkColors'>): string =>
  theme.shouldUseDarkColors ? FRAME_COLOURS.dark : FRAME_COLOURS.light;

/** Applies the setting to everything native. */
export function applyTheme(nativeTheme: Pick<NativeTheme, 'themeSource'>, theme: Theme): void {
  if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
}

/**
 * Pictures, relative to the built program, in a checkout and inside the package alike. Electron finds the sharper ones (`@2x`)
 * beside them by itself.
 */
const FOLDER = new URL('../../electron/resources/images/', import.meta.url);

const pathOf = (name: string): string => fileURLToPath(new URL(name, FOLDER));

/** The pictures. */
export interface Pictures {
  /** The window's icon where the platform doesn't take it from the program; else null. */
  window: NativeImage | null;
  /** The tray icon: on a Mac one that the system colours, elsewhere one that is visible on a dark or light panel. */
  tray: (isDark: boolean) => NativeImage;
  /** The dot that Windows puts over the taskbar icon. */
  badge: NativeImage;
}

/**
 * Reads the pictures, once: an update replaces the package below a running app, and Electron would then read another file's
 * bytes as a picture.
 */
export function readPictures(
  images: Pick<typeof ElectronNativeImage, 'createFromPath'>,
  platform: NodeJS.Platform,
): Pictures {
  const read = (name: string): NativeImage => images.createFromPath(pathOf(name));
  const forTray = (name: string): NativeImage =>
    read(platform === 'darwin' ? 'trayTemplate.png' : `${name}.${platform === 'win32' ? 'ico' : 'png'}`);
  const [onDark, onLight] = [forTray('tray-on-dark'), forTray('tray-on-light')];
  return {
    window: platform === 'linux' ? read('icon.png') : null,
    tray: (isDark) => (isDark ? onDark : onLight),
    badge: read('badge.png'),
  };
}
