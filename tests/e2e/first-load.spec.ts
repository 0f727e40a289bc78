import { gzipSync } from 'node:zlib';
import { expect, test } from './support/test.ts';

/** What the window’s scripts may weigh, in bytes, until one can write. What a first look doesn't need is imported when it is used. */
const MOST = { bytes: 480_000, compressed: 163_000 };

test.use({ isFresh: true });

test('the first screen loads no more JavaScript than it may', async ({ page, service, chat }) => {
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response.body());
  });
  await chat.open(service.pageUrl);
  await expect(page.getByRole('list', { name: 'Examples' })).toBeVisible();
  await expect(page.getByText('Your chats will appear here.')).toBeVisible();
  const bodies = await Promise.all(scripts);
  expect(bodies.length).toBeGreaterThan(0);
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  const compressed = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
  expect(bytes).toBeLessThan(MOST.bytes);
  expect(compressed).toBeLessThan(MOST.compressed);
});
