/**
 * `npm run serve` in a checkout: builds the service if needed and runs it in this process, so that signals, arguments and exit
 * codes are its own.
 */
import { ensureBuilt } from './ensure-built.ts';

ensureBuilt(process.argv.slice(2));
await import(new URL('../../out/main/cli.js', import.meta.url).href);
