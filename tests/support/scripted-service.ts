/** The service with directed replies (directed-runtime.ts), as a process of its own; see serve-entry.ts. */
import { createDirectedRuntime } from './directed-runtime.ts';
import { serveEntry } from './serve-entry.ts';

await serveEntry(() => ({ runtime: createDirectedRuntime() }));
