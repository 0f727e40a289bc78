import type { Page } from '@playwright/test';
import type { Settings } from '../../shared/api/settings.ts';
import { expect, test } from './support/test.ts';
import type { TestService } from './support/service.ts';

const KEY = /parley_[\w-]{43}/;

const openSection = async (page: Page, service: TestService, section: string): Promise<void> => {
  await page.goto(`${service.baseUrl}/#/settings/${section}`);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toBeVisible();
};
const settingsOf = async (service: TestService): Promise<Settings> =>
  (await service.call<{ settings: Settings }>('GET', '/api/v1/settings')).settings;
const statusWith = async (service: TestService, key: string): Promise<number> =>
  (await fetch(`${service.baseUrl}/api/v1/chats`, { headers: { Authorization: `Bearer ${key}` } })).status;
const background = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test.use({ colorScheme: 'light', permissions: ['clipboard-read', 'clipboard-write'] });

const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

test('a theme shows at once, says that it was saved, and is there before anything is drawn after a reload', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(/ERR_FAILED/);
  await chat.open(service.pageUrl);
  await openSection(page, service, 'appearance');
  const light = await background(page);
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await expect.poll(() => background(page)).not.toBe(light);
  await expect(page.getByText('Saved')).toBeVisible();
  expect((await settingsOf(service)).theme).toBe('dark');

  // Without its script the page shows what its first paint is.
  await page.route('**/*.js', (route) => route.abort());
  await page.reload({ waitUntil: 'commit' });
  await expect.poll(() => background(page)).not.toBe(light);
  await page.unroute('**/*.js');
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  expect(await background(page)).not.toBe(light);
});

test('what another program sets is shown when the window is looked at again', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await openSection(page, service, 'appearance');
  await expect(page.getByRole('radio', { name: 'System' })).toBeChecked();
  await service.call('PATCH', '/api/v1/settings', { theme: 'dark', textSize: 'large', wrapCode: true });
  await page.evaluate(() => dispatchEvent(new FocusEvent('focus')));
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Large' })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Wrap long lines of code' })).toBeChecked();
  await expect(page.locator('html')).toHaveAttribute('data-text-size', 'large');
});

test('a change that makes no sense is said and put back; one that the service refuses, too', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(/status of 507/);
  await chat.open(service.pageUrl);
  await openSection(page, service, 'general');
  const minutes = page.getByRole('textbox', { name: 'Give up on a reply after' });
  await minutes.fill('500');
  await minutes.press('Enter');
  await expect(page.getByText('Not saved. Enter a whole number from 1 to 120.')).toBeVisible();
  await expect(minutes).toHaveValue('5');
  await minutes.fill('12');
  await minutes.press('Enter');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect((await settingsOf(service)).turnTimeoutMinutes).toBe(12);

  const refusal = { error: { code: 'storage_full', message: 'The disk is full.', requestId: 'x' } };
  await page.route('**/api/v1/settings', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 507, json: refusal }) : route.fallback(),
  );
  await page.getByRole('radio', { name: 'Ctrl + Enter' }).click();
  await expect(page.getByText(/Not saved\. The disk is full/)).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Enter', exact: true })).toBeChecked();
});

test('keys are made, used and revoked, the local one is replaced, and an origin is allowed', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await openSection(page, service, 'api');

  await test.step('a key is told once, used by a program and revoked', async () => {
    await page.getByRole('button', { name: 'New key…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('My script');
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('In 30 days');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Key “My script”' });
    const text = KEY.exec(await dialog.innerText())?.[0] ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(dialog.getByText('You haven’t copied the key yet.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Copy the new key' }).click();
    await expect.poll(() => copied(page)).toBe(text);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
    expect(await page.locator('body').innerText()).not.toMatch(KEY);

    expect(await statusWith(service, text)).toBe(200);
    const item = page
      .getByRole('list', { name: 'Active keys' })
      .getByRole('listitem')
      .filter({ hasText: 'My script' });
    await expect(item).toContainText('Personal');
    await expect(item).toContainText('Chats');
    await page.evaluate(() => dispatchEvent(new FocusEvent('focus')));
    await expect(item).toContainText(/Last used\s*\d/);

    await item.getByRole('button', { name: 'Revoke “My script”…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText('1 inactive key')).toBeVisible();
    expect(await statusWith(service, text)).toBe(401);
  });

  await test.step('a key gets a webhook, whose secret is shown with it the one time', async () => {
    await page.getByRole('button', { name: 'New key…' }).click();
    const make = page.getByRole('dialog', { name: 'New key' });
    await make.getByRole('textbox', { name: 'Name' }).fill('Waiting script');
    const address = make.getByRole('textbox', { name: 'Webhook' });
    await address.fill('ftp://localhost:9');
    await make.getByRole('button', { name: 'Create key' }).click();
    await expect(make.getByText('An address looks like')).toBeInViewport();
    await expect(address).toBeFocused();
    await address.fill('https://example.com/told');
    await make.getByRole('button', { name: 'Create key' }).click();
    await expect(make.getByText('This address is on another computer.')).toBeInViewport();
    await expect(make.getByRole('checkbox', { name: 'another computer' })).toBeInViewport();
    await address.fill('http://127.0.0.1:9/told');
    await expect(make.getByRole('checkbox', { name: 'another computer' })).toHaveCount(0);
    await make.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Key “Waiting script”' });
    await expect(dialog.getByRole('group', { name: 'Secret of the webhook' })).toContainText('whsec_');
    await dialog.getByRole('button', { name: 'Copy the new key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog.getByText('You haven’t copied the secret')).toBeVisible();
    await dialog.getByRole('button', { name: 'Copy the secret of the webhook' }).click();
    await expect.poll(() => copied(page)).toContain('whsec_');
    await dialog.getByRole('button', { name: 'Done' }).click();
    const item = page.getByRole('list', { name: 'Active keys' }).getByRole('listitem');
    await expect(item.filter({ hasText: 'Waiting script' })).toContainText('http://127.0.0.1:9/told');
    expect(await page.locator('body').innerText()).not.toContain('whsec_');
  });

  await test.step('an origin is allowed and kept out again', async () => {
    const origin = page.getByRole('textbox', { name: 'Origin' });
    await origin.fill('not an origin');
    await origin.press('Enter');
    await expect(page.getByText(/An origin looks like/)).toBeVisible();
    await origin.fill('https://example.com/some/page');
    await origin.press('Enter');
    await expect(page.getByRole('list', { name: 'Allowed origins' })).toContainText('https://example.com');
    await expect
      .poll(async () => (await settingsOf(service)).allowedOrigins)
      .toEqual(['https://example.com']);
    await page.getByRole('button', { name: 'Remove https://example.com' }).click();
    await expect(page.getByText('No web page may call Parley.')).toBeVisible();
    await expect.poll(async () => (await settingsOf(service)).allowedOrigins).toEqual([]);
  });

  await test.step('the local key is shown, copied, filled into the programs, and replaced', async () => {
    const old = service.apiKey;
    const main = page.getByRole('main');
    await expect(main).not.toContainText(old);
    await page.getByRole('button', { name: 'Copy the local key' }).click();
    await expect.poll(() => copied(page)).toBe(old);
    await expect(main).not.toContainText(old);
    await page.getByRole('button', { name: 'Show the local key' }).click();
    await expect(page.getByRole('group', { name: 'Local key' })).toHaveText(old);
    for (const language of ['curl', 'JavaScript', 'Python']) {
      await page.getByRole('radio', { name: language }).check({ force: true });
      await expect(page.getByRole('region', { name: language })).toContainText(old);
      await expect(page.getByRole('region', { name: language })).toContainText(service.baseUrl);
    }

    await page.getByRole('button', { name: 'Replace…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace the local key?' });
    await expect(dialog).toContainText('The old key stops working at once');
    await dialog.getByRole('button', { name: 'Replace key' }).click();
    await expect(page.getByRole('group', { name: 'Local key' })).not.toHaveText(old);
    const text = KEY.exec(await page.getByRole('group', { name: 'Local key' }).innerText())?.[0] ?? '';
    expect(await statusWith(service, old)).toBe(401);
    expect(await statusWith(service, text)).toBe(200);
    await page.getByRole('button', { name: 'Hide the local key' }).click();
    await expect(main).not.toContainText(text);
  });
});

test('the list shows what another program asks, as it comes, and never its key or its words', async ({
  page,
  service,
  chat,
}) => {
  const { apiKey } = await service.call<{ apiKey: string }>('POST', '/api/v1/keys', { name: 'Robot' });
  await chat.open(service.pageUrl);
  await openSection(page, service, 'api');
  const list = page.getByRole('list', { name: 'Recent requests' });
  await page.getByRole('heading', { name: 'Recent requests' }).scrollIntoViewIfNeeded();
  const ask = (path: string): Promise<Response> =>
    fetch(service.baseUrl + path, { headers: { Authorization: `Bearer ${apiKey}` } });
  await ask('/api/v1/search?q=xylophone&limit=3');
  await ask(`/api/v1/chats/nothing?key=${apiKey}`);
  const item = list.getByRole('listitem').filter({ hasText: '/api/v1/chats/nothing' });
  await expect(item).toContainText('404');
  await expect(item).toContainText('Robot');
  await expect(list.getByText('/api/v1/search?q=…&limit=3')).toBeVisible();
  await expect(list).not.toContainText('xylophone');
  await expect(list).not.toContainText(apiKey);
  await expect(list).not.toContainText('Parley’s window');
  await item.getByRole('button', { name: /as curl$/ }).click();
  await expect
    .poll(() => copied(page))
    .toBe(`curl '${service.baseUrl}/api/v1/chats/nothing?key=…' -H "Authorization: Bearer $PARLEY_KEY"`);

  await page.getByRole('button', { name: 'Pause' }).click();
  await ask('/api/v1/agents');
  await page.getByRole('switch', { name: 'Only other programs' }).uncheck();
  await expect(list).toContainText('Parley’s window');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(list.getByText('/api/v1/agents').first()).toBeVisible();
});

test('the keyboard alone goes through the sections and changes a setting', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await openSection(page, service, 'appearance');
  await page.getByRole('link', { name: 'Back to the chat' }).focus();
  for (const [link, heading] of [
    ['Appearance', 'Appearance'],
    ['General', 'General'],
    ['Models', 'Models'],
    ['Agents', 'Agents'],
    ['Tools', 'Tools'],
    ['Prompts', 'Prompts'],
    ['Schedules', 'Schedules'],
    ['Notes', 'Notes'],
    ['Data', 'Data'],
    ['API access', 'API access'],
    ['About', 'About'],
  ] as const) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: link })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: heading, level: 2 })).toBeVisible();
    await expect(page.getByRole('link', { name: link })).toBeFocused();
    await expect(page.getByRole('link', { name: link })).toHaveAttribute('aria-current', 'page');
  }
  await openSection(page, service, 'appearance');
  await page.getByRole('radio', { name: 'System' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Light' })).toBeChecked();
  await expect.poll(async () => (await settingsOf(service)).theme).toBe('light');
});

test('the Settings button opens them in place of the conversation; a link leads back, and Escape, once nothing else takes it and nothing typed would be lost', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  const address = page.url();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible();
  await expect(chat.chats).toBeVisible();
  await page.getByRole('link', { name: 'Back to the chat' }).click();
  await expect(chat.replies).toContainText('5');
  await openSection(page, service, 'api');
  await page.getByRole('button', { name: 'New key…' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  const origin = page.getByRole('textbox', { name: 'Origin' });
  await origin.fill('https://exam');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New key…' }).focus();
  await page.keyboard.press('Escape');
  await expect(origin).toBeFocused();
  await expect(origin).toHaveValue('https://exam');
  await origin.fill('');
  await page.keyboard.press('Escape');
  await expect(origin).not.toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(address);
  await expect(chat.message).toBeFocused();
});

test('at 360 px nothing is cut off, and the sections stand in a row', async ({ page, service, chat }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await chat.open(service.pageUrl);
  for (const section of ['appearance', 'general', 'models', 'data', 'api', 'about']) {
    await openSection(page, service, section);
    const link = page.locator('nav a[aria-current="page"]').last();
    await expect(link).toBeInViewport({ ratio: 0.9 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, section).toBeLessThanOrEqual(0);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight), section).toBe(0);
    const column = page.getByRole('main').locator('.scroll');
    expect(await column.evaluate((element) => element.scrollWidth - element.clientWidth), section).toBe(0);
  }
  await page.getByRole('link', { name: 'Back to the chat' }).click();
  await expect(chat.message).toBeVisible();
});
