/** What `parley doctor` finds of one thing. */
export interface Finding {
  /** What was looked at, in a word or two. */
  check: string;
  /** `warning`: it works, and could be better. `problem`: it has to be put right. */
  state: 'ok' | 'warning' | 'problem';
  message: string;
  /** What to do; absent where nothing has to be done. */
  advice?: string;
}

/** It is as it should be. */
export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });

/** It works, and could be better. */
export const warning = (check: string, message: string, advice: string): Finding => ({
  check,
  state: 'warning',
  message,
  advice,
});

/** It has to be put right. */
export const problem = (check: string, message: string, advice: string): Finding => ({
  check,
  state: 'problem',
  message,
  advice,
});
