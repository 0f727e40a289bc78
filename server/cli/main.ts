/** Runs a command and returns its exit code; every error is one sentence on standard error. */
import { Console } from 'node:console';
import { type Command, CommanderError } from 'commander';
import { CommandError, EXIT } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { leaveWithReader, note, withoutControls } from './terminal.ts';
import { messageOf } from '../lib/message-of.ts';

/** Runs the command that the arguments name, and resolves with its exit code. `entry`: URL of the program. */
export async function runCommand(argv: readonly string[], entry: string): Promise<number> {
  leaveWithReader();
  // An empty variable counts as unset, an empty option doesn't: it may be a script's mistake.
  for (const name of ['PARLEY_API_KEY', 'PARLEY_URL', 'PARLEY_CHAT'])
    if (process.env[name] === '') Reflect.deleteProperty(process.env, name);
  const program = createProgram(entry);
  try {
    if (argv[0] === 'complete') {
      const { addAnswers } = await import('./completion.ts');
      addAnswers(program);
    } else {
      // What other libraries print is no output of the command.
      globalThis.console = new Console(process.stderr);
    }
    const args = refusable(withCommandFirst(argv, program), program);
    requireSubcommand(args, program);
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    return reportError(error, argv);
  }
}

/** The arguments with the command first: options may stand before it. Without a command, the service is meant. */
function withCommandFirst(argv: readonly string[], program: Command): readonly string[] {
  const withValue = program.commands
    .flatMap(({ options }) => options.filter(({ required }) => required))
    .flatMap(({ long, short }) => [long, short]);
  const at = argv.findIndex(
    (argument, index) => !argument.startsWith('-') && !withValue.includes(argv[index - 1] ?? ''),
  );
  if (at === -1)
    return argv.some((flag) => /^(--help|--version|-h|-v)$/.test(flag)) ? argv : ['serve', ...argv];
  const own = argv.slice(at);
  const end = own.indexOf('--');
  return own.toSpliced(end === -1 ? own.length : end, 0, ...argv.slice(0, at));
}

/** An unknown command alone: with `help` or `--help`, Commander would print its general help instead of refusing it. */
function refusable(args: readonly string[], { commands }: Command): readonly string[] {
  const [name = '-'] = args[0] === 'help' ? args.slice(1) : args;
  const isKnown = name.startsWith('-') || commands.some((command) => command.name() === name);
  return isKnown ? args : [name];
}

/** For Commander, a word that names no command of `parley keys` would be an argument of `parley keys list`. */
function requireSubcommand([name, ...words]: readonly string[], program: Command): void {
  const word = words.find((one) => one !== 'help') ?? '-';
  const names = program.commands
    .find((command) => command.name() === name)
    ?.commands.map((one) => one.name());
  if (!names || names.length === 0 || word.startsWith('-') || names.includes(word)) return;
  throw new CommandError(`There is no command "${name} ${word}", only ${names.join(', ')}.`, EXIT.usage);
}

function reportError(error: unknown, [first = '']: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === EXIT.done) return error.exitCode;
    // These are words, not a command.
    const hint =
      error.code === 'commander.unknownCommand' && /\s/.test(first)
        ? ` To ask: parley ask ${JSON.stringify(first)}`
        : '';
    note(`${asSentence(error.message)}${hint}\nUsage: parley [command] [options]; "parley help" tells more.`);
    return EXIT.usage;
  }
  if (error instanceof CommandError) {
    note(withoutControls(error.message));
    return error.exitCode;
  }
  note(`This failed because of a bug in Parley: ${messageOf(error)}`);
  return EXIT.failed;
}

/** Commander's message as a sentence in our style. */
function asSentence(message: string): string {
  const text = withoutControls(message).replace(/^error: /, '');
  const [first = '', ...rest] = text.split('\n');
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ').replace(/(?<![.?!)])$/, '.');
}
