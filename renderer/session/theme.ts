/**
 * The window's theme and text size from the settings. The service puts the same marks on the page it serves, so the first
 * paint is right already and nothing flashes; this follows every change after that.
 */
import type { Settings } from '../../shared/api/settings.ts';
import { FRAME_COLOURS } from '../../shared/appearance.ts';

/** Applies a theme and a text size at once. */
export function applyAppearance({ theme, textSize }: Pick<Settings, 'theme' | 'textSize'>): void {
  const { dataset } = document.documentElement;
  dataset['theme'] = theme;
  dataset['textSize'] = textSize;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = FRAME_COLOURS[theme === 'system' ? own : theme];
  }
}
