/** Completing words in shells: their scripts, and what those ask for. */
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { SCRIPTS } from './completion-scripts.ts';
import { say } from './terminal.ts';

/** The shells that there are scripts for. */
export type Shell = keyof typeof SCRIPTS;

/** Prints what a shell needs to complete the words of `parley`. */
export const printScript = (shell: Shell): void => say(SCRIPTS[shell]);

/** Adds the command that the scripts call: `complete -- WORD…`. */
export function addAnswers(program: Command): void {
  // Where shells show a description there is room for a few words.
  for (const command of program.commands) command.description(command.summary());
  // It is not for people, and not to be completed itself.
  tab(program).commands.delete('complete');
}
