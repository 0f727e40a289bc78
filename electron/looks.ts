/** Light or dark, and the pictures that the main process shows. */
import { fileURLToPath } from 'node:url';
import type { NativeTheme } from 'electron';
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

/** The window's icon where the platform doesn't take it from the program; else null. */
export const windowIcon = (platform: NodeJS.Platform): string | null =>
  platform === 'linux' ? pathOf('icon.png') : null;

/** The tray icon: on a Mac one that the system colours, elsewhere one that is visible on dark and light panels. */
export function trayIcon(platform: NodeJS.Platform, isDark: boolean): string {
  if (platform === 'darwin') return pathOf('trayTemplate.png');
  return pathOf(`tray-on-${isDark ? 'dark' : 'light'}.${platform === 'win32' ? 'ico' : 'png'}`);
}

/** The dot that Windows puts over the taskbar icon. */
export const badgeIcon = (): string => pathOf('badge.png');
