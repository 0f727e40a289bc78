/**
 * The commands, their options and help. Each command's code is loaded when it runs, so that `parley help` and completion stay fast.
 */
import { resolve } from 'node:path';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { Answer, AnswerOptions } from './approvals.ts';
import type { AskOptions } from './ask.ts';
import type { FetchBackupOptions } from './backup.ts';
import type { ChatsOptions } from './chats.ts';
import type { Shell } from './completion.ts';
import type { ListOptions, ServiceOptions } from './client.ts';
import type { DoctorOptions } from './doctor.ts';
import type { ExportOptions } from './export.ts';
import type { CreateKeyOptions, ListKeysOptions } from './keys.ts';
import type { OpenOptions } from './open.ts';
import type { SearchOptions } from './search.ts';
import type { ServeOptions } from './serve.ts';
import type { ShowOptions } from './show.ts';
import { defaultDataDir } from '../config.ts';
import { VERSION } from '../lib/version.ts';
import { note } from './terminal.ts';
import { COMMANDS, DESCRIPTION, EXIT_CODES, type Words } from './help-words.ts';

/** Called with the exit code of a command that sets one. */
type OnExit = (code: number) => void;

/** The commands, except the one that shells call for completion. `entry`: URL of the program. */
export function createProgram(onExit: OnExit, entry: string): Command {
  const program = new Command('parley')
    .usage('[command] [options]')
    .description(DESCRIPTION)
    .version(VERSION, '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help, or help for a command')
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', EXIT_CODES);
  addServe(program, entry);
  addChatCommands(program, onExit);
  addDataCommands(program, onExit);
  addServiceCommands(program, onExit);
  return program;
}

const atLeastOne = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Enter a whole number of at least 1.');
  return Number(text);
};
const upTo100 = (text: string): number => {
  const value = atLeastOne(text);
  if (value > 100) throw new InvalidArgumentError('Enter a whole number from 1 to 100.');
  return value;
};
const toPort = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('Enter a whole number from 0 to 65535.');
  return Number(text);
};

/** A command with its help texts. */
function add(parent: Command, name: keyof typeof COMMANDS): Command {
  const { summary, about, examples }: Words = COMMANDS[name];
  const command = parent
    .command(name.split(' ').at(-1) ?? name)
    .summary(summary)
    .description(about ?? `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  if (examples !== undefined)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`);
  return command;
}

const toFolder = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('Enter the path of a folder.');
  return resolve(text);
};

const dataDirOption = (): Option =>
  new Option('--data-dir <dir>', 'the data folder').default(defaultDataDir()).argParser(toFolder);

/** Adds the options that say which service to use. */
function withService(command: Command): Command {
  const options = [
    dataDirOption(),
    new Option('--key <key>', 'use this key instead of the local one').env('PARLEY_API_KEY'),
    new Option('--url <address>', 'use this service instead of the data folder’s; needs a key').env(
      'PARLEY_URL',
    ),
    new Option('--workspace <id>', 'the workspace, for a key that works in all'),
  ];
  for (const option of options) command.addOption(option.helpGroup('Which service:'));
  return command;
}

const withJson = (command: Command): Command => withService(command).option('--json', 'print JSON');

const addServe = (program: Command, entry: string): Command =>
  add(program, 'serve')
    .option(
      '--port <n>',
      'listen on this port; 0 picks a free one. Default: 4141, or the next free one',
      toPort,
    )
    .addOption(dataDirOption())
    .option('--json', 'print one line of JSON when ready; everything else goes to standard error')
    .action(async (options: ServeOptions) => (await import('./serve.ts')).serve(options, entry));

function addChatCommands(program: Command, onExit: OnExit): void {
  program.commandsGroup('Chats:');
  withJson(add(program, 'ask').argument('[words...]', 'what to ask'))
    .addOption(
      new Option('--chat <id>', 'continue this chat; "last": the most recently changed one').env(
        'PARLEY_CHAT',
      ),
    )
    .option('--new', 'start a new chat, even if PARLEY_CHAT is set')
    .addOption(
      new Option('--mode <mode>', 'agent: with tools; chat: without tools').choices(['agent', 'chat']),
    )
    .option('--agent <type>', 'the agent that answers in this chat from now on')
    .option('--model <name>', 'the model that answers in this chat from now on')
    .addOption(
      new Option('--on-approval <what>', 'what to do when a tool asks first').choices(['ask', 'deny']),
    )
    .action(async (words: string[], options: AskOptions) =>
      onExit(await (await import('./ask.ts')).ask(words, options)),
    );
  withJson(add(program, 'chats'))
    .option('--limit <n>', 'maximum number of chats', atLeastOne, 20)
    .option('--agent <type>', 'only chats with this agent')
    .option('--archived', 'include archived chats')
    .option('--pinned', 'only pinned chats')
    .option('--deleted', 'only deleted chats')
    .action(async (options: ChatsOptions) => (await import('./chats.ts')).chats(options));
  withJson(add(program, 'show').argument('<chat>', 'its id, the start of it, or "last"'))
    .option('--reply', 'only the last reply')
    .action(async (chat: string, options: ShowOptions) => (await import('./show.ts')).show(chat, options));
  withJson(add(program, 'search').argument('<words...>', 'what to look for'))
    .option('--limit <n>', 'maximum number of messages', upTo100, 30)
    .action(async (words: string[], options: SearchOptions) =>
      (await import('./search.ts')).search(words, options),
    );
  withService(add(program, 'stop').argument('<chat>', 'its id, the start of it, or "last"')).action(
    async (chat: string, options: ServiceOptions) => (await import('./stop.ts')).stop(chat, options),
  );
  withService(
    add(program, 'answer')
      .argument('<chat>', 'its id, the start of it, or "last"')
      .addArgument(new Argument('<answer>', 'the answer').choices(['yes', 'no', 'always'])),
  )
    .option('--id <id>', 'which tool call, if several are waiting')
    .action(async (chat: string, given: Answer, options: AnswerOptions) =>
      (await import('./approvals.ts')).answer(chat, given, options),
    );
}

function addDataCommands(program: Command, onExit: OnExit): void {
  program.commandsGroup('Data:');
  withService(add(program, 'export').argument('[chat]', 'a chat; default: all chats of the workspace'))
    .addOption(
      new Option('--format <format>', 'default: from the file name, else markdown').choices([
        'markdown',
        'json',
      ]),
    )
    .option('-o, --output <file>', 'write to this file')
    .option('--force', 'overwrite an existing file')
    .action(async (chat: string | undefined, options: ExportOptions) =>
      (await import('./export.ts')).exportChats(chat, options),
    );
  withJson(add(program, 'import').argument('[file]', 'a JSON export; "-": standard input')).action(
    async (file: string | undefined, options: ListOptions) =>
      onExit(await (await import('./import.ts')).importFile(file, options)),
  );

  const backup = add(program, 'backup');
  withJson(
    backup.command('create', { isDefault: true }).description('Makes a backup and prints its path.'),
  ).action(async (options: ListOptions) => (await import('./backup.ts')).createBackup(options));
  withJson(backup.command('list').description('Lists backups, newest first.')).action(
    async (options: ListOptions) => (await import('./backup.ts')).listBackups(options),
  );
  withService(
    backup
      .command('get')
      .description('Copies a backup out of the data folder.')
      .argument('<name>', 'or "last"'),
  )
    .option('-o, --output <file>', 'write to this file')
    .option('--force', 'overwrite an existing file')
    .action(async (name: string, options: FetchBackupOptions) =>
      (await import('./backup.ts')).fetchBackup(name, options),
    );

  withJson(add(program, 'restore').argument('<name>', 'the backup, or "last"')).action(
    async (name: string, options: ListOptions) => (await import('./backup.ts')).restore(name, options),
  );
}

function addServiceCommands(program: Command, onExit: OnExit): void {
  program.commandsGroup('The service:');
  withJson(add(program, 'status')).action(async (options: ListOptions) =>
    onExit(await (await import('./status.ts')).status(options)),
  );
  withJson(add(program, 'open'))
    .option('--print', 'print the link and open nothing')
    .action(async (options: OpenOptions) => (await import('./open.ts')).openPage(options));

  const keys = add(program, 'keys');
  withJson(keys.command('list', { isDefault: true }).description('Lists the active keys.'))
    .option('--all', 'include inactive keys')
    .action(async (options: ListKeysOptions) => (await import('./keys.ts')).listKeys(options));
  withJson(
    keys
      .command('create')
      .description('Creates a key and prints it once.')
      .argument('<name>', 'the name of the key'),
  )
    .addOption(new Option('--scope <scope>', 'admin: everything').choices(['chat', 'admin']).default('chat'))
    .option('--reach', 'its turns may use external tools: folders, web pages, tool servers')
    .option('--approve', 'it may approve tools')
    .option('--expires <when>', 'a duration such as 12h, 30d or 8w, or a date')
    .action(async (name: string, options: CreateKeyOptions) =>
      (await import('./keys.ts')).createKey(name, options),
    );
  withJson(
    keys
      .command('revoke')
      .description('Revokes a key for good.')
      .argument('<key>', 'its id, the start of it, or its name'),
  ).action(async (name: string, options: ListOptions) =>
    (await import('./keys.ts')).revokeKey(name, options),
  );

  add(program, 'mcp')
    .addOption(dataDirOption())
    .action(async ({ dataDir }: { dataDir: string }) => {
      await (await import('./mcp.ts')).runMcp({ dataDir, log: note });
      process.stdin.destroy();
    });

  add(program, 'completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish', 'powershell']))
    .action(async (shell: Shell) => (await import('./completion.ts')).printScript(shell));

  add(program, 'doctor')
    .addOption(dataDirOption())
    .option('--json', 'print JSON')
    .action(async (options: DoctorOptions) => onExit(await (await import('./doctor.ts')).doctor(options)));
}
