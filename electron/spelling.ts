/** Checking spelling, in the language of the person's system: left alone, Chromium takes the one of its own words, English. */
import type { App, Session } from 'electron';

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
