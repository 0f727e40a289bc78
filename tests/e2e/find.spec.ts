/** Looking for words in the open chat. */
import type { Locator, Page } from '@playwright/test';
import type { ExportedMessage, ImportResult } from '../../shared/api/data.ts';
import { exportedChat, exportFileOf, replied, said } from '../support/exported.ts';
import { expectAccessibleInBoth } from './support/axe.ts';
import type { TestService } from './support/service.ts';
import { expect, test, type ChatPage } from './support/test.ts';

test.use({ directed: true });

/** Questions and answers, and what each answer says. */
function conversation(count: number, answer: (index: number) => string): ExportedMessage[] {
  return Array.from({ length: count }, (_, index) => {
    const question = said(`Question ${index}`);
    return [question, replied(answer(index), question.id)];
  }).flat();
}

async function openImported(
  chat: ChatPage,
  service: TestService,
  messages: ExportedMessage[],
): Promise<void> {
  const { chatIds } = await service.call<ImportResult>(
    'POST',
    '/api/v1/import',
    exportFileOf(exportedChat(messages)),
  );
  await chat.open(service.pageUrl);
  await chat.page.goto(`${service.baseUrl}/#/chats/${chatIds[0] ?? ''}`);
  await expect(chat.replies.last()).toBeVisible();
}

const bar = (page: Page): Locator => page.getByRole('search', { name: 'Find in this chat' });
const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Find in this chat' });

/** What is marked in what is drawn. */
const marked = (page: Page, name: 'found' | 'found-current'): Promise<string[]> =>
  page.evaluate(
    (wanted) =>
      [...(CSS.highlights.get(wanted) ?? [])].map((found) => {
        const range = new Range();
        range.setStart(found.startContainer, found.startOffset);
        range.setEnd(found.endContainer, found.endOffset);
        return range.toString();
      }),
    name,
  );

/** Whether the one that was gone to is in view, in the log and not behind anything of it. */
const currentInView = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const [found] = CSS.highlights.get('found-current') ?? [];
    const view = document.querySelector('[role="log"]')?.getBoundingClientRect();
    if (!found || !view) return false;
    const range = new Range();
    range.setStart(found.startContainer, found.startOffset);
    range.setEnd(found.endContainer, found.endOffset);
    const there = range.getBoundingClientRect();
    const isWithin = ({ top, bottom }: DOMRect): boolean => there.top >= top && there.bottom <= bottom;
    const hidden = range.startContainer.parentElement?.closest('pre, .opened')?.getBoundingClientRect();
    return there.height > 0 && isWithin(view) && isWithin(hidden ?? view);
  });

test(
  'words are found in all messages, whatever marks they have, and gone to one after the other',
  { tag: '@firefox' },
  async ({ page, service, chat }) => {
    // All of it is in view, so the first is the first.
    await page.setViewportSize({ width: 1280, height: 1600 });
    const texts = ['a **be**an', 'no', '| Bean | x |\n| --- | --- |\n| béan | y |', '```\nbean = 1\n```'];
    await openImported(
      chat,
      service,
      conversation(4, (index) => texts[index] ?? ''),
    );
    await page.keyboard.press('Control+f');
    await expect(box(page)).toBeFocused();
    await page.keyboard.type('bean');
    await expect(bar(page).getByRole('status')).toHaveText('1 of 4');
    await expect.poll(() => marked(page, 'found')).toEqual(['bean', 'Bean', 'béan', 'bean']);
    expect(await marked(page, 'found-current')).toEqual(['bean']);
    await page.keyboard.press('Enter');
    await expect(bar(page).getByRole('status')).toHaveText('2 of 4');
    await expect.poll(() => marked(page, 'found-current')).toEqual(['Bean']);
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Shift+Enter');
    await expect(bar(page).getByRole('status')).toHaveText('4 of 4');
    await page.getByRole('button', { name: 'Next match' }).click();
    await expect(bar(page).getByRole('status')).toHaveText('1 of 4');
    await box(page).fill('nowhere');
    await expect(bar(page).getByRole('status')).toHaveText('Not found');
    await expect(page.getByRole('button', { name: 'Next match' })).toBeDisabled();
    expect(await marked(page, 'found')).toEqual([]);
  },
);

test('what is counted is what is marked, whatever a reply is made of', async ({ page, service, chat }) => {
  await page.setViewportSize({ width: 1280, height: 3000 });
  const rich = [
    '# A heading with `code` and **strong _emphasis_**',
    'Text\nof lines  \nbroken, ~~deleted~~, [a *link*](https://example.com/e), <https://example.com/ee>, ![image](https://example.com/e.png)',
    '- [x] done e\n- [ ] open e\n  1. nested e\n     > quoted e\n\n  a paragraph in it e',
    '> # heading in a quote\n> - item e\n>\n> ```js\n> let e = "e";\n> ```',
    '| Item e | `e` |\n| --- | ---: |\n| **e** | e <br> e |',
    '```ts\n// e\nconst e: number = 6 * 7;\n```',
    '<details>\n<summary>tags e</summary>\n</details>\n\nwith $e^2 + e$ and\n\n$$e = mc^2$$\n\n&eacute;&amp;e \\*e\\* &lt;e&gt;',
    '    indented e\n\n---\n\nhttps://example.com/e and e@example.com <b>e</b><br>e\n\n[e]: https://example.com/e\n\n[e] e[^1]\n\n[^1]: note e',
  ].join('\n\n');
  await openImported(
    chat,
    service,
    conversation(1, () => rich),
  );
  await expect(chat.replies.locator('.katex').first()).toBeVisible();
  await page.keyboard.press('Control+f');
  for (const query of ['e', 'te', ' e', 'a', 'e e', '<e', 'e.', 'https']) {
    await box(page).fill(query);
    const status = bar(page).getByRole('status');
    await expect(status).toHaveText(/^\d+ of \d+$|^Not found$/);
    const count = Number(/of (\d+)/.exec((await status.textContent()) ?? '')?.[1] ?? 0);
    await expect.poll(async () => (await marked(page, 'found')).length, query).toBe(count);
  }
});

test('Escape closes it and gives the focus back; from its own input the browser’s search is had', async ({
  page,
  service,
  chat,
}) => {
  await openImported(
    chat,
    service,
    conversation(1, () => 'bean'),
  );
  await chat.message.focus();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('bean');
  await expect.poll(() => marked(page, 'found')).toEqual(['bean']);
  const isTaken = (): Promise<boolean> =>
    page.evaluate(
      () =>
        !(document.activeElement ?? document.body).dispatchEvent(
          new KeyboardEvent('keydown', {
            key: 'f',
            code: 'KeyF',
            ctrlKey: true,
            bubbles: true,
            cancelable: true,
          }),
        ),
    );
  expect(await isTaken()).toBe(false);
  await chat.message.focus();
  expect(await isTaken()).toBe(true);
  await expect(box(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await expect(chat.message).toBeFocused();
  expect(await marked(page, 'found')).toEqual([]);
  await chat.choose('find in this');
  await expect(box(page)).toBeFocused();
  await expect(box(page)).toHaveValue('bean');
  await expect(bar(page).getByRole('status')).toHaveText('1 of 1');
});

test('in 1,500 messages what is far from being drawn is found', async ({ page, service, chat }) => {
  await openImported(
    chat,
    service,
    conversation(750, (index) => `Answer **${index}**\n\n- one\n- two${index % 150 === 7 ? ' needle' : ''}`),
  );
  await page.keyboard.press('Control+f');
  await page.keyboard.type('needle');
  await expect(bar(page).getByRole('status')).toHaveText(/^[1-5] of 5$/);
  const seen = new Set<string>();
  for (let step = 0; step < 5; step += 1) {
    await page.keyboard.press('Enter');
    await expect.poll(() => marked(page, 'found-current')).toEqual(['needle']);
    await expect.poll(() => currentInView(page)).toBe(true);
    seen.add((await bar(page).getByRole('status').textContent()) ?? '');
  }
  expect([...seen].sort()).toEqual(['1 of 5', '2 of 5', '3 of 5', '4 of 5', '5 of 5']);
});

test(
  'what stands in steps, in reasoning and in files is found, and only what hides it is opened',
  { tag: '@firefox' },
  async ({ page, service, chat }) => {
    const rows = Array.from(
      { length: 300 },
      (_, index) => `row ${index}${index === 250 ? ' Übersicht' : ''}`,
    );
    const question = said('Count it\n\n```text numbers.txt\nsome übersicht\n```');
    const step = { tool: 'run_python', status: 'done', textBefore: 12 } as const;
    const reply = replied(
      'Here it is: übersicht.\n\n<details><summary>More</summary>\n\nübersicht\n\n</details>',
      question.id,
      {
        reasoning: `${'Long thoughts.\n\n'.repeat(60)}An **ubersicht**`,
        steps: [
          { ...step, id: 'a', input: 'print("nothing")', output: rows.join('\n') },
          { ...step, id: 'b', input: { code: '概要 = übersicht' }, output: { shown: 'none' } },
          { ...step, id: 'c', input: 'x', status: 'failed', error: 'There is no Übersicht.' },
        ],
      },
    );
    await openImported(chat, service, [question, reply]);
    const opened = (): Promise<number> => page.locator('[data-message] details[open]').count();
    await page.keyboard.press('Control+f');
    const status = bar(page).getByRole('status');
    await page.keyboard.type('übersicht');
    await expect(status).toHaveText('1 of 7');
    await expect.poll(async () => (await marked(page, 'found')).length).toBe(7);
    for (const [words, parts] of [
      ['übersicht', 1],
      ['ubersicht', 2],
      ['Übersicht', 3],
      ['übersicht', 4],
      ['Übersicht', 5],
      ['übersicht', 5],
      ['übersicht', 6],
    ] as const) {
      await expect.poll(() => marked(page, 'found-current')).toEqual([words]);
      await expect.poll(() => currentInView(page)).toBe(true);
      expect(await opened()).toBe(parts);
      await page.keyboard.press('Enter');
    }
    await expect(status).toHaveText('1 of 7');
    await box(page).fill('概要');
    await expect(status).toHaveText('1 of 1');
    await box(page).fill('print("nothing")');
    await expect(status).toHaveText('1 of 1');
    // What was opened stays open, and is found by the browser as well.
    await page.keyboard.press('Escape');
    expect(await opened()).toBe(6);
  },
);

test('something deep in a long message is brought into view, also out of what is collapsed', async ({
  page,
  service,
  chat,
}) => {
  const lines = Array.from({ length: 120 }, (_, index) => `line ${index}${index === 100 ? ' needle' : ''}`);
  const question = said(`${'many words\n'.repeat(60)}needle`);
  const paragraphs = `${'A paragraph.\n\n'.repeat(80)}a needle`;
  await openImported(chat, service, [
    question,
    replied(`\`\`\`\n${lines.join('\n')}\n\`\`\``, question.id),
    ...conversation(1, () => paragraphs),
  ]);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('needle');
  const seen = new Set<string>();
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press('Enter');
    await expect.poll(() => marked(page, 'found-current')).toEqual(['needle']);
    await expect.poll(() => currentInView(page)).toBe(true);
    seen.add((await bar(page).getByRole('status').textContent()) ?? '');
  }
  expect([...seen].sort()).toEqual(['1 of 3', '2 of 3', '3 of 3']);
  await page.keyboard.press('Shift+Enter');
  await expect(box(page)).toBeFocused();
});

test('what a reply says while it is written is counted, and nobody is led away', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await chat.say('say word1');
  await expect(chat.replies).toContainText('word1');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('word');
  await expect(bar(page).getByRole('status')).toHaveText('1 of 2');
  await chat.say('stream 30 words at 20/s');
  await expect(bar(page).getByRole('status')).toHaveText(/^1 of ([4-9]|1\d)$/);
  await expect(bar(page).getByRole('status')).toHaveText('1 of 33');
  await expect.poll(async () => (await marked(page, 'found')).length).toBe(33);
});

test('axe finds nothing wrong with it, also when it is narrow', async ({ page, service, chat }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await openImported(
    chat,
    service,
    conversation(3, () => 'bean'),
  );
  await page.keyboard.press('Control+f');
  await page.keyboard.type('bean');
  await expect(bar(page).getByRole('status')).toHaveText(/ of 3$/);
  await expectAccessibleInBoth(page, 'the search bar');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
