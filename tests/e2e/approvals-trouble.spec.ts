import { expectAccessible } from './support/axe.ts';
import { giveBridge } from './support/bridge.ts';
import { ask, cardsOf, rehearse } from './support/rehearse.ts';
import { expect, test } from './support/test.ts';

const ADD = '::tool add_line {"text":"one"}';

test.use({ asking: { approvalMs: null } });

test('a refusal is told in the card; while an answer is on its way, nothing more is sent', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(/409 \(Conflict\)/, /ERR_FAILED/);
  const { card, once, deny } = await ask(page, chat, service, ADD);
  const sent: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/approvals/*', async (route) => {
    sent.push(route.request().postData() ?? '');
    if (sent.length === 1) return route.abort();
    await held;
    const error = { code: 'conflict', message: 'x', requestId: 'r' };
    return route.fulfill({ status: 409, json: { error } });
  });
  await once.click();
  await expect(card.getByRole('alert')).toContainText('Your answer was not received.');
  await once.dblclick();
  await expect(card).toHaveAttribute('aria-busy', 'true');
  await deny.click({ force: true });
  await expect(card.getByRole('button', { name: /^Allowing it/ })).toBeVisible();
  release();
  await expect(card.getByRole('alert')).toContainText(
    'No answer is needed any more: it was answered elsewhere, or the request has changed.',
  );
  await expect(card.getByRole('button')).toHaveCount(0);
  expect(sent).toHaveLength(2);
});

test('screen readers are told once of what is asked', async ({ page, service, chat }) => {
  const { card } = await ask(page, chat, service, '::approve Paint the fence?');
  const reported = page.getByRole('status').filter({ hasText: 'A tool needs your answer. Paint the fence?' });
  await expect(reported).toHaveCount(1);
  await expect(page.getByRole('status').filter({ hasText: 'is waiting for your answer' })).toHaveCount(0);
  await expect(card).toHaveAccessibleName('A tool needs your answer');
});

test('at 360 pixels nothing is cut off', async ({ page, service, chat }) => {
  await page.setViewportSize({ width: 360, height: 700 });
  const { card, deny } = await ask(page, chat, service, `::tool add_line {"text":"${'x'.repeat(300)}"}`);
  await expect(deny).toBeInViewport();
  for (const part of [page.locator('html'), chat.log, card]) {
    expect(
      await part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBeLessThanOrEqual(0);
  }
  await expectAccessible(page);
});

test('the quick-ask window has the same card, and Escape on it does not put the window away', async ({
  page,
  service,
}) => {
  const bridge = await giveBridge(page, service, { window: 'quick-ask' });
  const id = await rehearse(service, 'Plan', '::approve Paint the fence?', 'Then not.');
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  const { card, all } = cardsOf(page);
  await expect(card).toContainText('Paint the fence?');
  await card.focus();
  await page.keyboard.press('Escape');
  await expect(all).toHaveCount(0);
  await expect(page.getByText('not allowed')).toBeVisible();
  expect((await bridge.said()).dismissed).toBe(0);
});

test.describe('with little time to answer', () => {
  test.use({ asking: { approvalMs: 4_000 } });

  test('nobody’s answer is told as that', async ({ page, service, chat }) => {
    const { card, all } = await ask(page, chat, service, ADD, 'Too late.');
    await expect(card).toContainText('No answer within a minute counts as a no.');
    await expect(all).toHaveCount(0);
    await expect(chat.replies.last()).toContainText('Too late.');
    await expect(chat.replies.last().locator('summary')).toContainText('not answered in time');
  });
});
