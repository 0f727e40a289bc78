/** Light or dark: menus, dialogs and the window's frame follow the setting, and a window is never painted white first. */
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
