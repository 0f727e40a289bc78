/**
 * What Electron's own default app does for `electron --switch -r before.cjs FOLDER …`, for the fetched copy, which has none.
 * Written for Node 20. Electron becomes ready only once the app's own code has been evaluated.
 */
import { app } from 'electron';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const args = process.argv.slice(1);
const modules = [];
while (args[0].startsWith('-')) {
  if (args.shift() === '-r') modules.push(args.shift());
}
const folder = resolve(args[0]);
const { productName, name, version, main, desktopName } = JSON.parse(
  readFileSync(join(folder, 'package.json'), 'utf8'),
);
app.setName(productName ?? name);
app.setVersion(version);
app.setAppPath(folder);
if (desktopName !== undefined) app.setDesktopName(desktopName);
const require = createRequire(import.meta.url);
for (const path of modules) require(path);
await import(pathToFileURL(join(folder, main)).href);
