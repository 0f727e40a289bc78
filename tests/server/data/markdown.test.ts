import { describe, expect, it } from 'vitest';
import { DENIED_WORDS, EXPIRED_WORDS } from '../../../shared/choices.ts';
import type { Message, Step } from '../../../shared/api/message.ts';
import { messageWords } from '../../../server/data/markdown.ts';

const LONG = 200_000;

const said = (content: string): Message => ({
  id: 'm',
  role: 'user',
  content,
  status: 'complete',
  createdAt: '2026-11-20T09:30:00.000Z',
});
const bodyOf = (content: string): string => messageWords(said(content)).split('09:30 UTC\n\n')[1] ?? '';

describe('a message in a document', () => {
  // Each took minutes, with the service at a standstill, by an expression that goes back and forth.
  it.each([
    ['white space in the middle', `a${' '.repeat(LONG)}b`],
    ['line breaks in the middle', `a${'\n'.repeat(LONG)}b`],
    ['a fence with a separator in its line', `${'`'.repeat(LONG)}\u2028`],
    ['a fence of the other kind with a separator', `${'~'.repeat(LONG)}\u2029x`],
  ])('is written out at once however long its runs are: %s', { timeout: 5_000 }, (_what, content) => {
    expect(bodyOf(content).startsWith(content.trimEnd())).toBe(true);
  });

  it('loses white space at its end, and has an open fence closed', () => {
    expect(bodyOf('text \n\n')).toBe('text\n');
    expect(bodyOf('```js\u2028\ncode')).toBe('```js\u2028\ncode\n```\n');
  });
});

describe('the steps of a reply in a document', () => {
  const step = (id: string, rest: Partial<Step>): Step => ({
    id,
    tool: 'write_file',
    status: 'done',
    input: {},
    ...rest,
  });

  it('stand where they came in the text, also while one waits for an answer', () => {
    const steps = [
      step('1', { tool: 'look', textBefore: 6 }),
      step('2', { tool: 'list', textBefore: 6 }),
      step('3', { status: 'awaiting_approval', textBefore: 12 }),
    ];
    const words = messageWords({ ...said('First\nthen.\n'), role: 'assistant', steps });
    expect(words.split('09:30 UTC\n\n')[1]).toBe(
      'First\n\n- `look`\n- `list`\n\nthen.\n\n- `write_file`: waiting for an answer\n',
    );
  });

  it('have what went in and what came out: code, documents and outputs as text, the rest as JSON', () => {
    const steps = [
      step('1', { tool: 'python', input: 'print("<1>")', output: '<1>\n' }),
      step('2', {}),
      step('3', { tool: 'artifacts', input: { title: 'T', content: 'a\n```\nb' }, output: { ok: true } }),
      step('4', {
        tool: 'fetch',
        input: { url: 'https://a.example' },
        status: 'failed',
        error: '<b> &\nmore',
      }),
    ];
    const words = messageWords({ ...said('Done.'), role: 'assistant', steps });
    expect(words.split('09:30 UTC\n\n')[1]).toBe(
      [
        '<details>\n<summary><code>python</code></summary>',
        'Input:\n\n```\nprint("<1>")\n```',
        'Output:\n\n```\n<1>\n```',
        '</details>',
        '- `write_file`',
        '<details>\n<summary><code>artifacts</code></summary>',
        'Input:\n\n```json\n{\n  "title": "T"\n}\n```',
        'Input, content:\n\n````\na\n```\nb\n````',
        'Output:\n\n```json\n{\n  "ok": true\n}\n```',
        '</details>',
        '<details>\n<summary><code>fetch</code>: failed, &lt;b> &amp; more</summary>',
        'Input:\n\n```json\n{\n  "url": "https://a.example"\n}\n```',
        '</details>',
        'Done.\n',
      ].join('\n\n'),
    );
  });

  it('say what was not allowed, and what waits for an answer', () => {
    const steps = [
      step('1', {}),
      step('2', { status: 'running' }),
      step('3', { status: 'awaiting_approval' }),
      step('4', { status: 'failed', error: DENIED_WORDS }),
      step('5', { status: 'failed', error: EXPIRED_WORDS }),
      step('6', { status: 'failed', error: 'No room.' }),
    ];
    const lines = messageWords({ ...said('Done.'), role: 'assistant', steps }).match(/^- .*$/gm);
    expect(lines?.map((line) => line.replace('- `write_file`', ''))).toEqual([
      '',
      ': running',
      ': waiting for an answer',
      ': not allowed',
      ': not answered in time, so not done',
      ': failed, No room.',
    ]);
  });
});
