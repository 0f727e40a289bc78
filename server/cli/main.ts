/** Runs a command and returns its exit code; every error is one sentence on standard error. */
import { CommanderError } from 'commander';
import { CommandError, EXIT } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { leaveWithReader, note, withoutControls } from './terminal.ts';

/** Runs the command that the arguments name, and resolves with its exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  leaveWithReader();
  let code: number = EXIT.done;
  const program = createProgram((own) => {
    code = own;
  });
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ])
    command.exitOverride().configureOutput({ outputError: () => undefined });
  try {
    if (argv[0] === 'complete') {
      const { addAnswers } = await import('./completion.ts');
      addAnswers(program);
    }
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    return tell(error, argv);
  }
}

function tell(error: unknown, [first = '']: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === EXIT.done || error.code === 'commander.help') return error.exitCode;
    // These are words, not a command.
    const hint =
      error.code === 'commander.unknownCommand' && /\s/.test(first)
        ? ` To ask: parley ask ${JSON.stringify(first)}`
        : '';
    note(`${asSentence(error.message)}${hint}\nUsage: parley [command] [options]; "parley help" tells more.`);
    return EXIT.usage;
  }
  if (error instanceof CommandError) {
    note(error.message);
    return error.exitCode;
  }
  note(`This failed because of a bug in Parley: ${error instanceof Error ? error.message : String(error)}`);
  return EXIT.failed;
}

/** Commander's message as a sentence in our style. */
function asSentence(message: string): string {
  const text = withoutControls(message).replace(/^error: /, '');
  const [first = '', ...rest] = text.split('\n');
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ').replace(/(?<![.?!)])$/, '.');
}
