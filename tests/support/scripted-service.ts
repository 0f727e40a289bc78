/** The service with directed replies (directed-runtime.ts), as a separate process; see serve-entry.ts. */
import { createDirectedRuntime } from './directed-runtime.ts';
import { serveEntry } from './serve-entry.ts';

await serveEntry(() => ({ runtime: createDirectedRuntime() }));
