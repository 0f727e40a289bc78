/**
 * Shell completion. Each shell's script passes the words to `parley complete` as arguments and reads lines of a word, a tab and a
 * description; it never evaluates what was typed or answered. Lines that begin with ":" are skipped. If nothing fits, files are
 * offered.
 */
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { say } from './terminal.ts';

// bash passes "=" as a separate word.
const BASH = `# bash completion for parley
__parley_complete() {
    local cur=\${COMP_WORDS[COMP_CWORD]} words=() word
    for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
        [[ $word == = ]] || words+=("$word")
    done
    if [[ $cur == = ]]; then
        cur=
        words+=("")
    fi
    COMPREPLY=()
    while IFS=$'\\t' read -r word _; do
        [[ $word != :* && $word == "$cur"* ]] && COMPREPLY+=("$word")
    done < <(parley complete -- "\${words[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F __parley_complete parley`;

// It is sourced, or is in a folder of $fpath and runs when first needed.
const ZSH = `#compdef parley
_parley() {
    local -a answers
    local line
    for line in "\${(@f)$(parley complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -z $line || $line == :* ]] && continue
        line=\${line//:/\\\\:}
        line=\${line/$'\\t'/:}
        answers+=("\${line%:}")
    done
    [[ $PREFIX == --*=* ]] && compset -P '*='
    if (( $#answers )); then
        _describe 'parley' answers
    else
        _files
    fi
}
if [[ $funcstack[1] == _parley ]]; then
    _parley
else
    compdef _parley parley
fi`;

const FISH = `# fish completion for parley
function __parley_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l flag (string match -r -- '^--[^=]+=' "$current")
    set -l answers (parley complete -- $typed[2..-1] "$current" 2>/dev/null | string match -v -- ':*')
    if test (count $answers) -gt 0
        printf '%s\\n' "$flag"$answers
    else
        __fish_complete_path "$current"
    end
end
complete -c parley -e
complete -c parley -f -a '(__parley_complete)'`;

// Words of other than plain characters complete to nothing, and .cmd files and older versions pass them on as something else.
// Those versions pass an empty word on only in quotes.
const POWERSHELL = `# PowerShell completion for parley
Register-ArgumentCompleter -Native -CommandName parley -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { if ("$_" -match '^[A-Za-z0-9_./:=@-]+$') { "$_" } else { '_' } })
    if ($wordToComplete -eq '') {
        $isOld = $PSVersionTable.PSVersion -lt [version]'7.3' -or $PSNativeCommandArgumentPassing -eq 'Legacy'
        $words += $(if ($isOld) { '""' } else { '' })
    }
    $flag = if ($wordToComplete -match '^--[a-z-]+=') { $Matches[0] } else { '' }
    & parley complete '--' @words 2>$null | ForEach-Object {
        $name, $about = $_ -split [char]9, 2
        if ($name.StartsWith(':') -or -not "$flag$name".StartsWith($wordToComplete)) { return }
        if (-not $about) { $about = $name }
        [System.Management.Automation.CompletionResult]::new("$flag$name", $name, 'ParameterValue', $about)
    }
}`;

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const;

/** The shells with a script. */
export type CompletionShell = keyof typeof SCRIPTS;

/** Prints what a shell needs to complete the words of `parley`. */
export const printScript = (shell: CompletionShell): void => say(SCRIPTS[shell]);

/** Adds the command that the scripts call: `complete -- WORD…`. */
export function addAnswers(program: Command): void {
  // Shells have room for only a few words of description.
  for (const command of program.commands) command.description(command.summary());
  // It isn't for people and isn't completed itself.
  tab(program).commands.delete('complete');
}
