import type { Locator } from '@playwright/test';
import type { Connection } from '../../shared/api/connection.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';

/** In 64ths of a pixel, the browser's own unit: the end of a movement isn't always told in it. */
const heightOf = async (part: Locator): Promise<number> =>
  Math.round(((await part.boundingBox())?.height ?? 0) * 64);

test.describe('with directed replies', () => {
  test.use({ directed: true });

  test('what a model thinks shows as one calm line, and is collapsed once it answers', async ({
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    await chat.say('think 60 words at 30/s, then stream 5 words, then hang');
    const thought = chat.replies.locator('details').first();
    await expect(thought).toContainText('Thinking…');
    await expect(thought.locator('.gist')).toContainText('word5');
    await expect(chat.replies.getByText('Working on it…')).toHaveCount(0);
    const while1 = await heightOf(thought);
    await expect(thought.locator('.gist')).toContainText('word40');
    expect(await heightOf(thought)).toBe(while1);
    await expect(thought).toContainText('Thought for a while');
    await expect(chat.replies).toHaveAttribute('data-status', 'streaming');
    await expect(chat.replies).toContainText('Writing…');
    expect(await heightOf(thought)).toBe(while1);
    await expect(thought.getByRole('region')).toHaveCount(0);
  });

  test('it opens by keyboard, grows while open, and is there after a reload', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    await chat.say('think 80 words at 40/s, then say done');
    const thought = chat.replies.locator('details').first();
    await thought.locator('summary').focus();
    await page.keyboard.press('Enter');
    const region = chat.replies.getByRole('region', { name: 'The model’s reasoning' });
    await expect(region).toContainText('word10');
    await expect(region).toContainText('word80');
    await expect(chat.replies).toHaveAttribute('data-status', 'complete');
    await expect(region).toBeVisible();
    await page.reload();
    await expect(chat.replies).toContainText('done');
    await expect(region).toHaveCount(0);
    await chat.replies.getByText('Thought for a while').click();
    await expect(region).toContainText('word1 word2');
    await expectAccessible(page);
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find in this chat' }).fill('word7');
    await expect(page.getByText('1 of 11')).toBeVisible();
  });

  test('a reply that is stopped while the model thinks keeps what it thought, and doesn’t think on', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    await chat.say('think 20 words at 100/s, then hang');
    await expect(chat.replies).toContainText('word20');
    await expectAccessible(page);
    await chat.stop.click();
    await expect(chat.replies).toContainText('Stopped before anything was written.');
    await expect(chat.replies).toContainText('Stopped while thinking');
    await expect(chat.replies).not.toContainText('Thought for');
    await expect(chat.replies).not.toContainText('Thinking…');
  });

  test('how many tokens a reply took stands in its details', async ({ service, chat }) => {
    await chat.open(service.pageUrl);
    await chat.say('say hello');
    const usage = chat.replies.getByText('1 token in, 2 out');
    // Of the last reply they always show.
    await expect(usage).toHaveCSS('opacity', '1');
    await chat.say('say bye');
    await expect(usage).toHaveCount(2);
    await expect(usage.first()).toHaveCSS('opacity', '0');
    await chat.replies.first().hover();
    await expect(usage.first()).toHaveCSS('opacity', '1');
  });

  test('each reason of a failed reply comes with the one action that helps', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    const cases = [
      ['model_unreachable', 'button', 'Retry'],
      ['model_overloaded', 'button', 'Retry'],
      ['timed_out', 'button', 'Retry'],
      ['model_not_found', 'button', 'Choose another model'],
      ['context_too_long', 'button', 'Choose another model'],
      ['model_key_refused', 'link', 'Open the connection'],
    ] as const;
    for (const [code, role, name] of cases) {
      await chat.say(`fail with ${code}`);
      const failed = chat.replies.last();
      await expect(failed).toContainText(
        code === 'timed_out' ? 'made no progress' : 'The reply failed. The model is not there.',
      );
      await expect(failed.locator('.failed').getByRole(role, { name, exact: true })).toBeVisible();
      await expect(failed.locator('.failed').getByRole('button')).toHaveCount(role === 'button' ? 1 : 0);
    }
    await expectAccessible(page);
  });
});

test('what a connected model thinks is told and kept, and how long it took', async ({
  page,
  service,
  chat,
}) => {
  const server = await startModelServer('openai', { scenario: 'slow-reasoning' });
  try {
    await service.call('POST', '/api/v1/connections', {
      provider: 'openai_compatible',
      baseUrl: server.baseUrl,
      name: 'Workshop',
    });
    await chat.open(service.pageUrl);
    await page.getByRole('button', { name: /^Model: / }).click();
    await page.getByRole('option', { name: 'fake-model' }).click();
    await chat.say('Hello');
    const thought = chat.replies.getByText(/^Thought for (a moment|\d+ s)$/);
    // While it writes, too.
    await expect(thought).toBeVisible();
    await expect(chat.replies).toHaveAttribute('data-status', 'streaming');
    const label = (await thought.textContent()) ?? '';
    await expect(chat.replies).toContainText('this is a plain reply');
    await thought.click();
    await expect(chat.replies.getByRole('region')).toContainText('They greet me, so I greet them.');
    const figures = chat.replies.getByRole('button', { name: '11 tokens in, 7 out. Show details' });
    const panel = page.getByRole('dialog', { name: 'Details of this reply' });
    await chat.replies.hover();
    await expect(figures).toHaveCSS('opacity', '1');
    await figures.click();
    await expect(panel).toContainText(
      /Speed [\d.]+ tokens\/s.*first word [\d.]+ s.*Thinking [\d.]+ s.*Total time [\d.]+ s/s,
    );
    const reported = await panel.innerText();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
    await page.reload();
    await expect(chat.replies.getByText(label, { exact: true })).toBeVisible();
    await figures.focus();
    await page.keyboard.press('Enter');
    await expect(panel).toBeVisible();
    expect(await panel.innerText()).toBe(reported);
  } finally {
    await server.close();
  }
});

test('a key that is refused leads to its connection, and once it is mended the reply is made', async ({
  page,
  service,
  chat,
  watch,
}) => {
  // The list of models asks the server whose key it refuses.
  watch.expected.push(/409/);
  const server = await startModelServer('openai', { apiKey: 'the-right-key' });
  try {
    const body = {
      provider: 'openai_compatible',
      baseUrl: server.baseUrl,
      name: 'Workshop',
      apiKey: 'the-right-key',
    };
    const { connection } = await service.call<{ connection: Connection }>(
      'POST',
      '/api/v1/connections',
      body,
    );
    await service.call('PATCH', `/api/v1/connections/${connection.id}`, { apiKey: 'another-key' });
    await chat.open(service.pageUrl);
    await page.getByRole('button', { name: /^Model: / }).click();
    await page.getByRole('option', { name: 'fake-model' }).click();
    await chat.say('Hello');
    await expect(chat.replies).toContainText('refused the key');
    await chat.replies.getByRole('link', { name: 'Open the connection' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit “Workshop”' });
    await dialog.getByLabel('Key, if it needs one').fill('the-right-key');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('“Workshop” was saved.')).toBeVisible();
    await page.getByRole('link', { name: 'Back to the chat' }).click();
    await chat.replies.hover();
    await chat.replies.getByRole('button', { name: 'Retry', exact: true }).click();
    await expect(chat.replies).toContainText('this is a plain reply');
  } finally {
    await server.close();
  }
});
