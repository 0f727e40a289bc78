import type { Page } from '@playwright/test';
import { startSignInServers } from '../support/mcp-server/sign-in.ts';
import { axe } from './support/axe.ts';
import { rehearse } from './support/rehearse.ts';
import { expect, test } from './support/test.ts';

/** Opens the browser from the dialog, and waits until it came back. */
async function goThrough(page: Page, host: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in at “Lamp”' });
  await expect(dialog).toContainText(host);
  expect((await axe(page).analyze()).violations).toEqual([]);
  const popup = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: 'Open the browser' }).click();
  const browser = await popup;
  await expect(browser.getByRole('heading', { name: 'Signed in' })).toBeVisible();
  await browser.close();
  await expect(dialog).toBeHidden();
}

test('a tool server is signed in to from the settings, and again from a reply that goes on after it', async ({
  page,
  service,
  chat,
}) => {
  const servers = await startSignInServers();
  const { host } = new URL(servers.issuer);
  const body = { name: 'Lamp', transport: 'http', url: servers.lamp.url };
  await service.call('POST', '/api/v1/mcp-servers', body);
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/settings/tools`);
  const item = page.getByRole('list', { name: 'Tool servers' }).getByRole('listitem').first();
  await expect(item).toContainText('Needs a sign-in');
  // Nothing was opened or registered before somebody asked for it.
  expect(servers.asked.filter((path) => path.startsWith('POST'))).toEqual([]);
  await item.getByRole('button', { name: 'Sign in at “Lamp”' }).click();
  await goThrough(page, host);
  await expect(item).toContainText('Signed in');
  await expect(item).toContainText('Connected');

  servers.expire();
  servers.revokeAll();
  const id = await rehearse(service, 'A lamp', '::tool lamp__echo {"text":"It is lit"}', 'All done.');
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await page.getByRole('button', { name: /^Allow once/ }).click();
  const signIn = page.getByRole('button', { name: /^Sign in and allow once/ });
  await expect(signIn).toBeVisible();
  await expect(page.getByRole('button', { name: /^Allow once/ })).toBeHidden();
  servers.restoreAll();
  await signIn.click();
  await goThrough(page, host);
  await expect(chat.replies).toContainText('All done.');

  await page.goto(`${service.baseUrl}/#/settings/tools`);
  await item.getByRole('button', { name: 'Sign out of “Lamp”' }).click();
  await expect(page.getByText('Signed out of “Lamp”.')).toBeVisible();
  await expect(item.getByRole('button', { name: 'Sign out of “Lamp”' })).toBeHidden();
  expect(servers.asked).toContain('POST /token/revocation');
  await servers.close();
});
