import { describe, expect, it } from 'vitest';
import { archiveOf, gptChat, gptText, timeAt } from '../../../support/archives.ts';
import { messagesIn, readExport } from '../../../support/read-archive.ts';

type Links = Parameters<typeof gptChat>[0];
type Node = NonNullable<Links[number][2]>;

const QUESTION: Node = { role: 'user', content: gptText('Q'), minute: 1 };
const answer = (text: string, metadata: object = {}): Node => ({
  role: 'assistant',
  content: gptText(text),
  metadata,
});
const code = (recipient: string, text: string): Node => ({
  role: 'assistant',
  recipient,
  content: { content_type: 'code', language: 'unknown', text },
});
const output = (name: string, content: object, metadata: object = {}): Node => ({
  role: 'tool',
  name,
  content,
  metadata,
});

/** The reply that these nodes are, in their order, after a question. */
async function replyOf(...nodes: Node[]) {
  const links: Links = [
    ['root', null, null],
    ['q', 'root', QUESTION],
  ];
  for (const node of nodes) links.push([`n${links.length}`, links.at(-1)?.[0] ?? null, node]);
  const [, reply, ...rest] = await messagesIn(archiveOf([gptChat(links)]));
  expect(rest).toEqual([]);
  return reply;
}

describe('what tools of ChatGPT gave', () => {
  it.each([
    ['a file search without a call', output('file_search', gptText('All of the file')), 'All of the file'],
    [
      'a quote of a file',
      output('myfiles_browser', {
        content_type: 'tether_quote',
        title: 'a.pdf',
        url: 'file-1',
        text: 'Said',
      }),
      'a.pdf\nfile-1\nSaid',
    ],
    [
      'a page as the assistant’s own message',
      {
        role: 'assistant',
        content: { content_type: 'tether_quote', title: 'Rome', url: 'https://r.example', text: 'R' },
      },
      'Rome\nhttps://r.example\nR',
    ],
    [
      'a page that was opened',
      output('web', {
        content_type: 'sonic_webpage',
        url: 'https://r.example',
        title: 'Rome',
        snippet: 'Old.',
      }),
      'Rome\nhttps://r.example\nOld.',
    ],
    [
      'results of a search',
      output('browser', { content_type: 'tether_browsing_display', result: '# 1 Rome', summary: null }),
      '# 1 Rome',
    ],
    [
      'several parts',
      output('file_search', {
        content_type: 'multimodal_text',
        parts: ['One', { content_type: 'text', text: 'Two' }],
      }),
      'One\n\nTwo',
    ],
  ])('is a step and no word of the assistant: %s', async (_what, node, text) => {
    const reply = await replyOf(node, answer('Done.'));
    expect(reply).toMatchObject({ content: 'Done.', steps: [{ status: 'done', output: text }] });
    expect(reply?.steps).toHaveLength(1);
  });

  it('stands with its own call, not with that of another tool', async () => {
    const reply = await replyOf(
      code('python', 'print(1)'),
      output('python', { content_type: 'execution_output', text: '1' }),
      output('file_search', gptText('found')),
      answer('Done.'),
    );
    expect(reply?.steps).toMatchObject([
      { tool: 'python', input: 'print(1)', output: '1' },
      { tool: 'file_search', input: null, output: 'found' },
    ]);
  });
});

describe('a reply of ChatGPT', () => {
  it('has a line for each picture that its code drew', async () => {
    const drawn = { aggregate_result: { messages: [{ message_type: 'image' }, { message_type: 'stream' }] } };
    const printed = { content_type: 'execution_output', text: '<Figure>' };
    const reply = await replyOf(code('python', 'plot()'), output('python', printed, drawn), answer('Done'));
    expect(reply).toMatchObject({
      content: '[image not brought over]\n\nDone',
      steps: [{ tool: 'python', output: '<Figure>' }],
    });
  });

  it('has what others than the model wrote as steps', async () => {
    const reply = await replyOf({ role: 'critic', content: gptText('Wrong.') }, answer('Right.'));
    expect(reply).toMatchObject({ content: 'Right.', steps: [{ tool: 'critic', output: 'Wrong.' }] });
  });

  it.each([
    ['interrupted', 'stopped'],
    ['max_tokens', 'length'],
    ['stop', 'end'],
  ])('that ended by %s says so', async (type, stopReason) => {
    const cut = answer('Half', { finish_details: { type } });
    expect(await replyOf(cut)).toMatchObject({ stopReason });
    expect(await replyOf(cut, answer('Whole'))).toMatchObject({ stopReason: 'end' });
  });
});

describe('the sources of a reply of ChatGPT', () => {
  const cite = (...refs: string[]): string => `\ue200cite\ue202${refs.join('\ue202')}\ue201`;

  it('stand below it, each once, whichever field they come in', async () => {
    const reply = await replyOf(
      answer(`Rome is old${cite('turn0search1')}. \ue203Very\ue204 old.`, {
        content_references: [
          {
            matched_text: cite('turn0search1'),
            type: 'grouped_webpages',
            alt: '([Rome](https://rome.example/a?utm_source=chatgpt.com))',
            safe_urls: ['https://rome.example/a?utm_source=chatgpt.com', 'https://rome.example/a'],
            items: [
              {
                title: 'Rome [old]',
                url: 'https://rome.example/a?utm_source=chatgpt.com',
                supporting_websites: [{ title: 'More', url: 'https://more.example/x(1)' }],
              },
            ],
          },
          { type: 'sources_footnote', sources: [{ title: 'Foot', url: 'https://foot.example/' }] },
          { type: 'file', name: 'report.pdf', id: 'file-1' },
          { type: 'hidden', matched_text: ' ', invalid: true },
        ],
        citations: [
          { start_ix: 1, metadata: { type: 'webpage', title: 'Old', url: 'https://old.example', text: 'x' } },
        ],
      }),
    );
    expect(reply?.content).toBe(
      [
        'Rome is old. Very old.',
        'Sources:',
        [
          '- [Rome \\[old\\]](https://rome.example/a)',
          '- [More](https://more.example/x%281%29)',
          '- [Foot](https://foot.example)',
          '- report.pdf',
          '- [Old](https://old.example)',
        ].join('\n'),
      ].join('\n\n'),
    );
  });

  it('replace their marks in the text, and other brackets stay', async () => {
    const metadata = { citations: [{ metadata: { type: 'file', name: 'report.pdf' } }] };
    const text = 'Per the doc【4:0†report.pdf】 and 【3†source】, 【重要】.';
    expect((await replyOf(answer(text, metadata)))?.content).toBe(
      'Per the doc and, 【重要】.\n\nSources:\n\n- report.pdf',
    );
    expect((await replyOf(answer(text)))?.content).toBe(text);
  });

  it('leave no blanks where they stood, and words and links as they are', async () => {
    const link = '\ue200url\ue202Rome [1]\ue202https://rome.example/a b';
    const text = `Old ${cite('a')}${cite('b')}. So ${cite('c')} on ${cite('d')}x, ${link}\ue201, ${link.replace(' b', '(b)')}\ue201`;
    expect((await replyOf(answer(text)))?.content).toBe(
      'Old. So on x, Rome [1], [Rome \\[1\\]](<https://rome.example/a(b)>)',
    );
  });

  it('and the frames of texts to be copied aren’t part of it', async () => {
    const framed = ':::writing{variant="email" id="1" subject="Hi *you*"}\nDear R,\n\n- a\n:::';
    const text = `Here:\n\n${framed}\n\n:::writing{variant="post" id="2"}\nB\n:::\n\n:::note\nC\n:::`;
    expect((await replyOf(answer(text)))?.content).toBe(
      'Here:\n\n**Hi \\*you\\***\n\nDear R,\n\n- a\n\nB\n\n:::note\nC\n:::',
    );
  });

  it.each([
    ['in the hidden answer of the tool', true],
    ['in the message itself', false],
  ])('that a search found stand in its step: %s', async (_what, isHidden) => {
    const groups = {
      search_result_groups: [
        {
          type: 'search_result_group',
          domain: 'rome.example',
          entries: [{ type: 'search_result', title: 'Rome', url: 'https://rome.example', snippet: 'Old.' }],
        },
      ],
      search_queries: [{ type: 'search', q: 'rome' }],
    };
    const hidden = { ...groups, is_visually_hidden_from_conversation: true };
    const reply = isHidden
      ? await replyOf(code('web.run', '{"q":"rome"}'), output('web.run', gptText(''), hidden), answer('Old.'))
      : await replyOf(answer('Old.', groups));
    expect(reply).toMatchObject({
      content: 'Old.',
      steps: [{ tool: isHidden ? 'web.run' : 'search', output: 'Rome\nhttps://rome.example\nOld.' }],
    });
  });
});

describe('a canvas of ChatGPT', () => {
  const canvas = (action: string, input: object): Node[] => [
    code(`canmore.${action}_textdoc`, JSON.stringify(input)),
    output(`canmore.${action}_textdoc`, gptText('Successfully done'), { canvas: { textdoc_id: '1' } }),
  ];
  const create = (type: string, content: string): Node[] =>
    canvas('create', { name: 'My *plan*', type, content });

  it('stands in the reply with its title, as text', async () => {
    const reply = await replyOf(...create('document', 'One\n```\ncode\n```\n“two”'), answer('There.'));
    expect(reply?.content).toBe(
      '**My \\*plan\\***\n\n````markdown\nOne\n```\ncode\n```\n“two”\n````\n\nThere.',
    );
    expect(reply?.steps).toMatchObject([
      {
        tool: 'canmore.create_textdoc',
        input: { name: 'My *plan*' },
        output: 'Successfully done',
        textBefore: 0,
      },
    ]);
    expect(JSON.stringify(reply?.steps)).not.toContain('code');
  });

  it.each([
    ['all of it', [{ pattern: '.*', multiple: false, replacement: 'c\\n$1' }], 'c\\n$1'],
    ['one passage', [{ pattern: 'a \\(1\\)', multiple: false, replacement: 'c' }], 'c\na (1)\nb'],
    ['every passage', [{ pattern: 'a \\(1\\)', multiple: true, replacement: '$&' }], '$&\n$&\nb'],
    [
      'several passages',
      [
        { pattern: 'b', replacement: 'd' },
        { pattern: 'd', replacement: 'e' },
      ],
      'a (1)\na (1)\ne',
    ],
  ])('that is changed is shown as it is then: %s', async (_what, updates, text) => {
    const reply = await replyOf(
      ...create('code/python', 'a (1)\na (1)\nb'),
      ...canvas('update', { updates }),
    );
    expect(reply?.content.split('\n\n**')[1]).toBe(`My \\*plan\\***\n\n\`\`\`python\n${text}\n\`\`\``);
    expect(reply?.steps).toHaveLength(2);
  });

  it('shows what an expression put in where the whole can’t be known', async () => {
    const reply = await replyOf(
      ...create('code/python', 'a\nb'),
      ...canvas('update', { updates: [{ pattern: '(a+)+$', replacement: 'put in' }] }),
    );
    expect(reply?.content.split('\n\n**')[1]).toBe('My \\*plan\\* (changes)**\n\n```python\nput in\n```');
    const lost = await replyOf(...canvas('update', { updates: [{ pattern: '.*', replacement: 'all' }] }));
    expect(lost?.content).toBe('**Canvas**\n\n```\nall\n```');
  });

  it('that grows and grows is no longer shown whole', async () => {
    const twice = { pattern: 'a', multiple: true, replacement: 'aa' };
    const grown = Array.from({ length: 40 }, () => canvas('update', { updates: [twice] })).flat();
    const reply = await replyOf(...create('document', 'a'), ...grown);
    expect(reply?.content.length).toBeLessThan(3 * 1024 ** 2);
    expect(reply?.content.endsWith('My \\*plan\\* (changes)**\n\n```markdown\naa\n```')).toBe(true);
  });

  it('that is no JSON stays a step', async () => {
    const reply = await replyOf(code('canmore.update_textdoc', '{"updates": [{'));
    expect(reply).toMatchObject({ content: '', steps: [{ input: '{"updates": [{' }] });
  });
});

it('versions are numbered by when they were written, whatever their order in the file', async () => {
  const user = (text: string, minute: number): Node => ({ role: 'user', content: gptText(text), minute });
  const at = (text: string, minute: number): Node => ({ ...answer(text), minute });
  const links: Links = [
    ['a3', 'q', at('third', 9)],
    ['q2', 'root', user('second', 5)],
    ['a2', 't2', at('second', 4)],
    ['root', null, null],
    ['t2', 'q', { role: 'system', content: gptText('') }],
    ['q', 'root', user('first', 1)],
    ['a1', 'q', at('first', 2)],
    ['b', 'q2', at('to the second', 6)],
  ];
  const all = await messagesIn([gptChat(links, { current_node: 'a3' })]);
  expect(all.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    'user: first',
    'assistant: first',
    'user: first',
    'assistant: second',
    'user: first',
    'assistant: third',
    'user: second',
    'assistant: to the second',
  ]);
  expect(all[1]?.createdAt).toBe(timeAt(2).replace('.000', '.123'));
});

it('the chat’s model is that of replies that name none', async () => {
  const links: Links = [
    ['q', null, QUESTION],
    ['a', 'q', answer('One')],
    ['q2', 'a', QUESTION],
    ['b', 'q2', answer('Two', { model_slug: 'o3' })],
  ];
  const all = await messagesIn([gptChat(links, { default_model_slug: 'gpt-4o-mini' })]);
  expect(all.map(({ model }) => model)).toEqual([null, 'gpt-4o-mini', null, 'o3']);
});

it('a kind of content that is newer than Parley leaves a note, and is counted', async () => {
  const links: Links = [
    ['q', null, QUESTION],
    ['a', 'q', { role: 'assistant', content: { content_type: 'hologram', scene: { x: 1 } } }],
  ];
  const { chats, omitted } = await readExport(archiveOf([gptChat(links)]));
  expect(chats[0]?.messages[1]?.content).toBe('[file not brought over: hologram]');
  expect(omitted).toMatchObject({ files: 1 });
});

it('an empty node whose parent is gone is no lost version', async () => {
  const links: Links = [
    ['q', null, QUESTION],
    ['a', 'q', answer('One')],
    ['z', 'gone', null],
  ];
  expect((await readExport(archiveOf([gptChat(links)]))).found.problems).toEqual([]);
});
