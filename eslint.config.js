import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import globals from 'globals';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * The floors of the service, top down: a folder may import those below its own, and none beside or above it. What lies in
 * `server/` itself is on top, but for `errors.ts` and `config.ts`. server/README.md shows the same as a picture.
 */
const FLOORS = [
  ['cli'],
  ['process', 'routes'],
  ['schedules'],
  ['data', 'events', 'chats', 'plugins'],
  ['turns'],
  ['agents', 'mcp'],
  ['models'],
  ['auth', 'connections', 'files', 'search', 'tools'],
  ['net', 'secrets', 'store'],
  ['lib'],
];

/**
 * The rooms of the window, in floors, top down, as above. What lies in `renderer/` itself puts the rooms together, and may
 * import them all. renderer/README.md shows the same as a picture.
 */
const ROOMS = [
  ['docs', 'quick-ask', 'settings', 'sidebar', 'palette'],
  ['conversation', 'search', 'desktop', 'viewer'],
  ['composer', 'markdown'],
  ['files', 'sealed'],
  ['session'],
  ['chats', 'models'],
  ['ui'],
  ['api'],
  ['lib'],
];

/** The rooms of the settings: a page of its own each, and below them what pages share. */
const SETTINGS_SHARED = [['servers'], ['ui']];
const SETTINGS_ROOMS = [
  readdirSync(new URL('renderer/settings', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !SETTINGS_SHARED.flat().includes(entry.name))
    .map(({ name }) => name),
  ...SETTINGS_SHARED,
];

/** Names that could mean anything; server/README.md says which words are used instead. */
const wornOutNames = {
  selector:
    ':matches(FunctionDeclaration, VariableDeclarator, ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration) > Identifier.id' +
    '[name=/^(?:tell|told|said|reckon|mend|wish|sound|bring|lookAt)(?:[A-Z_]|(?:s|ed|es)?$)/i]',
  message:
    'Say what it does: report, format, print, estimate, repair, validate, check (server/README.md, Words).',
};

/** Keeps one folder from importing others of ours: what holds headless mode and the tests honest. */
const mayNotImport = (files, folders, extra = []) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          ...folders.map((folder) => ({
            regex: `^(\\.\\./)+${folder}/`,
            message: `Nothing here may import ${folder}/.`,
          })),
          ...extra,
        ],
      },
    ],
  },
});

const onlyDatabaseImportsSqlite = {
  regex: '^(sql\\.js|node:sqlite)',
  message: 'Only server/store/database.ts imports sql.js, and only folder-lock.ts node:sqlite, for its lock.',
};

const aiSdkIsLoadedWhenNeeded = {
  regex: '^(ai$|@ai-sdk/(?!provider$)|ollama-ai-provider)',
  message: 'The service’s own thread reads no AI library: import() it where a model is loaded.',
};

const SERVER_MAY_NOT = ['renderer', 'electron', 'tests'];
const WINDOW_MAY_NOT = ['server', 'electron', 'tests'];

/** Keeps files of a folder of the service from importing what isn't below it. */
function onlyBelow(folder, files, extra = [onlyDatabaseImportsSqlite]) {
  const floor = FLOORS.findIndex((folders) => folders.includes(folder));
  const closed = FLOORS.slice(0, floor + 1)
    .flat()
    .filter((other) => other !== folder);
  // One of the commands starts the service.
  const top = folder === 'cli' ? 'app|cli' : 'app|cli|service|start';
  return mayNotImport(files, SERVER_MAY_NOT, [
    ...extra,
    {
      regex: `^(\\.\\./)+(${[...closed, `(${top})\\.ts$`].join('/|')})`,
      message:
        'A folder of server/ imports only those on the floors below it: see FLOORS in eslint.config.js.',
    },
  ]);
}

/** What a room may not import: those on its own floor and above it. */
const closedTo = (floors, room) =>
  floors
    .slice(0, floors.findIndex((rooms) => rooms.includes(room)) + 1)
    .flat()
    .filter((other) => other !== room);

/** Keeps files of a room of the window from importing what isn't below it. */
const onlyRoomsBelow = (room) =>
  mayNotImport([`renderer/${room}/**`], WINDOW_MAY_NOT, [
    onlyDatabaseImportsSqlite,
    {
      regex: `^(\\.\\./)+(${closedTo(ROOMS, room).join('|')})/`,
      message:
        'A room of the window imports only those on the floors below it: see ROOMS in eslint.config.js.',
    },
  ]);

/** The same within the settings, whose rooms lie one folder deeper: `../ui/` is theirs, `../../ui/` is everybody's. */
const onlySettingsRoomsBelow = (room) =>
  mayNotImport([`renderer/settings/${room}/**`], WINDOW_MAY_NOT, [
    onlyDatabaseImportsSqlite,
    {
      regex: `^\\.\\./(${closedTo(SETTINGS_ROOMS, room).join('|')}|[^./]+\\.)`,
      message: 'A page of the settings imports no other page: see SETTINGS_ROOMS in eslint.config.js.',
    },
    {
      regex: `^\\.\\./\\.\\./(${closedTo(ROOMS, 'settings').join('|')})/`,
      message: 'The settings import only the rooms below them: see ROOMS in eslint.config.js.',
    },
  ]);

export default tseslint.config(
  {
    ignores: [
      'out/',
      'dist/',
      'coverage/',
      'test-results/',
      'playwright-report/',
      // A build writes and removes it while lint runs.
      'electron.vite.config.ts.*',
    ],
  },
  ...tseslint.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.node } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['renderer/**', 'tests/renderer/**'],
    languageOptions: { globals: { ...globals.browser } },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
  },
  // Rules that need types: oxlint has them for all files but components (.oxlintrc.json), in a tenth of the time.
  {
    files: ['**/*.svelte'],
    languageOptions: {
      parserOptions: {
        // Types are checked anew for each of these files: without the tests, that takes half as long.
        project: ['./tsconfig.components.json'],
        tsconfigRootDir: root,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      ...tseslint.configs.strictTypeCheckedOnly.at(-1).rules,
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['electron/**', 'server/**', 'shared/**'],
    rules: { 'no-restricted-syntax': ['error', wornOutNames] },
  },
  mayNotImport(['shared/**'], ['server', 'renderer', 'electron', 'tests'], [onlyDatabaseImportsSqlite]),
  mayNotImport(['server/**'], SERVER_MAY_NOT, [onlyDatabaseImportsSqlite]),
  ...FLOORS.flat().map((folder) => onlyBelow(folder, [`server/${folder}/**`])),
  onlyBelow('store', ['server/store/database.ts'], []),
  onlyBelow('process', ['server/process/owner/folder-lock.ts'], []),
  onlyBelow('connections', ['server/connections/**'], [onlyDatabaseImportsSqlite, aiSdkIsLoadedWhenNeeded]),
  mayNotImport(['renderer/**'], WINDOW_MAY_NOT, [onlyDatabaseImportsSqlite]),
  {
    files: ['renderer/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['any', 'timeout'].map((property) => ({
          object: 'AbortSignal',
          property,
          message:
            'WebKit collects such signals, and the abort never comes: use a controller, or lib/time-limit.ts.',
        })),
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '/shared/api/',
              allowTypeImports: true,
              message: 'The page would load the schemas: what it needs beside types is in shared/choices.ts.',
            },
          ],
        },
      ],
    },
  },
  ...ROOMS.flat().map(onlyRoomsBelow),
  ...SETTINGS_ROOMS.flat().map(onlySettingsRoomsBelow),
  mayNotImport(['electron/**'], ['renderer', 'tests'], [onlyDatabaseImportsSqlite]),
  {
    files: [
      'server/cli.ts',
      'server/process/launch.ts',
      'server/examples/*.mjs',
      'tests/run.ts',
      'tests/bench/**',
      'tests/support/**',
    ],
    rules: { 'no-console': 'off' },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
