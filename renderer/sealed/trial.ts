/* oxlint-disable typescript/no-extraneous-class -- stand-ins that only need to be classes */
/**
 * Runs in a thread without access to the page: Mermaid reads a diagram without drawing it. Answers with null, or with what is wrong with it.
 */
import type { Mermaid } from './sealed.ts';

declare function importScripts(address: string): void;

/** Mermaid wants a document at its start; whatever it does with this one leads nowhere. */
const nothing: unknown = new Proxy(class {}, {
  get: (_, name) => {
    if (name === Symbol.toPrimitive) return () => '';
    // DOMPurify takes it for a document that can't be used, and stands aside.
    if (name === 'nodeType') return 9;
    return name === 'implementation' ? {} : nothing;
  },
  apply: () => nothing,
  construct: () => nothing as object,
  set: () => true,
});
Object.assign(globalThis, { window: globalThis, document: nothing, DOMParser: nothing, Element: class {} });

addEventListener('message', ({ data }: MessageEvent<string>) => {
  importScripts('/sealed/mermaid.js');
  const { mermaid } = globalThis as unknown as { mermaid: Mermaid };
  mermaid.parse(data).then(
    () => postMessage(null),
    (problem: unknown) => postMessage(problem instanceof Error ? problem.message : String(problem)),
  );
});
