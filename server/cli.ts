#!/usr/bin/env node
/**
 * The program. Runs the service, or a command if one is named (cli/). For the service: arguments, output, signals and exit codes.
 */
import { parseArgs } from 'node:util';
import { enableCompileCache } from './process/compile-cache.ts';
import { builtPageDir, defaultCacheDir, defaultDataDir } from './config.ts';
import { OwnedError } from './process/owner/owner.ts';
import type { Service } from './service.ts';
import { endProcess, growThreadPool } from './process/thread-pool.ts';
import { VERSION } from './lib/version.ts';

const EXIT = { clean: 0, failure: 1, usage: 2, owned: 3 } as const;

const USAGE = `Usage: parley [--port N] [--data-dir DIR] [--json]
       parley <command>; "parley help" tells more.
`;

interface Arguments {
  port: number | null;
  dataDir: string;
  json: boolean;
}

/** Throws an Error with a message for the person if the arguments are invalid. */
function readArguments(argv: string[]): Arguments | 'version' {
  const { values } = parseArgs({
    args: argv,
    options: {
      port: { type: 'string' },
      'data-dir': { type: 'string' },
      json: { type: 'boolean', default: false },
      version: { type: 'boolean', short: 'v', default: false },
    },
  });
  if (values.version) return 'version';
  const { port, 'data-dir': dataDir = defaultDataDir(), json } = values;
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
    throw new Error(`--port takes a number from 0 to 65535, not "${port}".`);
  }
  if (dataDir === '') throw new Error('--data-dir takes the path of a folder.');
  return { port: port === undefined ? null : Number(port), dataDir, json };
}

/** Options whose next argument is their value, not a command. */
const WITH_VALUE = new Set(['--port', '--data-dir', '--key', '--url', '--workspace']);

/**
 * The arguments of a command, which come first: options that stand before it go behind. Null: the service is to be run, with or
 * without the word for it.
 */
function commandOf(argv: readonly string[]): string[] | null {
  const wantsHelp = argv.includes('--help') || argv.includes('-h');
  const at = findWord(argv);
  if (at === -1) return wantsHelp ? ['--help'] : null;
  if (argv[at] === 'serve' && !wantsHelp) return null;
  const own = argv.slice(at);
  const end = own.indexOf('--');
  return own.toSpliced(end === -1 ? own.length : end, 0, ...argv.slice(0, at));
}

/** Index of the first argument that is neither an option nor an option's value; -1: none. */
const findWord = (argv: readonly string[]): number =>
  argv.findIndex((argument, index) => !argument.startsWith('-') && !WITH_VALUE.has(argv[index - 1] ?? ''));

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  const command = commandOf(argv);
  if (command !== null) {
    enableCompileCache(import.meta.url, defaultCacheDir());
    const { runCommand } = await import('./cli/main.ts');
    process.exitCode = await runCommand(command);
    return;
  }
  growThreadPool();
  let args: ReturnType<typeof readArguments>;
  try {
    args = readArguments(argv.filter((_argument, index) => index !== findWord(argv)));
  } catch (error) {
    complain(`${messageOf(error)}\n${USAGE}`);
    process.exitCode = EXIT.usage;
    return;
  }
  if (args === 'version') process.stdout.write(`${VERSION}\n`);
  else await serve(args);
}

async function serve({ port, dataDir, json }: Arguments): Promise<void> {
  // The reader of stdout may go away; the service keeps running.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  enableCompileCache(import.meta.url, defaultCacheDir());
  const { startService } = await import('./start.ts');
  const starting = startService({ port, dataDir, pageDir: builtPageDir(import.meta.url) });

  const ending = { begun: false };
  /** Stops the service, even if it is still starting. A second call exits at once. */
  const end = (code: number): void => {
    if (ending.begun) process.exit(EXIT.failure);
    ending.begun = true;
    void starting
      .then((service) => service.close())
      .catch(() => undefined)
      .finally(() => void endProcess(code));
  };
  const fail = (error: unknown): void => {
    complain(`Parley failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    end(EXIT.failure);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  // SIGHUP: the terminal was closed, which the programs of tool servers aren't told by the system.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(EXIT.clean));

  try {
    const service = await starting;
    if (!ending.begun) announce(service, json);
  } catch (error) {
    complain(messageOf(error));
    if (error instanceof OwnedError) {
      const { linkOfOwner } = await import('./process/owner/connection-file.ts');
      const link = await linkOfOwner(dataDir);
      if (link !== null) complain(`\n  Open it    ${link}\n\nThe link works once.`);
    }
    process.exit(error instanceof OwnedError ? EXIT.owned : EXIT.failure);
  }
}

function announce(service: Service, json: boolean): void {
  const { url: baseUrl, apiKey, dataDir, portNote } = service;
  const pageUrl = service.createPageUrl();
  if (json) {
    process.stdout.write(`${JSON.stringify({ baseUrl, apiKey, pageUrl, dataDir, pid: process.pid })}\n`);
    return;
  }
  process.stdout.write(
    `Parley ${VERSION} is running at ${baseUrl}\n${portNote === null ? '' : `${portNote}\n`}\n` +
      `  Open it    ${pageUrl}\n` +
      `  Local key  ${apiKey}\n` +
      `  Data       ${dataDir}\n\n` +
      'The link works once. Ctrl+C stops Parley.\n',
  );
}

const complain = (text: string): void => void process.stderr.write(`${text.trimEnd()}\n`);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

await main();
