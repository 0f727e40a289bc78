/** A finding of `parley doctor`. */
export interface Finding {
  /** What was checked, in a word or two. */
  check: string;
  /** `warning`: it works, but could be better. `problem`: it has to be fixed. */
  state: 'ok' | 'warning' | 'problem';
  message: string;
  /** What to do; absent: nothing. */
  advice?: string;
}

/** Everything is fine. */
export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });

/** It works, but could be better. */
export const warning = (check: string, message: string, advice: string): Finding => ({
  check,
  state: 'warning',
  message,
  advice,
});

/** It has to be fixed. */
export const problem = (check: string, message: string, advice: string): Finding => ({
  check,
  state: 'problem',
  message,
  advice,
});
