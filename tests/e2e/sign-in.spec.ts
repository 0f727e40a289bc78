import { expect, test } from './support/test.ts';

const UNAUTHORIZED = /status of 401/;

test.describe('in a tab without a history', () => {
  test.use({ isFresh: true });

  test(
    'a link signs in, and its token leaves the address',
    { tag: '@firefox' },
    async ({ page, service, chat }) => {
      await chat.open(service.pageUrl);
      expect(service.pageUrl).toContain('token=');
      expect(page.url()).not.toContain('token');
      await expect(page.getByRole('heading', { name: 'What can I do for you?' })).toBeVisible();
      await page.goBack();
      expect(page.url()).not.toContain('token');
    },
  );
});

test('a link works once only', async ({ page, browser, service, chat, watch }) => {
  await chat.open(service.pageUrl);
  const other = await browser.newContext();
  const second = await other.newPage();
  await second.goto(service.pageUrl);
  await expect(second.getByRole('heading', { name: 'This sign-in link has been used' })).toBeVisible();
  await expect(second.getByText('npm run serve')).toBeVisible();
  expect(second.url()).not.toContain('token');
  await other.close();
  await expect(chat.message).toBeVisible();
  await page.reload();
  await expect(chat.message).toBeVisible();
  expect(watch.errors).toEqual([]);
});

test('without a link the page says how to get one', async ({ page, service }) => {
  await page.goto(`${service.baseUrl}/`);
  await expect(page.getByRole('heading', { name: 'Open Parley with a sign-in link' })).toBeVisible();
  await expect(page.getByText(`npm run serve -- --data-dir ${service.dataDir}`)).toBeVisible();
});

test('the local key signs in too, and a wrong one is refused in words', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(UNAUTHORIZED);
  await page.goto(`${service.baseUrl}/`);
  await page.getByText('Sign in with the local key instead').click();
  const key = page.getByRole('textbox', { name: 'Local key' });
  await key.fill('parley_wrong');
  await key.press('Enter');
  await expect(page.getByText('That key was not accepted.')).toBeVisible();
  await key.fill(service.apiKey);
  await key.press('Enter');
  await expect(chat.message).toBeVisible();
});

test(
  'a reload keeps the session, the open chat and the draft',
  { tag: '@firefox' },
  async ({ page, service, chat }) => {
    await chat.open(service.pageUrl);
    await chat.say('What is 2 + 3?');
    await expect(chat.replies).toContainText('5');
    await chat.message.fill('half a thou');
    await page.reload();
    await expect(chat.replies).toContainText('5');
    await expect(chat.mine).toHaveText(/What is 2 \+ 3\?/);
    await expect(chat.message).toHaveValue('half a thou');
  },
);
