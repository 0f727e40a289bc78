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

/** Makes findings of a check. */
export const findingsOf = (check: string) => ({
  ok: (message: string): Finding => ({ check, state: 'ok', message }),
  warning: (message: string, advice: string): Finding => ({ check, state: 'warning', message, advice }),
  problem: (message: string, advice: string): Finding => ({ check, state: 'problem', message, advice }),
});
