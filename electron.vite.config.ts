import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { UserConfig } from 'electron-vite';
import type { Plugin, Rolldown } from 'vite';

const fromRoot = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Tests and installers get this build alone. Any other build leaves what a Parley that runs from here may still load. */
const emptyOutDir = /^(?:test|dist)/.test(process.env['npm_lifecycle_event'] ?? '');

/** Never part of a bundle: Electron is the runtime, and sql.js is loaded again for each database, with the WebAssembly beside it. */
const EXTERNAL = ['electron', 'sql.js'];

/**
 * What several programs import, one file for each kind of it: to find and read a hundred small files would be a tenth of a start. The
 * kinds differ in who needs them: every command the basics, threads and the service the rest. Packages stay apart, so that no kind brings
 * one to those who don't need it.
 */
const SHARED = [
  { name: 'package', test: /node_modules/, entriesAware: true },
  {
    name: 'basics',
    test: /\/(?:server\/(?:lib\/(?!text-decoder|guess-encoding)|errors|config|store\/(?:message-text|table))|shared\/(?!markdown)[^/]+\.ts$)/,
  },
  { name: 'api', test: /\/shared\/api\// },
  { name: 'repositories', test: /\/server\/store\/(?!settings)[-\w]+-repository/ },
];

/** How the service's programs are bundled; tests run such bundles. */
export const SERVICE_OUTPUT: Rolldown.OutputOptions = {
  entryFileNames: '[name].js',
  // A chunk of packages is named after everything that needs it.
  chunkFileNames: ({ name }) => `chunks/${name.replace(/~.*/, '')}-[hash].js`,
  codeSplitting: { minShareCount: 2, groups: SHARED },
  // Only plain ASCII, since Node reads, checks and keeps that in half the time: a tenth of what loading the service takes. Names and
  // lines stay as they are, for the stacks in logs.
  comments: false,
  minify: { compress: false, mangle: false, codegen: { asciiOnly: true, removeWhitespace: false } },
};

/** What is bundled ships with its licence: the texts go into a file beside the bundles. */
const LICENCES = { fileName: 'licenses.md' };

/**
 * KaTeX names each of its fonts in three formats. Every browser the page is built for reads the first, WOFF2; the others
 * would be 40 files that nobody asks for.
 */
const onlyWoff2 = (): Plugin => ({
  name: 'only-woff2',
  enforce: 'pre',
  transform: {
    filter: { id: /\/katex\.min\.css$/ },
    handler: (css) => css.replaceAll(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\("[a-z]+"\)/g, ''),
  },
});

/** The API's reference page comes with one script of Scalar's, which is served as it is: `docs/scalar.js`. */
const scalarBundle = (): Plugin => ({
  name: 'scalar-bundle',
  async generateBundle() {
    const { default: fastify } = await import('fastify');
    const { default: scalar } = await import('@scalar/fastify-api-reference');
    const server = fastify();
    await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
    const { body } = await server.inject('/docs/js/scalar.js');
    await server.close();
    const licence = await readFile(fromRoot('node_modules/@scalar/fastify-api-reference/LICENSE'), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'docs/scalar.js', source: `/*! Scalar\n${licence}*/\n${body}` });
  },
});

/** The faces' licences, beside them. */
const fontLicences = (): Plugin => ({
  name: 'font-licences',
  async generateBundle() {
    const read = (name: string): Promise<string> =>
      readFile(fromRoot(`node_modules/@fontsource-variable/${name}/LICENSE`), 'utf8');
    const source = `${await read('inter')}\n\n${await read('jetbrains-mono')}`;
    this.emitFile({ type: 'asset', fileName: 'assets/fonts-licence.txt', source });
  },
});

/** The frame in which diagrams and web pages of messages are shown, and Mermaid, which it loads as it is. */
const sealedFrame = (): Plugin => ({
  name: 'sealed-frame',
  async generateBundle() {
    const read = (path: string): Promise<string> => readFile(fromRoot(path), 'utf8');
    const script = await read('node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js');
    const licence = await read('node_modules/@mermaid-js/tiny/LICENSE');
    const frame = await read('renderer/sealed/frame.html');
    this.emitFile({ type: 'asset', fileName: 'sealed/frame.html', source: frame });
    this.emitFile({
      type: 'asset',
      fileName: 'sealed/mermaid.js',
      source: `/*! Mermaid\n${licence}*/\n${script}`,
    });
  },
});

/**
 * `main`: the desktop app's main process and the service's programs, each with what it needs bundled in, because one file starts several times faster
 * than hundreds. What is imported dynamically stays a chunk of its own and is read when first needed.
 * `renderer`: the chat page, which the service serves to a browser and the desktop window alike.
 */
export default {
  main: {
    build: {
      externalizeDeps: false,
      target: 'node24',
      sourcemap: false,
      license: LICENCES,
      emptyOutDir,
      rolldownOptions: {
        // Chunks import no entries: these keep their names, so a later build replaces them.
        preserveEntrySignatures: 'strict',
        input: {
          cli: fromRoot('server/cli.ts'),
          'agent-worker': fromRoot('server/turns/thread/worker.ts'),
          'compaction-thread': fromRoot('server/store/compaction-thread.ts'),
          'data-thread': fromRoot('server/data/data-thread.ts'),
          'document-thread': fromRoot('server/files/document-thread.ts'),
          'html-thread': fromRoot('server/tools/web/html-thread.ts'),
          main: fromRoot('electron/main.ts'),
        },
        external: EXTERNAL,
        output: SERVICE_OUTPUT,
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload can't be an ES module, and can load nothing but what Electron gives it.
      externalizeDeps: false,
      outDir: fromRoot('out/preload'),
      emptyOutDir: true,
      sourcemap: false,
      rolldownOptions: {
        input: { preload: fromRoot('electron/preload.ts') },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: fromRoot('renderer'),
    plugins: [
      onlyWoff2(),
      scalarBundle(),
      sealedFrame(),
      fontLicences(),
      svelte({ configFile: false, compilerOptions: { runes: true } }),
    ],
    build: {
      outDir: fromRoot('out/renderer'),
      emptyOutDir,
      // Browsers open the page too, not only the Chromium that Electron brings.
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      minify: true,
      sourcemap: false,
      license: LICENCES,
      // The page's policy allows no data: scripts or styles, and inlined assets would be neither cached nor checked.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: {
          index: fromRoot('renderer/index.html'),
          docs: fromRoot('renderer/docs/index.html'),
          'drawing-thread': fromRoot('renderer/markdown/drawing-thread.ts'),
          'sealed/frame': fromRoot('renderer/sealed/frame.ts'),
        },
        // The page and the frame begin these by their names.
        output: {
          entryFileNames: ({ name }) =>
            name === 'drawing-thread' || name.startsWith('sealed/') ? '[name].js' : 'assets/[name]-[hash].js',
        },
      },
    },
  },
} satisfies UserConfig;
