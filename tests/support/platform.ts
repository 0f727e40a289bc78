/** Differences between the systems that the tests run on. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const IS_WINDOWS = process.platform === 'win32';

/** Windows ends a process at once, whatever the signal: there is no way out in order, and no exit code. */
export const HAS_SIGNALS = !IS_WINDOWS;
/** Exit code of a process that ends in order when a signal asks it to; null where it can't be asked. */
export const ASKED_TO_END = HAS_SIGNALS ? 0 : null;

/** Whether files that a process has open, and the folders they are in, can be removed and moved. */
export const CAN_MOVE_OPEN = !IS_WINDOWS;

/** Named pipes and sockets in a folder. */
export const HAS_PIPES = !IS_WINDOWS;

/** Windows keeps no modes: what may be written has 0666 there, and rights come from the folder that something is in. */
export const HAS_FILE_MODES = !IS_WINDOWS;
/** Mode of a file, and of a folder, that is its owner's alone. */
export const PRIVATE_FILE = HAS_FILE_MODES ? 0o600 : 0o666;
export const PRIVATE_FOLDER = HAS_FILE_MODES ? 0o700 : 0o666;

/** Who may do what with a file or folder. */
export const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

const bundled = (file: string): string =>
  fileURLToPath(new URL(`../../node_modules/node/bin/${file}`, import.meta.url));
const BUNDLED_NODE = bundled(IS_WINDOWS ? 'node.exe' : 'node');

/** The Node that runs the app's own code: this one, unless it is too old and the project's own is there. */
export const NODE =
  Number(process.versions.node.split('.')[0]) >= 24 || !existsSync(BUNDLED_NODE)
    ? process.execPath
    : BUNDLED_NODE;
