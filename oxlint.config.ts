import { readdirSync } from 'node:fs';
import { defineConfig, type OxlintOverride } from 'oxlint';

/** What may not be imported: a path that matches. */
interface Pattern {
  regex: string;
  message: string;
  allowTypeImports?: boolean;
}

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

const ONLY_DATABASE_IMPORTS_SQLITE = {
  regex: '^(sql\\.js|node:sqlite)',
  message: 'Only server/store/database.ts imports sql.js, and only folder-lock.ts node:sqlite, for its lock.',
};

const SCHEMAS_STAY_IN_THE_SERVICE = {
  regex: '/shared/api/',
  allowTypeImports: true,
  message: 'The page would load the schemas: what it needs beside types is in shared/choices.ts.',
};

const SERVER_MAY_NOT = ['renderer', 'electron', 'tests'];

/** Keeps one folder from importing others of ours: what holds headless mode and the tests honest. */
const mayNotImport = (
  files: string[],
  folders: string[],
  extra: Pattern[] = [ONLY_DATABASE_IMPORTS_SQLITE],
) => ({
  files,
  patterns: [
    ...folders.map((folder) => ({
      regex: `^(\\.\\./)+${folder}/`,
      message: `Nothing here may import ${folder}/.`,
    })),
    ...extra,
  ],
});

/** What a folder or room may not import: those on its own floor and above it. */
const closedTo = (floors: string[][], room: string): string[] =>
  floors
    .slice(0, floors.findIndex((rooms) => rooms.includes(room)) + 1)
    .flat()
    .filter((other) => other !== room);

/** Keeps files of a folder of the service from importing what isn't below it. */
function onlyBelow(folder: string, files: string[], extra = [ONLY_DATABASE_IMPORTS_SQLITE]) {
  const closed = closedTo(FLOORS, folder);
  // One of the commands starts the service.
  const top = folder === 'cli' ? 'app|cli' : 'app|cli|service|start';
  return mayNotImport(files, SERVER_MAY_NOT, [
    ...extra,
    {
      regex: `^(\\.\\./)+(${[...closed, `(${top})\\.ts$`].join('/|')})`,
      message:
        'A folder of server/ imports only those on the floors below it: see FLOORS in oxlint.config.ts.',
    },
  ]);
}

const windowMayNot = (files: string[], extra: Pattern[] = []) =>
  mayNotImport(
    files,
    ['server', 'electron', 'tests'],
    [ONLY_DATABASE_IMPORTS_SQLITE, SCHEMAS_STAY_IN_THE_SERVICE, ...extra],
  );

/** Keeps files of a room of the window from importing what isn't below it. */
const onlyRoomsBelow = (room: string) =>
  windowMayNot(
    [`renderer/${room}/**`],
    [
      {
        regex: `^(\\.\\./)+(${closedTo(ROOMS, room).join('|')})/`,
        message:
          'A room of the window imports only those on the floors below it: see ROOMS in oxlint.config.ts.',
      },
    ],
  );

/** The same within the settings, whose rooms lie one folder deeper: `../ui/` is theirs, `../../ui/` is everybody's. */
const onlySettingsRoomsBelow = (room: string) =>
  windowMayNot(
    [`renderer/settings/${room}/**`],
    [
      {
        regex: `^\\.\\./(${closedTo(SETTINGS_ROOMS, room).join('|')}|[^./]+\\.)`,
        message: 'A page of the settings imports no other page: see SETTINGS_ROOMS in oxlint.config.ts.',
      },
      {
        regex: `^\\.\\./\\.\\./(${closedTo(ROOMS, 'settings').join('|')})/`,
        message: 'The settings import only the rooms below them: see ROOMS in oxlint.config.ts.',
      },
    ],
  );

const DECLARED =
  ':matches(:matches(FunctionDeclaration, VariableDeclarator, ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration) > .id, ' +
  ':matches(:function, SvelteSnippetBlock) > Identifier.params, SvelteEachBlock > .context, SvelteSnippetBlock > .id)';
const KEYS =
  ':matches(MethodDefinition, PropertyDefinition, TSPropertySignature, TSMethodSignature, Property) > .key';

/** Words that names must not begin with, since they could mean anything; server/README.md says which are used instead. */
const WORN_OUT = 'bring course fold job lay line lookAt question reckon said sound tell told wish'.split(' ');

/** Names that mean a line of text, or a question that a person asked. */
const RIGHT =
  '[lL]ines?|LINES?(?:_[A-Z]+)?|line_ends|lineEnd|linesOf|linesWith|LineBuffer|LineSource|' +
  'questions?|QUESTION(?:_OR_ORDER)?|questionIds|questionOf|questionStatus';

/** What has a name that begins with such a word. */
function namedBy(words: string[], message: string) {
  const named = (...all: string[]): string => {
    const first = all.flatMap((word) => [word, `${word.charAt(0).toUpperCase()}${word.slice(1)}`]).join('|');
    const constants = all.map((word) => word.toUpperCase()).join('|');
    const worn = `(?:${first})(?:[A-Z_]|(?:s|d|ed|es|ing)?$)|(?:${constants})S?(?:_|$)`;
    return `[name=/^(?!(?:${RIGHT})$)(?:${worn})/]`;
  };
  // The API has a field `mended`.
  return { selector: `${DECLARED}${named(...words, 'mend')}, ${KEYS}${named(...words)}`, message };
}

const WORN_OUT_NAMES = namedBy(
  WORN_OUT,
  'Say what it does: report, format, print, estimate, repair, validate, check (server/README.md, Words).',
);

/** The same in the window, its components too (eslint.config.js). */
export const WORN_OUT_IN_WINDOW = namedBy(
  [...WORN_OUT, 'place'],
  'Say what it does, or which place it is: a position, placement, location, address, index (server/README.md, Words).',
);

/** In components a line of text is data; what they show, and what they are, are rows, items and headings. */
export const ROWS_ARE_NO_LINES = {
  selector: 'ImportDefaultSpecifier > .local[name=/Lines?$/], SvelteSnippetBlock > .id[name=/lines?$/i]',
  message: 'A line is one of text: name it a row, an item or a heading.',
};

const AI_SDK_IS_LOADED_WHEN_NEEDED = {
  selector: 'ImportDeclaration[source.value=/^(?:ai$|@ai-sdk\\u002f(?!provider$)|ollama-ai-provider)/]',
  message: 'The service’s own thread reads no AI library: import() it where a model is loaded.',
};

/** Who may not import what; of two that a file matches, the later. ESLint holds components to the same. */
export const IMPORTS = [
  mayNotImport(['shared/**'], ['server', 'renderer', 'electron', 'tests']),
  mayNotImport(['server/**'], SERVER_MAY_NOT),
  ...FLOORS.flat().map((folder) => onlyBelow(folder, [`server/${folder}/**`])),
  onlyBelow('store', ['server/store/database.ts'], []),
  onlyBelow('process', ['server/process/owner/folder-lock.ts'], []),
  windowMayNot(['renderer/**']),
  ...ROOMS.flat().map(onlyRoomsBelow),
  ...SETTINGS_ROOMS.flat().map(onlySettingsRoomsBelow),
  mayNotImport(['electron/**'], ['renderer', 'tests']),
];

/** In the window. */
export const SIGNALS = ['any', 'timeout'].map((property) => ({
  object: 'AbortSignal',
  property,
  message: 'WebKit collects such signals, and the abort never comes: use a controller, or lib/time-limit.ts.',
}));

/** Checks all `.ts` files, with their types; ESLint checks components. */
export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: ['./tests/support/run/restricted-syntax.ts'],
  categories: { correctness: 'off' },
  options: { typeAware: true, typeCheck: true },
  ignorePatterns: ['out/', 'dist/', '**/*.{js,cjs,mjs,svelte}'],
  rules: {
    eqeqeq: 'error',
    'no-array-constructor': 'error',
    'no-console': 'error',
    'no-unused-expressions': 'error',
    'no-useless-constructor': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'no-unused-vars': ['error', { args: 'after-used', argsIgnorePattern: '^_' }],
    'typescript/await-thenable': 'error',
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/consistent-type-imports': 'error',
    'typescript/no-array-delete': 'error',
    'typescript/no-base-to-string': 'error',
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    'typescript/no-deprecated': 'error',
    'typescript/no-duplicate-enum-values': 'error',
    'typescript/no-duplicate-type-constituents': 'error',
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-extra-non-null-assertion': 'error',
    'typescript/no-extraneous-class': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-for-in-array': 'error',
    'typescript/no-generated-empty-object-type': 'error',
    'typescript/no-implied-eval': 'error',
    'typescript/no-invalid-void-type': 'error',
    'typescript/no-meaningless-void-operator': 'error',
    'typescript/no-misused-new': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-misused-spread': 'error',
    'typescript/no-mixed-enums': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-nullish-coalescing': 'error',
    'typescript/no-non-null-asserted-optional-chain': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-redundant-type-constituents': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-this-alias': 'error',
    'typescript/no-unnecessary-boolean-literal-compare': 'error',
    'typescript/no-unnecessary-condition': 'error',
    'typescript/no-unnecessary-template-expression': 'error',
    'typescript/no-unnecessary-type-arguments': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unnecessary-type-conversion': 'error',
    'typescript/no-unnecessary-type-parameters': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-declaration-merging': 'error',
    'typescript/no-unsafe-enum-assignment': 'error',
    'typescript/no-unsafe-enum-comparison': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-unsafe-unary-minus': 'error',
    'typescript/no-useless-default-assignment': 'error',
    'typescript/no-wrapper-object-types': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-as-const': 'error',
    'typescript/prefer-literal-enum-member': 'error',
    'typescript/prefer-namespace-keyword': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/prefer-reduce-type-parameter': 'error',
    'typescript/prefer-return-this-type': 'error',
    'typescript/related-getter-setter-pairs': 'error',
    'typescript/restrict-plus-operands': [
      'error',
      {
        allowAny: false,
        allowBoolean: false,
        allowNullish: false,
        allowNumberAndString: false,
        allowRegExp: false,
      },
    ],
    'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/triple-slash-reference': 'error',
    'typescript/unbound-method': 'error',
    'typescript/unified-signatures': 'error',
    'typescript/use-unknown-in-catch-callback-variable': 'error',
  },
  overrides: [
    ...IMPORTS.map(({ files, patterns }): OxlintOverride => ({
      files,
      rules: { 'no-restricted-imports': ['error', { patterns }] },
    })),
    { files: ['renderer/**'], rules: { 'no-restricted-properties': ['error', ...SIGNALS] } },
    {
      files: ['electron/**', 'server/**', 'shared/**'],
      rules: { 'syntax/restricted': ['error', WORN_OUT_NAMES] },
    },
    { files: ['renderer/**'], rules: { 'syntax/restricted': ['error', WORN_OUT_IN_WINDOW] } },
    {
      files: ['server/connections/**'],
      rules: { 'syntax/restricted': ['error', WORN_OUT_NAMES, AI_SDK_IS_LOADED_WHEN_NEEDED] },
    },
    {
      files: [
        'server/cli.ts',
        'server/process/launch.ts',
        'tests/run.ts',
        'tests/bench/**',
        'tests/support/**',
      ],
      rules: { 'no-console': 'off' },
    },
  ],
});
