import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import type { ImportResult } from '../../shared/api/data.ts';
import { sized } from '../support/effort.ts';
import { exportedChat, exportFileOf, replied, said } from '../support/exported.ts';
import type { TestService } from './support/service.ts';
import { allowClipboard, expect, test } from './support/test.ts';

// How long something holds up a page is measured.
test.use({ isFresh: true });

const times = (text: string, characters: number): string => text.repeat(Math.ceil(characters / text.length));
const inTable = (text: string): string => `| a |\n|---|\n| ${text} |`;
/** Each of them once froze the page, for seconds or for good. */
const HEAVY = [
  `$\\def\\a#1{#1#1}${'\\a{'.repeat(120)}x${'}'.repeat(120)}$`,
  `$${'\\hat{'.repeat(60)}x${'}^2'.repeat(60)}$`,
  inTable(times('$$a', 100_000)),
  inTable(times('a_', 100_000)),
  inTable(times('<a ', 100_000)),
  times('\n$$', 190_000),
  times('x___', 190_000),
  times('_x_<a', 190_000),
  `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${times('|\n', 100_000)}`,
  times('`a` ', 190_000),
  `\`\`\`ini\n${times('QUJD+/', 49_000)}\n\`\`\``,
  `\`\`\`js\n${times('/*"', 49_000)}\n\`\`\``,
];

/** A chat whose replies these are. */
async function importReplies(service: TestService, replies: readonly string[]): Promise<string> {
  const messages = replies.flatMap((content, index) => {
    const question = said(`Question ${index}`);
    return [question, replied(content, question.id)];
  });
  const file = exportFileOf(exportedChat(messages));
  const { chatIds } = await service.call<ImportResult>('POST', '/api/v1/import', file);
  return chatIds[0] ?? '';
}

test('a chat whose reply is heavy to draw can be opened and used, and what stands beside that is drawn', async ({
  page,
  service,
  chat,
}) => {
  test.setTimeout(180_000);
  const ids: string[] = [];
  for (const heavy of HEAVY)
    ids.push(await importReplies(service, [`Before.\n\n${heavy}`, 'Behind: **bold** and $x^2$']));
  await chat.open(service.pageUrl);
  for (const id of ids) {
    await page.goto(`${service.baseUrl}/#/chats/${id}`);
    await expect(chat.replies.last()).toContainText('Behind');
    await chat.message.fill(`typed in ${id}`);
    await expect(chat.message).toHaveValue(`typed in ${id}`);
    await expect(chat.replies.last().locator('strong')).toHaveText('bold');
    await expect(chat.replies.last().locator('.katex')).toHaveCount(1);
    await expect(chat.replies.first()).toContainText('Before.');
  }
});

const NOTES = sized(1_200, 1_500);
const notes = Array.from({ length: NOTES }, (_, index) => `> [!NOTE]\n> Note ${index}.\n\n`).join('');
/** As much as may be added to the page without a pause. */
const MOST_AT_ONCE = 500;

/** Shows a chat; resolves with how many elements that match the page got at a time, once there are `all`. */
async function countAdded(page: Page, chatId: string, selector: string, all: number): Promise<number[]> {
  await page.evaluate(() => (location.hash = '#/settings/about'));
  await expect(page.getByRole('log')).toHaveCount(0);
  await page.evaluate(
    ([id, wanted]) => {
      const counts: number[] = [];
      Object.assign(window, { added: counts });
      new MutationObserver((changes) => {
        const elements = changes
          .flatMap(({ addedNodes }) => [...addedNodes])
          .filter((node) => node instanceof Element);
        const found = elements.flatMap((element) => [
          ...(element.matches(wanted) ? [element] : []),
          ...element.querySelectorAll(wanted),
        ]);
        if (found.length > 0) counts.push(new Set(found).size);
      }).observe(document, { childList: true, subtree: true });
      location.hash = `#/chats/${id}`;
    },
    [chatId, selector] as const,
  );
  await expect(page.locator(selector)).toHaveCount(all, { timeout: 60_000 });
  return page.evaluate(() => (window as unknown as { added: number[] }).added);
}

test('of very many formulas those near the view are drawn, and all of them on paper', async ({
  page,
  service,
  chat,
}) => {
  const formulas = sized(2, 3) * MOST_AT_ONCE;
  const id = await importReplies(service, [many((index) => `- $x_{${index}}$\n`, formulas)]);
  await chat.open(service.pageUrl);
  const drawn = chat.replies.locator('.katex');
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  // As they come from the thread, then as they are known.
  for (const [key, inView] of [
    ['End', chat.replies.locator('li').last()],
    ['Home', chat.replies.locator('li').first()],
  ] as const) {
    await expect(chat.replies.locator('.maths')).toHaveCount(formulas, { timeout: 60_000 });
    await chat.log.press(key);
    await expect(inView.locator('.katex')).toBeInViewport();
    expect(await drawn.count()).toBeLessThan(MOST_AT_ONCE);
    await page.goto(`${service.baseUrl}/#/settings/about`);
    await expect(chat.log).toHaveCount(0);
    await page.goto(`${service.baseUrl}/#/chats/${id}`);
  }
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(drawn).toHaveCount(formulas);
});

test('a paragraph of very many formulas and links stands in several blocks, and is found in and copied as one', async ({
  page,
  service,
  chat,
}) => {
  const written = many((index) => `其中$x_{${index}}$是变量，`, 1_000);
  const linked = many((index) => `part ${index}[a](https://a.example/${index}) of it `, 1_000);
  const id = await importReplies(service, [`${written}\n\n${linked}`]);
  const copied = await allowClipboard(page);
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  for (const drawn of ['.maths', '.markdown a'])
    await expect(chat.replies.locator(drawn)).toHaveCount(1_000, { timeout: 60_000 });
  const sizes = await chat.replies
    .locator('span.group')
    .evaluateAll((runs) => runs.map(({ childElementCount }) => childElementCount));
  expect(sizes.length).toBeGreaterThan(4);
  expect(Math.max(...sizes)).toBeLessThan(MOST_AT_ONCE);
  await page.evaluate(() => {
    getSelection()?.selectAllChildren(document.querySelector('[role="log"] .markdown') ?? document.body);
  });
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(copied).toContain(written);
  expect(await copied()).toContain(linked.replaceAll(/\[a\]\([^)]*\)/g, 'a').trim());
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('a of it part');
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('found')?.size ?? 0)).toBe(999);
});

const many = (part: (index: number) => string, length = NOTES): string =>
  Array.from({ length }, (_, index) => part(index)).join('');
test('what goes on and on is drawn part by part', async ({ page, service, chat }) => {
  test.slow();
  await chat.open(service.pageUrl);
  for (const [what, selector, text, all] of [
    ['a table', 'tbody tr', `| A | B |\n|---|---|\n${many((index) => `| ${index} | b |\n`)}`, NOTES],
    ['a list', 'li', many((index) => `${index + 5}. item\n`), NOTES],
    [
      'a row of pictures',
      '.placeholder *',
      many((index) => `![p](https://p.example/${index}.png) `, 300),
      7 * 300,
    ],
    ['a paragraph', 'wbr', many(() => 'A wave 👋🏽 and a family 👩‍👩‍👧. ', 3_000), 90],
    ['blocks', 'blockquote', notes, NOTES],
  ] as const)
    await test.step(what, async () => {
      const id = await importReplies(service, [text]);
      expect(Math.max(...(await countAdded(page, id, `[role="log"] ${selector}`, all)))).toBeLessThan(
        Math.min(MOST_AT_ONCE, all / 2),
      );
    });
  const texts = await chat.replies.last().locator('blockquote > .markdown').allTextContents();
  expect(texts).toEqual(Array.from({ length: NOTES }, (_, index) => `Note ${index}.`));
  await expect(chat.replies.last().locator('blockquote').last()).toBeInViewport();

  await test.step('code in a message', async () => {
    const file = exportFileOf(exportedChat([said(many(() => 'Use `a` here. '))]));
    const { chatIds } = await service.call<ImportResult>('POST', '/api/v1/import', file);
    expect(Math.max(...(await countAdded(page, chatIds[0] ?? '', '.bubble code', NOTES)))).toBeLessThan(
      MOST_AT_ONCE,
    );
  });
});

test('a numbered list has its numbers while only its end is drawn', async ({ page, service, chat }) => {
  const id = await importReplies(service, [many((index) => `${index + 5}. item\n`)]);
  await chat.open(service.pageUrl);
  await page.evaluate(() => (window.requestAnimationFrame = () => 0));
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await expect(chat.replies.locator('li').last()).toHaveAttribute('value', String(NOTES + 4));
  expect(await chat.replies.locator('li').count()).toBeLessThan(MOST_AT_ONCE);
});

test('what is far from the view is neither styled nor laid out once its height is known', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  for (const [what, selector, text, all] of [
    ['a list', 'li', many((index) => `- item ${index}\n`), NOTES],
    ['blocks', 'blockquote', notes, NOTES],
    ['long blocks', 'p', many(() => `${'word '.repeat(500)}\n\n`, 40), 40],
    ['a paragraph', 'code', many((index) => `Some words about \`code ${index}\`, `), NOTES],
    ['a table', 'tbody tr', longTable, NOTES],
  ] as const)
    await test.step(what, async () => {
      const id = await importReplies(service, [text]);
      await page.goto(`${service.baseUrl}/#/chats/${id}`);
      const parts = chat.replies.locator(selector);
      await expect(parts).toHaveCount(all, { timeout: 60_000 });
      const seen = (): Promise<number> =>
        parts.evaluateAll(
          (found) => found.filter((part) => part.checkVisibility({ contentVisibilityAuto: true })).length,
        );
      await expect.poll(seen).toBeLessThan(all / 2);
      const heightOf = (): Promise<number> => chat.log.evaluate(({ scrollHeight }) => scrollHeight);
      const height = await heightOf();
      // The page's policy refuses elements with styles.
      const setStyles = (styles: string): Promise<void> =>
        page.evaluate((text) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(text);
          document.adoptedStyleSheets = [sheet];
        }, styles);
      await setStyles('* { content-visibility: visible !important }');
      expect(await heightOf()).toBe(height);
      await setStyles('');
      await chat.log.press('Home');
      await expect(parts.first()).toBeInViewport();
      await expect.poll(seen).toBeLessThan(all / 2);
    });
});

const longTable = `| Name | Value |\n|---|--:|\n${many((index) => `| row ${index} | **${index ** 3}** |\n`)}`;

test('a long table has the same columns in all its boxes, is copied and found as one, and stands on paper', async ({
  page,
  service,
  chat,
}) => {
  const id = await importReplies(service, [longTable]);
  const copied = await allowClipboard(page);
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  const table = chat.replies.locator('table');
  await expect(table.locator('tbody tr')).toHaveCount(NOTES, { timeout: 60_000 });
  await expect(table.locator('tbody[data-measured]')).toHaveCount(NOTES / 100);
  const [first, last] = [table.locator('tr').nth(1), table.locator('tr').last()];
  const places = (): Promise<number[][]> =>
    table.evaluate((element: HTMLTableElement) =>
      [0, 1, 50, element.rows.length - 1].map((at) =>
        [...(element.rows[at]?.cells ?? [])].flatMap((cell) => {
          const { left, right } = cell.getBoundingClientRect();
          return [Math.round(left), Math.round(right)];
        }),
      ),
    );
  for (const width of [1000, 420]) {
    await page.setViewportSize({ width, height: 700 });
    await expect.poll(async () => new Set((await places()).map(String)).size).toBe(1);
    expect(await last.evaluate((row) => row.clientHeight)).toBeLessThan(60);
  }
  await table.hover();
  await page.getByRole('button', { name: 'Copy as CSV' }).click();
  const csv = `Name,Value\n${many((index) => `row ${index},${index ** 3}\n`)}`.trim();
  await expect.poll(copied).toBe(csv);
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('row 777');
  await expect(table.locator('tr', { hasText: 'row 777' })).toBeInViewport();
  await expect(first).not.toBeInViewport();
  const paper = await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4' })));
  const { text } = await extractText(paper, { mergePages: true });
  expect(text.match(/row \d+/g)?.length).toBe(NOTES);
});

test('equations are numbered through a long list, seen or not', async ({ page, service, chat }) => {
  const equation = String.raw`1. $$\begin{align} a \\ b \end{align}$$`;
  const id = await importReplies(service, [`${equation}\n`.repeat(120)]);
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  const counted = (): Promise<number> =>
    chat.replies.locator('.maths').evaluateAll((all) =>
      all
        .flatMap((one) => [one, ...one.querySelectorAll('*')])
        .flatMap((one) => [null, '::before'].map((part) => getComputedStyle(one, part).counterIncrement))
        .reduce((sum, increment) => sum + Number(/katexEqnNo (\d+)/.exec(increment)?.[1] ?? 0), 0),
    );
  await expect.poll(counted).toBe(240);
  const boxes = await page
    .locator('.group')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).contentVisibility));
  expect(boxes).toEqual(['visible', 'visible']);
});

test('a box of a long table with numbered equations is never skipped, for they are numbered through all boxes', async ({
  page,
  service,
  chat,
}) => {
  const row = String.raw`| $$\begin{align} a \\ b \end{align}$$ |`;
  const id = await importReplies(service, [`| A |\n|---|\n${`${row}\n`.repeat(250)}`]);
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  const boxes = chat.replies.locator('tbody');
  await expect(chat.replies.locator('tbody[data-measured]')).toHaveCount(3);
  await expect(chat.replies.locator('[style*=katexEqnNo], .eqn-num').first()).toBeAttached();
  const resting = (): Promise<string[]> =>
    boxes.evaluateAll((all) => all.slice(1).map((one) => getComputedStyle(one).contentVisibility));
  await expect.poll(resting).toEqual(['visible', 'visible']);
});

test('a long list is copied as one list, from its middle, too', async ({ page, service, chat }) => {
  const items = Array.from({ length: 200 }, (_, index) => `item ${index}`);
  const id = await importReplies(service, [items.map((item) => `- ${item}\n`).join('')]);
  await allowClipboard(page);
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await expect(chat.replies.locator('li')).toHaveCount(200);
  const copied = async (first: number, last: number): Promise<string[]> => {
    await page.evaluate(
      (ends) => {
        const [from, to] = ends.map((index) => document.querySelectorAll('[role="log"] .markdown li')[index]);
        getSelection()?.setBaseAndExtent(from ?? document, 0, to ?? document, to?.childNodes.length ?? 0);
      },
      [first, last],
    );
    await page.keyboard.press('ControlOrMeta+c');
    return page.evaluate(async () => {
      const [copy] = await navigator.clipboard.read();
      const texts = ['text/plain', 'text/html'].map(
        async (type) => (await copy?.getType(type))?.text() ?? '',
      );
      return Promise.all(texts);
    });
  };
  for (const [first, last] of [
    [0, 199],
    [30, 170],
  ] as const) {
    const [text, html = ''] = await copied(first, last);
    const expected = items.slice(first, last + 1);
    expect(text?.split('\n')).toEqual(expected);
    expect(html.match(/item \d+/g)).toEqual(expected);
    expect(html.replaceAll(/<li[^>]*><div>item \d+<\/div><\/li>/g, '')).not.toContain('<div');
  }
});

test('the end of a long reply is drawn first, and all of it when a search or paper needs it', async ({
  page,
  service,
  chat,
}) => {
  const ids = [await importReplies(service, [notes]), await importReplies(service, [notes])];
  await chat.open(service.pageUrl);
  const quotes = chat.replies.last().locator('blockquote');
  const needs = [
    () => page.keyboard.press('ControlOrMeta+f'),
    () => page.evaluate(() => dispatchEvent(new Event('beforeprint'))),
  ];
  for (const [index, need] of needs.entries()) {
    await page.goto(`${service.baseUrl}/#/settings/about`);
    // No frame comes, so nothing more than the first part is drawn.
    await page.evaluate(() => (window.requestAnimationFrame = () => 0));
    await page.goto(`${service.baseUrl}/#/chats/${ids[index] ?? ''}`);
    await expect(quotes.last()).toBeInViewport();
    await expect(quotes.last()).toContainText(`Note ${NOTES - 1}.`);
    expect(await quotes.count()).toBeLessThan(MOST_AT_ONCE);
    await need();
    await expect(quotes).toHaveCount(NOTES, { timeout: 60_000 });
    const { gaps, apart } = await chat.replies.last().evaluate((reply) => {
      const places = [...reply.querySelectorAll('blockquote')].map((quote) => quote.getBoundingClientRect());
      const gaps = places.slice(1).map(({ top }, at) => Math.round(top - (places[at]?.bottom ?? 0)));
      return { gaps: [...new Set(gaps)], apart: reply.querySelectorAll('.group > blockquote').length };
    });
    expect(gaps, 'they are as far apart where a group of them ends').toHaveLength(1);
    expect(apart, 'all but the first stand in groups').toBeGreaterThan(NOTES - 100);
    await page.reload();
  }
});

test('on paper stands every line of long code, of a long message and of many paragraphs', async ({
  page,
  service,
  chat,
}) => {
  const code = `\`\`\`\n${many((index) => `Code ${index};\n`, 90)}\`\`\`\n\n`;
  const question = said(many((index) => `Question ${index};\n`, 90));
  const reply = replied(`${code}${many((index) => `Paragraph ${index};\n\n`, 200)}${code}`, question.id);
  const { chatIds } = await service.call<ImportResult>(
    'POST',
    '/api/v1/import',
    exportFileOf(exportedChat([question, reply])),
  );
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${chatIds[0] ?? ''}`);
  // The end of a long text is parsed a moment later.
  await expect(chat.replies.locator('pre')).toHaveCount(2);
  const paper = await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4' })));
  const { text } = await extractText(paper, { mergePages: true });
  for (const [word, lines] of [
    ['Question', 90],
    ['Code', 180],
    ['Paragraph', 200],
  ] as const)
    expect(text.match(new RegExp(`${word} \\d+;`, 'g')) ?? [], word).toHaveLength(lines);
});

test('a search marks thousands of matches in one paragraph without reading it for each, or ranges that live on', async ({
  page,
  service,
  chat,
}) => {
  const id = await importReplies(service, [many(() => 'One `match` here. ')]);
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await expect(chat.replies.locator('code')).toHaveCount(NOTES, { timeout: 60_000 });
  await page.evaluate(() => {
    const data = Object.getOwnPropertyDescriptor(CharacterData.prototype, 'data');
    Object.assign(window, { reads: 0, ranges: 0 });
    class Counted extends Range {
      constructor() {
        super();
        (window as unknown as { ranges: number }).ranges += 1;
      }
    }
    Object.assign(window, { Range: Counted });
    document.createRange = () => new Counted();
    Object.defineProperty(CharacterData.prototype, 'data', {
      get(this: CharacterData) {
        (window as unknown as { reads: number }).reads += 1;
        return data?.get?.call(this) as string;
      },
    });
  });
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('match');
  const marked = (): Promise<number> => page.evaluate(() => CSS.highlights.get('found')?.size ?? 0);
  await expect.poll(marked).toBe(NOTES);
  const { reads, ranges } = await page.evaluate(() => {
    const counted = window as unknown as { reads: number; ranges: number };
    return { reads: counted.reads, ranges: counted.ranges };
  });
  expect(reads).toBeLessThan(200 * NOTES);
  expect(ranges).toBeLessThan(100);
});
