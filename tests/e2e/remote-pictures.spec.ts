/** Pictures of other servers that a reply names. In these tests, the internet is this computer. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pngOf } from '../support/pictures.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, NETWORK, test } from './support/test.ts';

test.use({ directed: true });

let server: Server;
let origin = '';
let asked: string[] = [];
let answer: (response: ServerResponse) => void = () => undefined;
test.beforeEach(async () => {
  asked = [];
  answer = (response) => response.end(pngOf(640, 320));
  server = createServer(({ url = '' }, response) => {
    asked.push(url);
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://pictures.test:${(server.address() as AddressInfo).port}`;
});
test.afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('one is fetched by the service when its button is pressed, and by nothing else', async ({
  page,
  service,
  chat,
  watch,
}) => {
  await chat.open(service.pageUrl);
  await chat.say(`say Here: ![The harbour](${origin}/harbour.png?a=1&amp;b=2) and ![](${origin}/other.png).`);
  const reply = chat.replies.last();
  await expect(reply).toHaveAttribute('data-status', 'complete');
  const button = reply.getByRole('button', { name: 'Show picture “The harbour” from pictures.test' });
  await expect(button).toHaveText('Show picture');
  await expect(reply.getByRole('link', { name: 'pictures.test' })).toHaveCount(2);
  await expect(reply.locator('img')).toHaveCount(0);
  await expectAccessible(page);
  expect(asked).toEqual([]);

  await button.press('Enter');
  const tile = reply.getByRole('button', { name: 'Open The harbour' });
  await expect(tile.locator('img')).toHaveJSProperty('complete', true);
  await expect(tile).toBeFocused();
  const { width = 0, height = 1 } = (await tile.boundingBox()) ?? {};
  expect(width / height).toBeCloseTo(2, 1);
  await tile.press('Enter');
  const viewer = page.getByRole('dialog', { name: 'harbour.png' });
  await expect(viewer.getByRole('img')).toHaveJSProperty('naturalWidth', 640);
  await expect(viewer).toContainText('640 × 320');
  const download = page.waitForEvent('download');
  await viewer.getByRole('button', { name: 'Download harbour.png' }).click();
  expect((await download).suggestedFilename()).toBe('harbour.png');
  await page.keyboard.press('Escape');

  // It stays shown in this page, and has to be asked for again in another.
  await chat.newChat.click();
  await page.goBack();
  await expect(tile.locator('img')).toBeVisible();
  expect(asked).toEqual(['/harbour.png?a=1&b=2']);
  await page.reload();
  await expect(button).toBeVisible();
  await expect(reply.locator('img')).toHaveCount(0);
  expect(asked).toHaveLength(1);
  expect(watch.strays).toEqual([]);
});

test('one that can’t be had says why, and can be tried again', async ({ page, service, chat, watch }) => {
  watch.expected.push(NETWORK);
  await chat.open(service.pageUrl);
  await chat.say(`say ![Cat](${origin}/cat.png)`);
  const reply = chat.replies.last();
  const button = reply.getByRole('button', { name: 'Show picture “Cat”' });
  const alert = reply.getByRole('alert');
  answer = (response) => response.writeHead(404).end();
  await button.click();
  await expect(alert).toContainText('answered 404 Not Found');
  answer = (response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end('<svg onload="alert(1)"/>');
  await button.click();
  await expect(alert).toContainText('is not a PNG, JPEG, WebP or GIF picture');
  answer = (response) => response.end(pngOf(640, 320).subarray(0, 20));
  await button.click();
  await expect(alert).toContainText('The picture is damaged');
  await expectAccessible(page);
  answer = (response) => response.end(pngOf(640, 320));
  await button.click();
  await expect(reply.getByRole('button', { name: 'Open Cat' })).toBeVisible();
});
