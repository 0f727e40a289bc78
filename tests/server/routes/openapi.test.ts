import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeApi, type ApiDocument } from '../../../server/routes/openapi/document.ts';
import {
  apiDocument,
  appOfRoutes,
  createFits,
  operationsOf,
  resolved,
  type Part,
} from '../../support/api-document.ts';
import { apiTypes } from '../../support/api-types.ts';

let whole: ApiDocument;

beforeAll(async () => {
  whole = await apiDocument();
});

/** Every route that the router knows, as `GET /path/{name}`, without HEAD and the page's files. */
async function routed(): Promise<string[]> {
  const app = await appOfRoutes();
  const tree = app.printRoutes({ commonPrefix: false });
  await app.close();
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const found = /^(.*?[└├]── )(.*) \((.*)\)$/.exec(line);
    if (found === null) return [];
    const [, indent = '', part = '', methods = ''] = found;
    const depth = indent.length / 4 - 1;
    const path = `${depth === 0 ? '' : (above[depth - 1] ?? '')}${part}`;
    above[depth] = path === '/' ? '' : path;
    const url = path.startsWith('/') ? path : `/${path}`;
    if (url === '/' || url.includes('*')) return [];
    return methods
      .split(', ')
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
  });
}

/** Every schema and answer that is referred to, everywhere in a part. */
function referencesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { $ref } = part as { $ref?: unknown };
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(part).flatMap(referencesIn)];
}

describe('/openapi.json', () => {
  it('tells of every route of the router, and of no other', async () => {
    const described = operationsOf(whole).map(({ method, path }) => `${method} ${path}`);
    const hidden = [
      'GET /docs',
      'GET /docs/scalar.js',
      'GET /oauth/callback',
      'GET /docs/start.js',
      'POST /mcp',
    ];
    expect(described.sort()).toEqual((await routed()).filter((route) => !hidden.includes(route)).sort());
  });

  it('says of each operation what it is for, under a name of its own', () => {
    const operations = operationsOf(whole).map(({ described }) => described);
    for (const { operationId, summary, tags } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(summary, String(operationId)).toMatch(/^[A-Z].{5,80}[^.]$/);
      const known = (whole['tags'] as { name: string }[]).map(({ name }) => name);
      expect(known, String(operationId)).toEqual(expect.arrayContaining(tags as string[]));
    }
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('describes every parameter, and every field of every object', () => {
    const bare: string[] = [];
    for (const { described } of operationsOf(whole)) {
      for (const { name, description } of (described['parameters'] ?? []) as Part[]) {
        if (description === undefined) bare.push(`${String(described['operationId'])} ${String(name)}`);
      }
    }
    for (const [name, schema] of Object.entries(whole.components['schemas'] ?? {})) {
      const { properties = {} } = schema as { properties?: Record<string, Part> };
      for (const [field, one] of Object.entries(properties)) {
        if (resolved(whole, one)['description'] === undefined && !isSaidByItsName(name, one))
          bare.push(`${name}.${field}`);
      }
    }
    expect(bare).toEqual([]);
  });

  it('gives examples that are as it says', () => {
    const fits = createFits(whole);
    let count = 0;
    const check = (where: string, media: Part): void => {
      const examples = Object.values((media['examples'] ?? {}) as Record<string, Part>).map(
        (example) => resolved(whole, example)['value'],
      );
      for (const example of [...('example' in media ? [media['example']] : []), ...examples]) {
        expect(fits(media['schema'], example), where).toBeNull();
        count += 1;
      }
    };
    for (const { described } of operationsOf(whole)) {
      const answers = Object.values(described['responses'] as Part).map((answer) => resolved(whole, answer));
      for (const part of [described['requestBody'] as Part | undefined, ...answers]) {
        for (const media of Object.values((part?.['content'] ?? {}) as Record<string, Part>)) {
          check(String(described['operationId']), media);
        }
      }
    }
    expect(count).toBeGreaterThan(500);
  });

  it('refers to nothing that it lacks, and holds nothing that nobody refers to', () => {
    const used = new Set(referencesIn(whole));
    for (const $ref of used) resolved(whole, { $ref });
    const all = ['schemas', 'responses', 'headers'].flatMap((kind) =>
      Object.keys(whole.components[kind] ?? {}).map((name) => `#/components/${kind}/${name}`),
    );
    expect(all.filter((name) => !used.has(name)).filter((name) => !name.endsWith('/Allow'))).toEqual([]);
  });

  it('names the objects that clients share', () => {
    expect(Object.keys(whole.components['schemas'] ?? {})).toEqual(
      expect.arrayContaining([
        'Chat',
        'Message',
        'Step',
        'Error',
        'SendMessageBody',
        'ChatList',
        'Note',
        'Project',
        'Prompt',
        'Attachment',
        'DeltaEvent',
      ]),
    );
  });

  it('is OpenAPI 3.1 from which types are made that compile', async () => {
    // It checks the document by the rules of OpenAPI, and rejects one that breaks them.
    const types = await apiTypes();
    const use = `
      import type { components, operations } from './api';
      export const sent: components['schemas']['SendMessageBody'] = { content: 'Hi', mode: 'chat' };
      export const idOf = (answer: operations['sendMessage']['responses']['200']['content']['application/json']): string => answer.chat.id;
      // @ts-expect-error there is no such mode
      export const wrong: components['schemas']['SendMessageBody'] = { content: 'Hi', mode: 'loud' };
    `;
    expect(compile({ '/api.ts': types, '/use.ts': use })).toEqual([]);
  });

  it('holds no operation that hides, and others outside of /api/v1 when they have a summary', () => {
    const route = { method: 'GET', needs: null } as const;
    const { paths } = describeApi(
      [
        { ...route, url: '/v1/told', schema: { operationId: 'told', summary: 'Told' } },
        { ...route, url: '/v1/quiet', schema: {} },
        { ...route, url: '/v1/hidden', schema: { summary: 'Hidden', hide: true } },
        { ...route, url: '/api/v1/hidden', schema: { hide: true } },
      ],
      '1',
    );
    expect(Object.keys(paths)).toEqual(['/v1/told']);
  });
});

/** An answer's one field is named after the object that it holds. */
const isSaidByItsName = (name: string, { $ref }: Part): boolean =>
  $ref !== undefined && /(?:Answer|Event)$|^Created/.test(name);

/** What TypeScript has against these files. */
function compile(files: Readonly<Record<string, string>>): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    // Most of the time would go into checking TypeScript's own types, those of browsers above all.
    lib: ['lib.es2022.d.ts'],
    skipDefaultLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const own: ts.CompilerHost = {
    ...host,
    getSourceFile: (name, ...rest) => {
      const text = files[name];
      return text === undefined
        ? host.getSourceFile(name, ...rest)
        : ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
    },
    fileExists: (name) => name in files || host.fileExists(name),
    readFile: (name) => files[name] ?? host.readFile(name),
  };
  const program = ts.createProgram(Object.keys(files), options, own);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
