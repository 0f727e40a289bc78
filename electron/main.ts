/** The desktop app: sets everything up, in the required order. */
import { app, dialog, powerMonitor, safeStorage, session, shell } from 'electron';
import { readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../server/cli/exit-codes.ts';
import { builtPageDir } from '../server/config.ts';
import { attempt } from '../shared/attempt.ts';
import { openLogFile } from '../server/process/log-file.ts';
import { endProcess, growThreadPool } from '../server/process/thread-pool.ts';
import { VERSION } from '../server/lib/version.ts';
import { commandOf, hasLongLink, readArguments, TOO_LONG_LINK, type Arguments } from './arguments.ts';
import { openDesktop } from './desktop.ts';
import { createDialogs } from './dialogs.ts';
import { whyNoDisplay } from './display.ts';
import { setupFaults } from './faults.ts';
import { appName } from './identity.ts';
import { createIntents } from './intents.ts';
import { joinPaths, readLoginPath } from './login-path.ts';
import { setupNetwork } from './network.ts';
import { setupPaths } from './paths.ts';
import { setupQuit } from './quit.ts';
import { createRestart, restart } from './restart.ts';
import { createSystemBox } from './secret-box.ts';
import { createHost, startWithHelp } from './service.ts';
import { createTempFolder } from './temp-folder.ts';
import { words } from './words.ts';
import { messageOf } from '../server/lib/message-of.ts';

growThreadPool();
const noDisplay = process.platform === 'linux' ? await whyNoDisplay(process.env) : null;
const command = commandOf(process.argv.slice(app.isPackaged ? 1 : 2), noDisplay === null);
// Awaited: Electron becomes ready, and ends without a display, only after this module has run.
if (command !== null) process.exit(await runInTerminal(command));
if (noDisplay !== null) refuse(words.noDisplay(noDisplay), EXIT.failed);
const args = readOwnArguments();
app.setName(appName(app, process.platform));
app.enableSandbox();
// A self-check doesn't touch existing data, nor a running Parley.
const paths = setupPaths(app, args.selfCheck === null ? args.dataDir : createTempFolder('parley-check-'));
const intents = createIntents(app, args);
if (args.selfCheck !== null) void checkSelf(args.selfCheck);
else if (paths.problem !== null) void reportNoFolder(paths.problem);
// The process that has the lock is notified, and comes to the front.
else if (app.requestSingleInstanceLock()) void run();
else if (isOwnedByAnother(paths.windowDir)) app.exit(EXIT.done);
else void reportNoFolder(new Error(words.noTempFolder(tmpdir())));

/** Not awaited at the module's top level: Electron becomes ready only after this module has run. */
async function run(): Promise<void> {
  const ready = app.whenReady();
  const logFile = openLogFile(paths.logDir);
  const log = (line: string): void => logFile.write(line);
  log(`Parley ${VERSION} starts.`);
  void findPrograms(log);
  const dialogs = createDialogs({ dialog, shell, logPath: logFile.path });
  const secretBox = createSystemBox(safeStorage, process.platform);
  const openExternal = (url: string): Promise<void> => shell.openExternal(url);

  const host = createHost(async () => {
    const { startService } = await import('../server/start.ts');
    return startService({
      dataDir: paths.dataDir,
      pageDir: builtPageDir(import.meta.url),
      port: args.port,
      openSecretBox: () => ready.then(() => secretBox.open()),
      // A session of its own: that of the windows uses no proxy.
      systemProxy: (url) => ready.then(() => session.fromPartition('proxy').resolveProxy(url)),
      log,
    });
  });
  const stop = async (): Promise<void> => {
    await host.close();
    log('Parley has ended.');
    await logFile.close();
  };
  const exit = (code: number): void => void endProcess(code, (last) => app.exit(last));
  const { startAgain, startIfWanted } = createRestart(startAfterwards);
  const quit = setupQuit({ app, powerMonitor, ready, stop, beforeExit: startIfWanted, exit, log });
  setupFaults({ startAgain: () => startAgain(null), ready, dialogs, quit, log });

  const { start } = host;
  const linkOfOwner = async (): Promise<string | null> =>
    (await import('../server/cli/open.ts')).pageFileOfOwner(paths.dataDir);
  const { isQuitting } = quit;
  const service = await startWithHelp({ start, ready, dialogs, linkOfOwner, openExternal, isQuitting, log });
  // A person quit while it started: quitting closes what was started.
  if (quit.isQuitting()) return;
  if ('exitCode' in service) {
    quit.quit(service.exitCode);
    return;
  }
  await ready;
  await setupNetwork(session.defaultSession, { loadsFromElsewhere: false, log });
  if (quit.isQuitting()) return;
  // On a Mac, apps opened at login get no arguments.
  const wasOpenedAtLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
  process.stdout.write(`Parley ${VERSION} is running at ${service.url}\n`);
  openDesktop({
    service,
    paths,
    isHidden: args.hidden || wasOpenedAtLogin,
    intents,
    dialogs,
    quit,
    startAgain,
    secretsKept: () => secretBox.kept(),
    openExternal,
    log,
    program: import.meta.url,
  });
}

async function runInTerminal(argv: readonly string[]): Promise<number> {
  const { runCommand } = await import('../server/cli/main.ts');
  return runCommand(argv, import.meta.url);
}

/** Prints what works on this machine and exits; the exit code says whether anything failed. */
async function checkSelf(as: 'table' | 'json'): Promise<void> {
  app.on('window-all-closed', () => undefined);
  await app.whenReady();
  const { diagnose } = await import('./diagnostics.ts');
  const { isValid } = await import('./self-check.ts');
  const { system, rows, text } = await diagnose(import.meta.url, null);
  process.stdout.write(as === 'json' ? `${JSON.stringify({ system, rows })}\n` : text);
  rmSync(paths.dataDir, { recursive: true, force: true, maxRetries: 5 });
  app.exit(isValid(rows) ? EXIT.done : EXIT.failed);
}

/** Lets tool servers find their programs even if a launcher without the shell's PATH started the app. */
async function findPrograms(log: (line: string) => void): Promise<void> {
  const { PATH = '', SHELL = '', TERM } = process.env;
  if (process.platform === 'win32' || !app.isPackaged || TERM !== undefined) return;
  const path = await readLoginPath(SHELL);
  if (path === null) log(`The login shell returned no PATH. Using ${PATH}.`);
  else process.env['PATH'] = joinPaths(path, PATH);
}

/**
 * Whether another process has the single instance's lock. Chromium also refuses it where it can't put its socket into the temporary
 * folder, as on a full disk, and then leaves a lock with this process's own id, or none.
 */
function isOwnedByAnother(windowDir: string): boolean {
  if (process.platform === 'win32') return true;
  const owner = attempt(() => readlinkSync(join(windowDir, 'SingletonLock')));
  return owner !== null && !owner.endsWith(`-${process.pid}`);
}

/** No folder can be used, so nothing is started: no log, no service, no window. */
async function reportNoFolder(problem: unknown): Promise<void> {
  const { explainStart } = await import('../server/process/start-refusal.ts');
  await app.whenReady();
  const dialogs = createDialogs({ dialog, shell, logPath: join(paths.logDir, 'parley.log') });
  const answer = await dialogs.notStarted(messageOf(explainStart(problem, paths.dataDir)));
  if (answer === 'again') startAfterwards(null);
  app.exit(EXIT.failed);
}

function startAfterwards(link: string | null): void {
  const { argv, env, execPath, pid } = process;
  restart({ app, argv, env, execPath, pid }, link);
}

function readOwnArguments(): Arguments {
  try {
    return readArguments(process.argv.slice(1));
  } catch (error) {
    if (!hasLongLink(process.argv)) return refuse(messageOf(error), EXIT.usage);
    process.stderr.write(`${messageOf(error)}\n`);
    startAfterwards(TOO_LONG_LINK);
    return process.exit(EXIT.usage);
  }
}

/** Ends the process before anything was started or stored. */
function refuse(reason: string, exitCode: number): never {
  process.stderr.write(`${reason}\n`);
  // Started from an icon there is no terminal; on Linux this early it would only be a second line there.
  if (process.platform !== 'linux') dialog.showErrorBox(words.notStarted, reason);
  process.exit(exitCode);
}
