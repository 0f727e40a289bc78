/** What people install: what is in it, how it is locked, and that it runs from inside. */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../server/lib/version.ts';
import { asar } from '../support/electron/builder.ts';
import { filesIn, packLinux, packMac, readFuses, ROOT } from './pack.ts';
import { converse, start } from './running.ts';

/** All that may be in the archive; what no line allows must not be. */
const ALLOWED = [
  /^package\.json$/,
  /^LICENSE$/,
  /^out\/main\/(?:main|cli|agent-worker|compaction-thread|data-thread|document-thread|html-thread)\.js$/,
  /^out\/main\/chunks\/[\w.-]+\.js$/,
  /^out\/preload\/preload\.cjs$/,
  /^out\/renderer\/(?:index\.html|drawing-thread\.js)$/,
  /^out\/renderer\/docs\/(?:index\.html|scalar\.js)$/,
  /^out\/renderer\/sealed\/(?:frame\.html|frame\.js|mermaid\.js)$/,
  /^out\/renderer\/assets\/[\w.-]+\.(?:js|css|svg|woff2)$/,
  /^out\/(?:main|renderer)\/licenses\.md$/,
  /^out\/renderer\/assets\/fonts-licence\.txt$/,
  /^electron\/resources\/images\/[\w@.-]+\.(?:png|ico)$/,
  /^node_modules\/sql\.js\/(?:package\.json|LICENSE|dist\/sql-wasm\.(?:js|wasm))$/,
];

const NEEDED = [
  'package.json',
  'LICENSE',
  'out/main/main.js',
  'out/main/agent-worker.js',
  'out/main/compaction-thread.js',
  'out/main/data-thread.js',
  'out/main/document-thread.js',
  'out/main/html-thread.js',
  'out/main/licenses.md',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
  'out/renderer/drawing-thread.js',
  'out/renderer/docs/index.html',
  'out/renderer/docs/scalar.js',
  'out/renderer/sealed/frame.html',
  'out/renderer/sealed/frame.js',
  'out/renderer/sealed/mermaid.js',
  'out/renderer/licenses.md',
  'electron/resources/images/icon.png',
  'electron/resources/images/trayTemplate.png',
  'electron/resources/images/trayTemplate@2x.png',
  'electron/resources/images/tray-on-light.ico',
  'electron/resources/images/tray-on-dark.png',
  'node_modules/sql.js/package.json',
  'node_modules/sql.js/dist/sql-wasm.js',
  'node_modules/sql.js/dist/sql-wasm.wasm',
];

/**
 * Twenty-one megabytes today: the service, its agents with the SDK and a tokenizer, the libraries for tool servers and tool clients, the
 * page with its fonts, three for reading PDF and DOCX, three for Mermaid, and five for the API's reference page. There is some room to grow; a dependency that came in unbundled, with
 * all its files, would not fit. Builds over one another (tests/README.md) may not either.
 */
const MOST_BYTES = 23 * 1024 * 1024;

/** Keys of Parley's own, private keys, and keys as the well-known services write theirs. */
const SECRETS =
  /parley_[\w-]{43}\b|-----BEGIN [A-Z ]*PRIVATE KEY-----\s|\bsk-[A-Za-z0-9]{32,}|\bghp_[A-Za-z0-9]{36}|\bAKIA[A-Z0-9]{16}\b/;

const FUSES = {
  RunAsNode: false,
  EnableCookieEncryption: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  // One that Electron has and the configuration doesn't name keeps its state.
  8: true,
};

let folder: string;
let linux: Awaited<ReturnType<typeof packLinux>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-package-'));
  linux = await packLinux(join(folder, 'linux'));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const text = (file: string): string => asar.extractFile(linux.archive, normalize(file)).toString('utf8');

describe('the archive', () => {
  it('holds what the app runs with and nothing else', () => {
    const files = filesIn(linux.archive);
    expect(files.filter((file) => !ALLOWED.some((allowed) => allowed.test(file)))).toEqual([]);
    expect(NEEDED.filter((file) => !files.includes(file))).toEqual([]);
    expect(files.filter((file) => asar.statFile(linux.archive, normalize(file)).unpacked === true)).toEqual(
      [],
    );
  });

  it('is no larger than it has to be', () => {
    const bytes = statSync(linux.archive).size;
    process.stdout.write(
      `app.asar: ${(bytes / 1024 / 1024).toFixed(1)} MiB, ${filesIn(linux.archive).length} files\n`,
    );
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  it('has no chunk that imports an entry: a later build puts another in its place under a Parley that runs', () => {
    const names = filesIn(linux.archive);
    const entries = names.flatMap((name) => /^out\/main\/([\w-]+\.js)$/.exec(name)?.[1] ?? []);
    for (const name of names.filter((file) => file.startsWith('out/main/chunks/')))
      expect(
        entries.filter((entry) => text(name).includes(`"../${entry}"`)),
        name,
      ).toEqual([]);
  });

  it('holds no key, no path of the machine it was built on, and no tool of the build', () => {
    for (const file of filesIn(linux.archive).filter((name) => /\.(?:c?js|json|html|css|md)$/.test(name))) {
      const content = text(file);
      expect(SECRETS.exec(content)?.[0], file).toBeUndefined();
      expect(content.includes(ROOT.slice(0, -1) + '/'), `${file} names ${ROOT}`).toBe(false);
    }
    const { devDependencies, scripts, main, version } = JSON.parse(text('package.json')) as Record<
      string,
      unknown
    >;
    expect({ devDependencies, scripts, main }).toEqual({ main: 'out/main/main.js' });
    expect(version).toBe(VERSION);
  });

  it('carries the licences of what is bundled and of what stands beside it', () => {
    for (const name of ['fastify', '@ai-sdk/openai', 'decimal.js'])
      expect(text('out/main/licenses.md')).toContain(`## ${name} - `);
    for (const name of ['svelte', 'katex', 'marked']) {
      expect(text('out/renderer/licenses.md')).toContain(`## ${name} - `);
    }
    expect(text('out/renderer/sealed/mermaid.js')).toContain('Permission is hereby granted');
    expect(text('node_modules/sql.js/LICENSE')).toContain('Permission is hereby granted');
    expect(text('LICENSE')).toContain('The Parley authors');
  });
});

describe('the package', () => {
  it('has its fuses set: it is no Node, loads nothing but its archive, and asks for no keychain', async () => {
    expect(await readFuses(linux.executable)).toEqual(FUSES);
  });

  it('has none of Chromium’s languages but English', () => {
    expect(readdirSync(join(linux.resources, '../locales')).sort()).toEqual(['en-GB.pak', 'en-US.pak']);
  });

  it('has no feed, so it never looks for updates', () => {
    expect(readdirSync(linux.resources)).toContain('app.asar');
    expect(readdirSync(linux.resources)).not.toContain('app-update.yml');
  });

  it('opens parley:// links and is found in the desktop’s menu', () => {
    const entry = linux.desktopEntry.split('\n');
    expect(entry).toContain('MimeType=x-scheme-handler/parley;');
    expect(entry).toContain('Name=Parley');
    expect(entry).toContain('Categories=Network;Chat;');
    expect(entry).toContain('StartupWMClass=app.parley.Parley');
    expect(entry.find((line) => line.startsWith('Exec='))).toContain('%U');
  });

  it('names who keeps the Debian package, and brings an icon in every size', () => {
    const args = linux.debArguments;
    expect(args[args.indexOf('--maintainer') + 1]).toContain('The Parley authors');
    for (const size of [16, 32, 48, 128, 256, 512]) {
      expect(args.some((arg) => arg.endsWith(`/hicolor/${size}x${size}/apps/parley.png`))).toBe(true);
    }
    expect(args.some((arg) => arg.endsWith('/usr/share/applications/app.parley.Parley.desktop'))).toBe(true);
  });
});

// electron-builder packs for a Mac on Linux, too, but refuses to on Windows.
describe.skipIf(process.platform === 'win32')('the package for macOS', () => {
  it('has its fuses set, knows its archive by its hash, opens parley:// links, and is in English', async () => {
    const mac = await packMac(join(folder, 'mac'));
    expect(filesIn(mac.archive)).toEqual(filesIn(linux.archive));
    expect(await readFuses(mac.executable)).toEqual(FUSES);
    const framework = join(mac.executable, 'Contents/Frameworks/Electron Framework.framework');
    expect(readdirSync(join(framework, 'Versions/A/Resources')).sort()).toEqual(['en.lproj', 'en_GB.lproj']);
    const hash = createHash('sha256').update(asar.getRawHeader(mac.archive).headerString).digest('hex');
    expect(mac.info).toMatchObject({
      CFBundleIdentifier: 'app.parley.desktop',
      CFBundleURLTypes: [{ CFBundleURLSchemes: ['parley'] }],
      ElectronAsarIntegrity: { 'Resources/app.asar': { algorithm: 'SHA256', hash } },
    });
  });
});

describe('from inside the package', () => {
  /** As Electron shows the archive to the program: a folder named app.asar, far from the project's node_modules. */
  let app: string;
  beforeAll(() => {
    app = join(folder, 'installed', 'resources', 'app.asar');
    asar.extractAll(linux.archive, app);
  });

  it('the service starts, serves, answers in its agent thread, and ends in order', async () => {
    const program = await start(process.execPath, [join(app, 'out/main/cli.js')], join(folder, 'data'));
    let code: number | null = null;
    try {
      expect(await converse(program)).toContain('230');
    } finally {
      code = await program.end();
    }
    if (process.platform !== 'win32') expect(code).toBe(0);
    expect(program.output()).not.toMatch(/Error|Warning/);
  });
});
