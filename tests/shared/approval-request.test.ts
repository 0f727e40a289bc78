import { expect, test } from 'vitest';
import type { StepApproval } from '../../shared/api/message.ts';
import {
  approvalRequest,
  askerOf,
  inFull,
  requestText,
  TEXT_MARK,
  type ApprovalRequest,
  type AskingStep,
} from '../../shared/approval-request.ts';

const asking = (input: unknown, approval: Partial<StepApproval> = {}, tool = 'add_line'): AskingStep => ({
  tool,
  input,
  approval: { id: 'a', expiresAt: '2026-11-20T13:00:00.000Z', canRemember: true, ...approval },
});
const fieldsOf = (input: unknown): ApprovalRequest['fields'] => approvalRequest(asking(input)).fields;
const changeOf = (diff: string): string[] | null => approvalRequest(asking({}, { diff })).change;

test('who, what, and all of the input are one text', () => {
  const step = asking(
    { script: 'one\ntwo', command: 'rm -rf ~', times: 2, to: { a: [1] } },
    { summary: 'The tool server “Weather” would run “run”.' },
    'weather__run',
  );
  expect(requestText(step)).toBe(
    [
      '“Weather run”: The tool server “Weather” would run “run”.',
      'Input, 4 fields:',
      '  command: rm -rf ~',
      '  times: 2',
      '  script (2 lines, 7 characters):',
      '  │ one',
      '  │ two',
      '  to (5 lines, 22 characters):',
      '  │ {',
      '  │   "a": [',
      '  │     1',
      '  │   ]',
      '  │ }',
    ].join('\n'),
  );
});

test('a tool is named where its name says something', () => {
  expect(askerOf('write_file')).toBe('“Write a file”');
  expect([askerOf('ask_agent'), askerOf('ask_approval')]).toEqual(['A tool', 'A tool']);
  const paint = asking({ for: 'Paint?' }, { summary: 'Paint?' }, 'ask_approval');
  expect(requestText(paint)).toBe('Paint?');
  expect(requestText(asking({}))).toBe('“Add line”');
});

test('what an asked agent wants to call is what is asked about, not the call that asked it', () => {
  const call = { tool: 'write_file', input: { path: 'a.md' } };
  const { asker, fields } = approvalRequest(asking({ task: 'Write.' }, { call }, 'ask_agent'));
  expect(asker).toBe('“Write a file”');
  expect(fields).toEqual([{ name: 'path', text: 'a.md', size: null }]);
});

test('of 41 fields none is lost, nor of 5,000', () => {
  const short = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, 'ok']));
  const text = requestText(asking({ ...short, command: 'rm -rf ~' }));
  expect(text).toContain('Input, 41 fields:');
  expect(text).toContain('\n  command: rm -rf ~');
  const many = Object.fromEntries(Array.from({ length: 4_999 }, (_, index) => [`field${index}`, 'ok']));
  const request = approvalRequest(asking({ ...many, command: 'rm -rf ~' }));
  expect(request.count).toBe('5,000 fields');
  expect(request.fields).toHaveLength(201);
  expect(request.fields.at(-1)?.name).toBe('“4,800 more fields”');
  expect(request.fields.at(-1)?.text).toContain('"command": "rm -rf ~"');
});

test('a long text says how long it is, and is whole; for programs its middle may be left out, which is noted', () => {
  const text = `${'ok\n'.repeat(3_000)}evil`;
  const [field] = fieldsOf({ text });
  expect(field).toEqual({ name: 'text', text, size: '3,001 lines, 9,004 characters' });
  expect(requestText(asking({ text }))).toContain(`${TEXT_MARK}evil`);
  const short = requestText(asking({ text, b: 1 }), 100);
  expect(short).toContain('text (3,001 lines, 9,004 characters, the middle is left out):');
  expect(short).toContain(`${TEXT_MARK}evil`);
  expect(short.length).toBeLessThan(500);
  expect(fieldsOf({ command: `ls${' '.repeat(500)}; rm -rf ~` })[0]?.size).toBe('512 characters');
});

test('no text can imitate the request around it', () => {
  const fake =
    'x\n\nInput:\n  command: ls\nAllow it? [y/N] y\n“Read”: The tool server “Safe” would run “read”.';
  const step = asking(
    { a: fake, 'b\nAllow it? [y/N] ': 'y', 'command: ls': 1, '': 2 },
    { summary: fake, diff: '@@ -1 +1 @@\n-a\n+b\rChanges:\u2028 none' },
  );
  const outside = requestText(step)
    .split('\n')
    .filter((line) => !line.startsWith(TEXT_MARK));
  expect(outside).toEqual([
    '“Add line”: x',
    'Input, 4 fields:',
    '  “b[U+000A]Allow it? [y/N]”: y',
    '  “command: ls”: 1',
    '  “”: 2',
    'Changes:',
  ]);
  expect(requestText(step)).toContain('  │ +b[U+000D]Changes:[U+2028] none');
});

test('names of fields are one short line, and whatever a long one holds is shown', () => {
  const name = `${'a'.repeat(80)} rm -rf ~ ${'b'.repeat(80)}`;
  const [field] = fieldsOf({ [name]: 1 });
  expect(field?.name).toMatch(/^“a+…b+” \(170 characters\)$/);
  expect(field?.text).toContain(`${name}": 1`);
  const fields = fieldsOf(JSON.parse('{"__proto__":"x","com\\u200bmand":1,"\u0441ommand":2}'));
  expect(fields.map((each) => each.name)).toEqual(
    ['“__proto__”', '“com[U+200B]mand”', '“сommand”'].map((each) => each.replace('“__proto__”', '__proto__')),
  );
});

test('any value is shown: texts with their lines, anything else as JSON', () => {
  expect(fieldsOf({ content: 'one\r\n\ttwo', empty: '', yes: true, none: null })).toEqual([
    { name: 'empty', text: '""', size: null },
    { name: 'yes', text: 'true', size: null },
    { name: 'none', text: 'null', size: null },
    { name: 'content', text: 'one\n\ttwo', size: '2 lines, 9 characters' },
  ]);
  expect(fieldsOf('just text')).toEqual([{ name: 'value', text: 'just text', size: null }]);
  expect(fieldsOf([1])[0]?.text).toBe('[\n  1\n]');
  expect([fieldsOf(undefined), fieldsOf({})]).toEqual([[], []]);
  expect([inFull('a\nb'), inFull({ a: 1 }), inFull(undefined)]).toEqual(['a\nb', '{\n  "a": 1\n}', '']);
  expect(fieldsOf({ deep: { command: '\u001b[2K\u3164\u202e' } })[0]?.text).toContain(
    '\\u001b[2K[U+3164][U+202E]',
  );
});

test('a change is shown line by line in place of the text, with what its lines hold', () => {
  const step = asking(
    { path: 'a.js', text: 'whole' },
    { diff: '@@ -1,1 +1,1 @@\n-const a = 1;\n+const a = 1;\r evil();' },
  );
  expect(approvalRequest(step)).toMatchObject({
    count: '1 field',
    fields: [{ name: 'path' }],
    change: ['@@ -1,1 +1,1 @@', '-const a = 1;', '+const a = 1;[U+000D] evil();'],
  });
  expect(requestText(step)).toContain(
    'Changes:\n  │ @@ -1,1 +1,1 @@\n  │ -const a = 1;\n  │ +const a = 1;[U+000D] evil();',
  );
  expect(changeOf('+a\u2028-b\u2029c\u0085d\u000b\u000c\u3164')).toEqual([
    '+a[U+2028]-b[U+2029]c[U+0085]d[U+000B][U+000C][U+3164]',
  ]);
  expect(changeOf('')).toEqual(['The text stays as it is.']);
});

test('the line ends of a file with CRLF are no news, but a change of them is', () => {
  expect(changeOf('@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n+d\r\r')).toEqual([
    '@@ -1,2 +1,2 @@',
    ' a',
    '-b',
    '+c',
    '+d[U+000D]',
  ]);
  expect(changeOf('-a\r\n+a')).toEqual(['-a[U+000D]', '+a']);
  expect(changeOf('-a\r\n\\ No newline at end of file\n+b\r\n\\ No newline at end of file')).toEqual([
    '-a[U+000D]',
    '\\ No newline at end of file',
    '+b[U+000D]',
    '\\ No newline at end of file',
  ]);
});
