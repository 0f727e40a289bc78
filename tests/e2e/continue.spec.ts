import { startModelServer } from '../support/model-servers/model-server.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';

test('a reply that was cut off is gone on with, and the request stands as a quiet line', async ({
  page,
  service,
  chat,
}) => {
  const server = await startModelServer('openai', { scenario: 'fault-midway' });
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
    await expect(chat.replies).toContainText('This is the beginning of');
    const goOn = page.getByRole('button', { name: 'Continue', exact: true });
    await expect(goOn).toBeVisible();
    await expectAccessible(page);
    server.play('plain');
    await goOn.click();
    await expect(chat.replies.nth(1)).toContainText('this is a plain reply');
    await expect(chat.mine.nth(1)).toContainText('Asked to continue');
    await expect(goOn).toHaveCount(0);
    await expect(chat.message).toBeFocused();
  } finally {
    await server.close();
  }
});
