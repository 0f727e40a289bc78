/**
 * Gives ESLint the types of components from one program for all of them. By itself typescript-eslint makes a program for each, which
 * would be most of lint's time. Import it before the plugin for Svelte, which then shows TypeScript each component as its script.
 */
import ts from 'typescript';
import { parser } from 'typescript-eslint';

process.env['SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK'] = '1';

let program: ts.Program | undefined;

function createProgram(config: string, root: string): ts.Program {
  const svelte = { extension: '.svelte', isMixedContent: true, scriptKind: ts.ScriptKind.Deferred };
  const { config: json } = ts.readConfigFile(config, ts.sys.readFile.bind(ts.sys)) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(json, ts.sys, root, {}, config, [], [svelte]);
  return ts.createProgram(fileNames, { ...options, allowNonTsExtensions: true });
}

interface Options {
  project?: string[] | null;
  filePath?: string;
  tsconfigRootDir?: string;
}

const { parseForESLint } = parser as unknown as {
  parseForESLint: (code: string, options: object) => unknown;
};

/** ESLint's parser for TypeScript; a file with `project` gets its types from the one program, if that has it as it is. */
export const componentParser = {
  ...parser,
  parseForESLint(code: string, options: Options): unknown {
    const { project = null, filePath = '', tsconfigRootDir = '' } = options;
    // A component is parsed once more as what others import: in one program they see that already.
    const isImported = filePath.endsWith('.svelte.ts');
    if (project === null || isImported) return parseForESLint(code, { ...options, project: null });
    program ??= createProgram(String(project), tsconfigRootDir);
    const isSame = program.getSourceFile(filePath)?.text === code;
    return parseForESLint(code, isSame ? { ...options, project: null, programs: [program] } : options);
  },
};
