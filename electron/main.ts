/** The desktop app: what is set up, in the order in which it has to be. */
import { app, dialog, powerMonitor, safeStorage, shell } from 'electron';
import { builtPageDir } from '../server/config.ts';
import { openLogFile } from '../server/log-file.ts';
import { linkOfOwner } from '../server/owner-link.ts';
import type { Service } from '../server/start.ts';
import { VERSION } from '../server/version.ts';
import { readArguments, type Arguments } from './arguments.ts';
import { openDesktop } from './desktop.ts';
import { createDialogs } from './dialogs.ts';
import { setupFaults } from './faults.ts';
import { createIntents } from './intents.ts';
import { setupPaths } from './paths.ts';
import { setupQuit } from './quit.ts';
import { openSecretBox } from './secret-box.ts';
import { startOnce, startWithHelp } from './service.ts';
import { words } from './words.ts';

const EXIT = { clean: 0, usage: 2 } as const;

const args = readOwnArguments();
app.setName(words.app);
app.enableSandbox();
const paths = setupPaths(app, args.dataDir);
const intents = createIntents(app, args);
// The one that has the lock is told, and comes to the front.
if (app.requestSingleInstanceLock({ argv: process.argv.slice(1) })) void run();
else app.exit(EXIT.clean);

/** Not awaited at the module's top level: Electron gets ready only after this module has run. */
async function run(): Promise<void> {
  const ready = app.whenReady();
  const logFile = openLogFile({ dir: paths.logDir });
  const log = (line: string): void => logFile.write(line);
  log(`Parley ${VERSION} starts.`);
  const dialogs = createDialogs({ dialog, shell, logPath: logFile.path });
  const openExternal = (url: string): Promise<void> => shell.openExternal(url);

  let lastStart: Promise<Service> | null = null;
  const start = (): Promise<Service> => {
    lastStart = startOnce({
      dataDir: paths.dataDir,
      pageDir: builtPageDir(import.meta.url),
      port: args.port,
      openSecretBox: () => ready.then(() => openSecretBox(safeStorage, process.platform)),
      log,
    });
    return lastStart;
  };
  const quit = setupQuit({
    app,
    powerMonitor,
    log,
    stop: async () => {
      await lastStart?.then((service) => service.close()).catch(() => undefined);
      log('Parley has ended.');
      await logFile.close();
    },
  });
  setupFaults({ app, ready, dialogs, quit, log });

  const service = await startWithHelp({
    dataDir: paths.dataDir,
    start,
    ready,
    dialogs,
    linkOfOwner: () => linkOfOwner(paths.dataDir),
    openExternal,
    log,
  });
  if ('exitCode' in service) {
    quit.quit(service.exitCode);
    return;
  }
  await ready;
  // A Mac hands no arguments to what it opens at login.
  const wasOpenedAtLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
  process.stdout.write(`Parley ${VERSION} is running at ${service.url}\n`);
  openDesktop({
    service,
    paths,
    isHidden: args.hidden || wasOpenedAtLogin,
    intents,
    dialogs,
    quit,
    log,
    program: import.meta.url,
  });
}

function readOwnArguments(): Arguments {
  try {
    return readArguments(process.argv.slice(1));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(EXIT.usage);
  }
}
