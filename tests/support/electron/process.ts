/** What Electron adds to `process` in its main process. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { app } from './app.ts';

/** Set in the environment: the folder that an installed app has its resources in. */
const RESOURCES = 'STAND_IN_RESOURCES';

const packageFile = createRequire(import.meta.url).resolve('electron/package.json');
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

// The version whose types the app is checked against.
Object.defineProperty(process.versions, 'electron', { value: version, enumerable: true });
Object.assign(process, {
  type: 'browser',
  resourcesPath: process.env[RESOURCES] ?? app.getAppPath(),
  // Documented as set when the app isn't an installed one, and absent otherwise.
  ...(!app.isPackaged && { defaultApp: true }),
});
