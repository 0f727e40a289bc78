/**
 * Running out of file descriptors: as many files and connections are open as the system allows the process, or all
 * processes.
 */

export const OUT_OF_FILES =
  'Parley has as many files and connections open as the system lets it. Try again in a moment; if that does not help, raise the limit (ulimit -n) and restart Parley.';

/** Whether that caused an error. Some of Node's errors have the system's code only in their message. */
export const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error &&
  /\b(?:EMFILE|ENFILE)\b/.test(`${String((error as NodeJS.ErrnoException).code)} ${error.message}`);
