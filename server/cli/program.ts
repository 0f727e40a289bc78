/** The commands, their options and help. A command's code is loaded when it runs, which keeps help and completion fast. */
import { resolve } from 'node:path';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { ListOptions } from './client.ts';
import type { ServeOptions } from './serve.ts';
import { defaultDataDir } from '../config.ts';
import { withThousands } from '../../shared/numbers.ts';
import { VERSION } from '../lib/version.ts';
import { note } from './terminal.ts';
import { COMMANDS, DESCRIPTION, EXIT_CODES, type HelpWords } from './help-words.ts';

/** The commands, except the one that shells call for completion. `entry`: URL of the program. */
export function createProgram(entry: string): Command {
  const program = new Command('parley')
    // Errors are thrown, and printed by main.ts. All commands inherit this.
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .usage('[command] [options]')
    .description(DESCRIPTION)
    .version(VERSION, '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help, or help for a command')
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', EXIT_CODES);
  addServe(program, entry);
  addChatCommands(program);
  addScheduleCommands(program);
  addDataCommands(program);
  addServiceCommands(program);
  return program;
}

/** A whole number in that range. */
const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Enter a whole number from ${least} to ${withThousands(most)}.`);
  };

/** An action whose code is loaded when it runs. */
const lazy =
  <Args extends unknown[]>(load: () => Promise<(...args: Args) => unknown>) =>
  async (...args: Args): Promise<void> => {
    await (
      await load()
    )(...args);
  };

/** A command with its help texts. */
function add(parent: Command, name: keyof typeof COMMANDS): Command {
  const { summary, about, examples }: HelpWords = COMMANDS[name];
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

const toFile = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('Enter the path of a file.');
  return text;
};

/** Adds the options that say where a download goes. */
const withOutput = (command: Command): Command =>
  withService(command)
    .option('-o, --output <file>', 'write to this file; "-": standard output', toFile)
    .option('--force', 'overwrite an existing file');

const A_CHAT = 'its id, the start of it, or "last"';

/** What may name a chat. Dots are steps in an address, and a variable that isn't set is empty. */
const toChat = (text: string): string => {
  if (/^[\s.]*$/.test(text)) throw new InvalidArgumentError(`Enter ${A_CHAT}; parley chats lists the chats.`);
  return text;
};

const chatArgument = (): Argument => new Argument('<chat>', A_CHAT).argParser(toChat);

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
      wholeNumber(0, 65_535),
    )
    .addOption(dataDirOption())
    .option('--json', 'print one line of JSON when ready; everything else goes to standard error')
    .action(async (options: ServeOptions) => (await import('./serve.ts')).serve(options, entry));

function addChatCommands(program: Command): void {
  program.commandsGroup('Chats:');
  withJson(add(program, 'ask').argument('[words...]', 'what to ask'))
    .addOption(
      new Option('--chat <id>', 'continue this chat; "last": the most recently changed one')
        .env('PARLEY_CHAT')
        .argParser(toChat),
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
    .action(lazy(async () => (await import('./ask.ts')).ask));
  withJson(add(program, 'chats'))
    .option('--limit <n>', 'maximum number of chats', wholeNumber(1, 1_000_000), 20)
    .option('--agent <type>', 'only chats with this agent')
    .option('--archived', 'include archived chats')
    .option('--pinned', 'only pinned chats')
    .option('--deleted', 'only deleted chats')
    .action(lazy(async () => (await import('./chats.ts')).chats));
  withJson(add(program, 'show').addArgument(chatArgument()))
    .option('--reply', 'only the last reply')
    .action(lazy(async () => (await import('./show.ts')).show));
  withJson(add(program, 'search').argument('<words...>', 'what to look for'))
    .option('--limit <n>', 'maximum number of messages', wholeNumber(1, 100), 30)
    .action(lazy(async () => (await import('./search.ts')).search));
  withService(add(program, 'stop').addArgument(chatArgument())).action(
    lazy(async () => (await import('./stop.ts')).stop),
  );
  withService(
    add(program, 'answer')
      .addArgument(chatArgument())
      .addArgument(new Argument('<answer>', 'the answer').choices(['yes', 'no', 'always'])),
  )
    .option('--id <id>', 'which tool call, if several are waiting')
    .action(lazy(async () => (await import('./approvals.ts')).answerApproval));
}

function addScheduleCommands(program: Command): void {
  const schedule = add(program, 'schedule');
  const list = schedule
    .command('list', { isDefault: true })
    .description('Lists the schedules, the next one first.');
  withJson(list).action(lazy(async () => (await import('./schedules.ts')).printSchedules));
  withJson(
    schedule
      .command('add')
      .description('Adds a schedule.')
      .argument('<when>', 'in words, as an ISO time or as a cron expression')
      .argument('<words...>', 'the message to send'),
  )
    .option('--chat <id>', 'send to this chat; default: a new chat each time', toChat)
    .option('--project <id>', 'the project of the new chats')
    .option('--agent <type>', 'the agent that answers')
    .option('--model <name>', 'the model that answers')
    .option('--time-zone <name>', 'such as Europe/Berlin; default: that of this computer')
    .option('--allow <tools...>', 'tools that ask first and may be used; put them last')
    .action(lazy(async () => (await import('./schedules.ts')).addSchedule));
  const verbs = [
    ['pause', 'Pauses a schedule.'],
    ['resume', 'Resumes a paused schedule.'],
    ['run', 'Sends the message of a schedule now.'],
    ['delete', 'Deletes a schedule; what it has sent stays.'],
  ] as const;
  for (const [verb, about] of verbs)
    withJson(
      schedule.command(verb).description(about).argument('<schedule>', 'its id, or the start of it'),
    ).action(async (id: string, options: ListOptions) => {
      await (await import('./schedules.ts')).changeSchedule(verb, id, options);
    });
}

function addDataCommands(program: Command): void {
  program.commandsGroup('Data:');
  withOutput(add(program, 'export').argument('[chat]', 'a chat; default: all chats of the workspace', toChat))
    .addOption(
      new Option('--format <format>', 'default: from the file name, else markdown').choices([
        'markdown',
        'json',
      ]),
    )
    .action(lazy(async () => (await import('./export.ts')).writeExport));
  withJson(add(program, 'import').argument('[file]', 'a JSON export; "-": standard input', toFile)).action(
    lazy(async () => (await import('./import.ts')).sendImport),
  );

  const backup = add(program, 'backup');
  withJson(
    backup.command('create', { isDefault: true }).description('Makes a backup and prints its path.'),
  ).action(lazy(async () => (await import('./backup.ts')).createBackup));
  withJson(backup.command('list').description('Lists backups, newest first.')).action(
    lazy(async () => (await import('./backup.ts')).listBackups),
  );
  withOutput(
    backup
      .command('get')
      .description('Copies a backup out of the data folder.')
      .argument('<name>', 'or "last"'),
  ).action(lazy(async () => (await import('./backup.ts')).fetchBackup));

  withJson(add(program, 'restore').argument('<backup>', 'a backup of the list, "last", or a file')).action(
    lazy(async () => (await import('./backup.ts')).restore),
  );
}

function addServiceCommands(program: Command): void {
  program.commandsGroup('The service:');
  withJson(add(program, 'status')).action(lazy(async () => (await import('./status.ts')).status));
  withJson(add(program, 'open'))
    .option('--print', 'print the link and open nothing')
    .action(lazy(async () => (await import('./open.ts')).openPage));

  const keys = add(program, 'keys');
  withJson(keys.command('list', { isDefault: true }).description('Lists the active keys.'))
    .option('--all', 'include inactive keys')
    .action(lazy(async () => (await import('./keys.ts')).printKeys));
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
    .action(lazy(async () => (await import('./keys.ts')).printNewKey));
  withJson(
    keys
      .command('revoke')
      .description('Revokes a key for good.')
      .argument('<key>', 'its id, the start of it, or its name'),
  ).action(lazy(async () => (await import('./keys.ts')).revokeNamedKey));

  add(program, 'mcp')
    .addOption(dataDirOption())
    .action(async ({ dataDir }: { dataDir: string }) => {
      await (await import('./mcp.ts')).runMcp({ dataDir, log: note });
      process.stdin.destroy();
    });

  add(program, 'completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish', 'powershell']))
    .action(lazy(async () => (await import('./completion.ts')).printScript));

  add(program, 'doctor')
    .addOption(dataDirOption())
    .option('--json', 'print JSON')
    .action(lazy(async () => (await import('./doctor.ts')).doctor));
}
