import { expect, test } from './support/test.ts';

// That nobody but the service is asked for anything, and nothing breaks the page's policy, the test watches.

test('the reference shows the operations in their groups; a browser that is signed in tries them without a key', async ({
  page,
  service,
  chat,
  watch,
}) => {
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/docs#tag/chats/GET/api/v1/chats`);
  await expect(page.getByRole('heading', { name: 'Parley', level: 1 })).toBeAttached();
  await expect(page.getByRole('heading', { name: 'List chats' })).toBeAttached();
  await page.getByRole('button', { name: 'Test Request (get /api/v1/chats)' }).click();
  const answered = page.waitForResponse((response) => response.url().includes('/api/v1/chats'));
  await page.getByRole('button', { name: /^Send/ }).first().click();
  const answer = await answered;
  // The session is good for all workspaces, and none was named: that is refused, but not the key.
  expect(answer.status()).toBe(400);
  watch.expected.push(/status of 400/);
  const { authorization = '' } = await answer.request().allHeaders();
  expect(authorization).toMatch(/^Bearer \S{20,}$/);
  expect(page.url()).not.toContain(authorization.slice('Bearer '.length));
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).not.toContain(authorization.slice('Bearer '.length));
});
