/** Completing words in shells: their scripts, and what those ask for. */
import { script } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { say } from './terminal.ts';

/** The shells that there are scripts for. */
export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

/** The script for bash calls this function of the bash-completion package, which macOS and small systems don't have. */
const WITHOUT_PACKAGE = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
        cur=\${COMP_WORDS[COMP_CWORD]}
        prev=\${COMP_WORDS[COMP_CWORD - 1]}
    }
fi`;

/** Prints what a shell needs to complete the words of `parley`. */
export function printScript(shell: Shell): void {
  if (shell === 'bash') say(WITHOUT_PACKAGE);
  script(shell, 'parley', 'parley');
}

/** Adds the command that the scripts call: `complete -- WORD…`. */
export function addAnswers(program: Command): void {
  // Where shells show a description there is room for a few words.
  for (const command of program.commands) command.description(command.summary());
  // It is not for people, and not to be completed itself.
  tab(program).commands.delete('complete');
}
