import { expectAccessibleInBoth as expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';

const SECTIONS = [
  'appearance',
  'general',
  'models',
  'agents',
  'tools',
  'prompts',
  'schedules',
  'notes',
  'data',
  'api',
  'about',
];
const RICH = [
  '# A heading',
  'Text with **strong**, *stressed* and `code`, and [a link](https://example.com).',
  '- [x] done\n- [ ] open',
  '| Item | Amount |\n| --- | ---: |\n| Beans | 18.40 |',
  '```ts\n// a comment\nconst answer: number = 6 * 7;\nconst text = "done";\n```',
  '> A quote',
].join('\n\n');

// Everything is checked twice.
test.describe.configure({ timeout: 120_000 });

test('axe finds nothing wrong with signing in, the first screen and a conversation', async ({
  page,
  service,
  chat,
}) => {
  await page.goto(`${service.baseUrl}/`);
  await expect(page.getByRole('heading', { name: 'Open Parley with a sign-in link' })).toBeVisible();
  await expectAccessible(page, 'the sign-in page');
  await chat.open(service.pageUrl);
  await expectAccessible(page, 'the first screen');
  await chat.say('Remember that the spare key is with Anna');
  await expect(chat.replies).toHaveAttribute('data-status', 'complete');
  await chat.replies.locator('summary').first().click();
  await chat.message.fill('a draft');
  await expectAccessible(page, 'a conversation');
  await chat.mine.first().hover();
  await expectAccessible(page, 'a message with its actions');
});

test.describe('with directed replies', () => {
  test.use({ directed: true });

  test('axe finds nothing wrong with a rich reply, a failed one and one that streams', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    await chat.say(`say ${RICH}`);
    await expect(chat.replies.locator('table')).toBeVisible();
    await expect(chat.replies.locator('pre span').first()).toBeVisible();
    await expectAccessible(page, 'a rich reply');
    await chat.say('stream 3 words, then fail');
    await expect(chat.replies.last()).toHaveAttribute('data-status', 'error');
    await expectAccessible(page, 'a failed reply');
    await chat.say('stream 20 words, then hang');
    await expect(chat.stop).toBeVisible();
    await chat.say('and this waits');
    await expectAccessible(page, 'a reply under way, and a message that waits');
  });
});

test('axe finds nothing wrong with search, menus, the palette and the help sheet', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  const search = page.getByRole('searchbox', { name: 'Search messages' });
  await search.fill('what');
  await expect(page.locator('mark').first()).toBeVisible();
  await expectAccessible(page, 'search results');
  await search.fill('nothingofthekind');
  await expect(page.getByText('Nothing found for')).toBeVisible();
  await expectAccessible(page, 'no search results');
  await search.press('Escape');
  await chat.chats.getByRole('link').first().click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'the menu of a chat');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'the palette');
  await page.keyboard.press('Escape');
  await chat.log.focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'the help sheet');
});

test('axe finds nothing wrong with the settings', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  for (const section of SECTIONS) {
    await page.goto(`${service.baseUrl}/#/settings/${section}`);
    await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
    await expectAccessible(page, `the settings: ${section}`);
  }
});

test('axe finds nothing wrong at 360 px, nor with the drawer', async ({ page, service, chat }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await chat.open(service.pageUrl);
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  await expectAccessible(page, 'a narrow conversation');
  await page.getByRole('button', { name: 'Show chats' }).click();
  await expect(chat.chats).toBeVisible();
  await expectAccessible(page, 'the drawer');
  await page.keyboard.press('Escape');
  await chat.log.focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page, 'the help sheet, which scrolls');
});
