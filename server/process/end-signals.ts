/**
 * The signals that ask a process to end. SIGHUP: its terminal was closed. SIGQUIT: Ctrl+\ there. SIGBREAK: Ctrl+Break on Windows.
 * The others end a process that doesn't expect them, and for SIGUSR1 Node would open its debugger to every user of the computer.
 */
export const END_SIGNALS = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGBREAK',
] as const;
