/**
 * `npm run serve` in a checkout: builds what has to be built, then runs the built service in this same process, so that
 * signals, arguments and exit codes are the service's own.
 */
import { ensureBuilt } from './ensure-built.ts';

ensureBuilt();
await import(new URL('../../out/main/cli.js', import.meta.url).href);
