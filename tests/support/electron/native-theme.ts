import { EventEmitter } from 'node:events';
import { guardClass } from './guard.ts';
import type { Session } from './chromium.ts';

type Source = 'system' | 'light' | 'dark';

class NativeTheme extends EventEmitter {
  readonly shouldUseHighContrastColors = false;
  readonly shouldUseInvertedColorScheme = false;
  readonly inForcedColorsMode = false;
  readonly prefersReducedTransparency = false;
  readonly #pages = new Set<Session>();
  #source: Source = 'system';
  #system: 'light' | 'dark' = 'light';

  get themeSource(): Source {
    return this.#source;
  }
  set themeSource(source: Source) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError(`Not a theme source: ${source}`);
    this.#change(() => (this.#source = source));
  }
  get shouldUseDarkColors(): boolean {
    return (this.#source === 'system' ? this.#system : this.#source) === 'dark';
  }
  get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
    return this.#system === 'dark';
  }

  /** For tests of the stand-in only: the system turns light or dark. */
  standInSystem(theme: 'light' | 'dark'): void {
    this.#change(() => (this.#system = theme));
  }

  /** For the stand-in only: the page follows the theme from now on. */
  async standInEmulate(session: Session): Promise<void> {
    this.#pages.add(session);
    const value = this.shouldUseDarkColors ? 'dark' : 'light';
    await session
      .send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })
      .catch(() => this.#pages.delete(session));
  }

  #change(change: () => void): void {
    const before = [this.shouldUseDarkColors, this.#source].join();
    change();
    if (before === [this.shouldUseDarkColors, this.#source].join()) return;
    for (const page of this.#pages) void this.standInEmulate(page);
    this.emit('updated');
  }
}
guardClass('nativeTheme', NativeTheme);

export const nativeTheme = new NativeTheme();
