import { describe, expect, it } from 'vitest';
import { archiveOf, claudeChat, claudeMessage, webuiChat, zipOf } from '../../../support/archives.ts';
import { messagesIn, readExport } from '../../../support/read-archive.ts';

const escaped = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

describe('a reply of Open WebUI', () => {
  const replyOf = async (message: object) => {
    const chat = webuiChat(
      [
        { id: 'q', parentId: null, role: 'user', content: 'Q' },
        { id: 'a', parentId: 'q', role: 'assistant', content: '', ...message },
      ],
      'a',
    );
    const read = await readExport([chat]);
    return { reply: read.chats[0]?.messages[1], omitted: read.omitted };
  };

  it.each([
    ['with the result in an attribute', ` result="${escaped(JSON.stringify({ temp: 21 }))}"`, ''],
    ['with the result in the element', '', '{&quot;temp&quot;:21}\n'],
  ])('has its calls of tools as steps, %s', async (_what, attribute, inside) => {
    const call = `<details type="tool_calls" done="true" id="c1" name="get_weather" arguments="${escaped('{"city":"Köln <1>"}')}"${attribute} files="" embeds="">\n<summary>Tool Executed</summary>\n${inside}</details>`;
    const { reply } = await replyOf({ content: `Let me look.\n\n${call}\nIt is warm.` });
    expect(reply).toMatchObject({ content: 'Let me look.\n\nIt is warm.' });
    expect(reply?.steps).toMatchObject([
      { tool: 'get_weather', input: { city: 'Köln <1>' }, status: 'done', textBefore: 12 },
    ]);
    const output = reply?.steps?.[0]?.output;
    expect(typeof output === 'string' ? JSON.parse(output) : output).toEqual({ temp: 21 });
  });

  it('has code that ran, its output and its reasoning as steps and reasoning', async () => {
    const content = [
      '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n&gt; Let me count.\n</details>',
      `<details type="code_interpreter" done="true" output="${escaped({ stdout: '</details>\n3', stderr: '', result: '' })}">\n<summary>Analyzed</summary>\n\`\`\`python\nprint("</details>", 1 < 2)\n\`\`\`\n</details>`,
      'Three.',
    ].join('\n');
    const { reply } = await replyOf({ content });
    expect(reply).toMatchObject({
      content: 'Three.',
      reasoning: 'Let me count.',
      steps: [{ tool: 'code_interpreter', input: 'print("</details>", 1 < 2)', output: '</details>\n3' }],
    });
  });

  it.each([
    '```html\n<details type="reasoning">\n<summary>s</summary>\n</details>\n```',
    '<details>\n<summary>Plain</summary>\n\ntext\n\n</details>',
    'cut off <details type="tool_calls" name="x">',
    '<details type="tool_calls" name="x">\nnever closed',
  ])('keeps what only looks like one: %j', async (content) => {
    const { reply } = await replyOf({ content });
    expect(reply).toMatchObject({ content });
    expect(reply?.steps ?? []).toEqual([]);
  });

  it.each([
    [{ error: { content: 'No memory.' } }, 'No memory.'],
    [{ error: 'Bad gateway' }, 'Bad gateway'],
    [{ error: { message: 'Limit.' } }, 'Limit.'],
    [{ error: { content: { message: 'Nested.' } } }, 'Nested.'],
    [{ error: {} }, 'The reply failed.'],
    [{ error: true }, 'The reply failed.'],
  ])('that is only an error comes in as one: %j', async (message, words) => {
    const { reply } = await replyOf(message);
    expect(reply).toMatchObject({ content: '', status: 'error', error: { message: words } });
  });

  it('keeps the text before its error, and the text that older versions marked as one', async () => {
    const { reply } = await replyOf({ content: 'Half', error: { content: 'Lost.' } });
    expect(reply).toMatchObject({ content: 'Half', status: 'error', error: { message: 'Lost.' } });
    const { reply: old } = await replyOf({ content: 'Uh oh: 500', error: true });
    expect(old).toMatchObject({ content: 'Uh oh: 500', status: 'error' });
  });

  it('that was stopped says so', async () => {
    const { reply } = await replyOf({ content: 'Half', done: false });
    expect(reply).toMatchObject({ content: 'Half', status: 'complete', stopReason: 'stopped' });
  });

  it('is found where newer versions keep it, with the answer that was made of several', async () => {
    const output = [
      { type: 'reasoning', summary: [], content: [{ type: 'output_text', text: 'Hm.' }] },
      { type: 'function_call', call_id: 'c', name: 'get', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'One' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is one.' }] },
    ];
    const { reply } = await replyOf({ output, merged: { status: true, content: 'All say one.' } });
    expect(reply).toMatchObject({
      content: 'It is one.\n\n**Merged answer**\n\nAll say one.',
      reasoning: 'Hm.',
      steps: [{ tool: 'get', input: { a: 1 }, output: 'One' }],
    });
  });

  it('names its sources, and keeps the passages that they gave', async () => {
    const { reply } = await replyOf({
      content: 'See [1].',
      sources: [
        {
          source: { type: 'web_search', name: 'rome', urls: ['https://rome.example'] },
          document: ['Rome is old.'],
          metadata: [{ source: 'https://rome.example', title: 'Rome' }],
        },
        {
          source: { type: 'file', name: 'notes.pdf', id: 'f1' },
          document: ['Page one.', 'Page two.'],
          metadata: [
            { name: 'notes.pdf', source: 'notes.pdf', page: 1 },
            { name: 'notes.pdf', source: 'notes.pdf' },
          ],
        },
      ],
    });
    expect(reply).toMatchObject({
      content: 'See [1].\n\nSources:\n\n- [Rome](https://rome.example)\n- notes.pdf',
      steps: [{ tool: 'search', output: 'Rome is old.\n\nPage one.\n\nPage two.' }],
    });
  });

  it(
    'takes no time over elements that never close',
    () => expect(replyOf({ content: '<details type="reasoning">\n'.repeat(20_000) })).resolves.toBeDefined(),
    5_000,
  );
});

describe('an artifact of Claude', () => {
  const use = (input: object, id = 't', name = 'artifacts'): object => ({
    type: 'tool_use',
    id,
    name,
    input,
  });
  const done = (id = 't'): object => ({
    type: 'tool_result',
    tool_use_id: id,
    content: [{ type: 'text', text: 'OK' }],
  });
  const replyOf = async (...content: object[]) => {
    const chat = claudeChat([claudeMessage('human', 'Q', 1), claudeMessage('assistant', '', 2, { content })]);
    return (await messagesIn([chat]))[1];
  };

  it('and the pages that a search found keep their titles and addresses', async () => {
    const page = (type: string, title: string, text: string): object => ({
      ...{ type, title, text, url: `https://${title}.example`, metadata: {}, is_missing: false },
    });
    const reply = await replyOf(use({ query: 'rome' }, 's', 'web_search'), {
      type: 'tool_result',
      tool_use_id: 's',
      content: [page('knowledge', 'a', 'A.'), page('knowledge', 'b', 'B.')],
    });
    expect(reply?.steps).toMatchObject([{ output: 'a\nhttps://a.example\nA.\nb\nhttps://b.example\nB.' }]);
  });

  it('stands in the reply, as it is after each change', async () => {
    const type = 'application/vnd.ant.code';
    const reply = await replyOf(
      use(
        { id: 'x', type, language: 'python', title: 'Sum', command: 'create', content: 'a = 1\nb = 2' },
        '1',
      ),
      done('1'),
      { type: 'text', text: 'Now better:' },
      use({ id: 'x', command: 'update', content: '', old_str: 'b = 2', new_str: 'b = $&' }, '2'),
      done('2'),
      use({ id: 'x', command: 'update', old_str: 'gone', new_str: 'c = 3' }, '3'),
    );
    expect(reply?.content).toBe(
      [
        '**Sum**\n\n```python\na = 1\nb = 2\n```',
        'Now better:',
        '**Sum**\n\n```python\na = 1\nb = $&\n```',
        '**Sum (changes)**\n\n```python\nc = 3\n```',
      ].join('\n\n'),
    );
    expect(reply?.steps).toMatchObject([
      { tool: 'artifacts', input: { command: 'create' }, output: 'OK' },
      { tool: 'artifacts', input: { command: 'update' }, output: 'OK' },
      { tool: 'artifacts' },
    ]);
    expect(reply?.steps?.[0]?.input).not.toHaveProperty('content');
  });

  it('is found in the text of older archives, and in files that it creates', async () => {
    const reply = await replyOf(
      {
        type: 'text',
        text: '<antThinking>A plan.</antThinking>\n\nHere:\n\n<antArtifact identifier="x" type="text/markdown" title="Plan &amp; more">\n# One\n</antArtifact>\n\nThere.',
      },
      use({ description: 'd', path: '/mnt/a.py', file_text: 'print(1)\n' }, '1', 'create_file'),
    );
    expect(reply?.reasoning).toBe('A plan.');
    expect(reply?.content).toBe(
      'Here:\n\n**Plan & more**\n\n```markdown\n# One\n```\n\nThere.\n\n**/mnt/a.py**\n\n```py\nprint(1)\n```',
    );
  });

  it('the pages that a reply cites are its sources', async () => {
    const reply = await replyOf({
      type: 'text',
      text: 'Old.',
      citations: [
        {
          uuid: '1',
          start_index: 0,
          end_index: 3,
          title: 'Rome',
          url: 'https://rome.example',
          details: { type: 'web_search_citation', url: 'https://rome.example' },
        },
      ],
    });
    expect(reply?.content).toBe('Old.\n\nSources:\n\n- [Rome](https://rome.example)');
  });
});

describe('an archive of Claude', () => {
  it('keeps the text of blocks that are newer than this, and marks others', async () => {
    const content = [
      { type: 'text', text: 'Done.' },
      { type: 'future_block', text: 'More.' },
      { type: 'rich_block', data: {} },
      { type: 'token_budget' },
    ];
    const chat = claudeChat([claudeMessage('human', 'Q', 1), claudeMessage('assistant', '', 2, { content })]);
    expect((await messagesIn([chat]))[1]?.content).toBe(
      'Done.\n\nMore.\n\n[file not brought over: rich_block]',
    );
  });

  it.each([
    [{ stop_reason: 'user_canceled' }, 'stopped'],
    [{ stop_reason: 'max_tokens' }, 'length'],
    [{ truncated: true }, 'length'],
    [{ stop_reason: 'end_turn', truncated: false }, 'end'],
  ])('says how a reply ended: %j', async (more, stopReason) => {
    const chat = claudeChat([claudeMessage('human', 'Q', 1), claudeMessage('assistant', 'A', 2, more)]);
    expect((await messagesIn([chat]))[1]).toMatchObject({ content: 'A', stopReason });
  });

  const MEMORY = { conversations_memory: 'Likes tea.', project_memories: { p: 'Is late.' } };
  const THESIS = { name: 'Thesis', prompt_template: 'Be strict.', docs: [{ filename: 'a.md' }] };
  const EXAMPLE = { name: 'How to', is_starter_project: true, prompt_template: 'x', docs: [{}] };

  it.each([
    ['in lists', { memories: [MEMORY], projects: [THESIS, EXAMPLE] }],
    ['in files of their own', { memories: MEMORY, 'projects/a': THESIS, 'projects/b': EXAMPLE }],
  ])(
    'counts memories and the instructions of projects, %s, and reports their files',
    async (_where, beside) => {
      const chat = claudeChat([claudeMessage('human', 'Q', 1), claudeMessage('assistant', 'A', 2)]);
      const zip = zipOf(
        Object.entries({ conversations: [chat], ...beside }).map(([name, value]) => ({
          name: `data\\${name}.json`,
          data: JSON.stringify(value),
        })),
      );
      const { chats, omitted, found } = await readExport(zip);
      expect(chats).toHaveLength(1);
      expect(omitted).toMatchObject({ instructions: 3 });
      expect(found.problems).toMatchObject([{ what: 'The files of the project “Thesis” are left out.' }]);
    },
  );

  it('is read with all its lists, and said to be empty if there are no chats', async () => {
    const listOf = (name: string, ...chats: object[]) => ({ name, data: JSON.stringify(chats) });
    const chat = () => claudeChat([claudeMessage('human', 'Q', 1), claudeMessage('assistant', 'A', 2)]);
    const both = zipOf([listOf('conversations.json', chat()), listOf('conversations (1).json', chat())]);
    expect((await readExport(both)).chats).toHaveLength(2);
    for (const empty of [[], zipOf([listOf('conversations.json')])])
      await expect(readExport(empty)).rejects.toThrow('There are no chats in this file.');
  });
});

describe('an archive of DeepSeek', () => {
  const chat = (
    mapping: Record<string, object | null>,
    links: Record<string, string | null>,
    more: object = {},
  ) => ({
    id: 'c1',
    title: 'Rome',
    inserted_at: '2025-01-29T10:00:00.000000+08:00',
    updated_at: '2025-01-29T11:00:00.000000+08:00',
    mapping: Object.fromEntries(
      Object.entries(mapping).map(([id, message]) => [
        id,
        { id, parent: links[id] ?? null, children: [], message },
      ]),
    ),
    ...more,
  });
  const message = (fragments: object[], more: object = {}): object => ({
    files: [],
    model: 'deepseek-reasoner',
    inserted_at: '2025-01-29T10:01:00.000000+08:00',
    fragments,
    ...more,
  });
  const links = { 1: 'root', 2: '1', 3: '1' };

  it('comes in with thoughts, searches, files and versions', async () => {
    const file = archiveOf([
      chat(
        {
          root: null,
          1: message([{ type: 'REQUEST', content: 'How old?' }], {
            files: [{ file_name: 'a.txt', content: 'text' }, { file_name: 'b.png' }],
          }),
          2: message([
            {
              type: 'SEARCH',
              queries: [{ query: 'rome' }],
              results: [{ url: 'https://rome.example', title: 'Rome', snippet: 'S', cite_index: 1 }],
            },
            { type: 'THINK', content: 'Hm.' },
            { type: 'RESPONSE', content: 'Old[citation:1], very[citation:9].' },
          ]),
          3: message([{ type: 'RESPONSE', content: 'Very old.' }], {
            inserted_at: '2025-01-29T10:05:00.000000+08:00',
          }),
        },
        links,
      ),
    ]);
    const { app, chats, omitted, found } = await readExport(file);
    expect({ app, found }).toMatchObject({ app: 'deepseek', found: { leftOut: 0, mended: 0 } });
    expect(omitted).toMatchObject({ files: 1 });
    expect(chats[0]?.chat).toMatchObject({ title: 'Rome', createdAt: '2025-01-29T02:00:00.000Z' });
    const [question, first, , second] = chats[0]?.messages ?? [];
    expect(question?.content).toBe('How old?\n\n```text a.txt\ntext\n```\n\n[file not brought over: b.png]');
    expect(first).toMatchObject({
      content: 'Old [1](<https://rome.example>), very[citation:9].',
      reasoning: 'Hm.',
      model: 'deepseek-reasoner',
      createdAt: '2025-01-29T02:01:00.000Z',
      steps: [{ tool: 'search', input: ['rome'], output: 'Rome\nhttps://rome.example\nS' }],
    });
    expect(second?.content).toBe('Very old.');
  });

  it.each([
    ['without a time', { inserted_at: undefined }],
    ['as one chat', {}],
  ])('is told from ChatGPT’s: %s', async (_what, more) => {
    const one = chat({ root: null, 1: message([{ type: 'REQUEST', content: 'Q' }]) }, links, more);
    expect(await readExport(JSON.stringify(one))).toMatchObject({
      app: 'deepseek',
      chats: [{ messages: [{ content: 'Q' }] }],
    });
  });

  it('of an older kind, with plain texts, comes in as well', async () => {
    const plain = (content: string, more: object = {}): object => ({
      files: [],
      search_results: null,
      model: 'deepseek-chat',
      reasoning_content: null,
      content,
      inserted_at: '2025-01-29T10:01:00.000000+08:00',
      ...more,
    });
    const all = await messagesIn([
      chat(
        {
          root: null,
          1: plain('Q'),
          2: plain('A', {
            reasoning_content: 'Hm.',
            search_results: [{ url: 'https://a.example', title: 'A' }],
          }),
        },
        links,
      ),
    ]);
    expect(all).toMatchObject([
      { role: 'user', content: 'Q' },
      { role: 'assistant', content: 'A', reasoning: 'Hm.', steps: [{ tool: 'search' }] },
    ]);
  });
});
