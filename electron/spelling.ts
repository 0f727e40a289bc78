/** Checking spelling, in the language of the person's system: left alone, Chromium takes the one of its own words, English. */
import type { App, Session } from 'electron';
import { describeFault } from '../server/lib/fault-report.ts';
import type { Service } from '../server/service.ts';

/** Whether spelling is checked, and changing that. */
export type Spelling = ReturnType<typeof createSpelling>;

/** Checking spelling as the settings say; unless they do, it is on only where that downloads nothing. */
export function createSpelling(
  settings: Service['settings'],
  platform: NodeJS.Platform,
  log: (line: string) => void,
) {
  /** A Mac has its own dictionaries. */
  const needsDownload = platform !== 'darwin';
  return {
    isChecked: (): boolean => settings.current().checkSpelling ?? !needsDownload,
    /** Whether turning it on downloads a dictionary. */
    needsDownload,
    setChecked: (checkSpelling: boolean): void =>
      void settings
        .update({ checkSpelling })
        .catch((error: unknown) => log(`A setting was not saved: ${describeFault(error)}`)),
  };
}

/** Checks spelling from now on, or not. No effect on the language on a Mac, where the system checks. */
export function setupSpelling(
  session: Pick<
    Session,
    'availableSpellCheckerLanguages' | 'setSpellCheckerEnabled' | 'setSpellCheckerLanguages'
  >,
  app: Pick<App, 'getPreferredSystemLanguages'>,
  isChecked: boolean,
): void {
  const known = new Set(session.availableSpellCheckerLanguages);
  const language = app
    .getPreferredSystemLanguages()
    .flatMap((name) => [name, name.split('-')[0] ?? ''])
    .find((name) => known.has(name));
  if (isChecked && language !== undefined) session.setSpellCheckerLanguages([language]);
  session.setSpellCheckerEnabled(isChecked);
}
