import type { Locator } from '@playwright/test';
import { rehearse } from './support/rehearse.ts';
import { expect, test } from './support/test.ts';

/** Whether anything but text sets an element apart from what is around it. */
const standsOut = (element: Locator): Promise<boolean> =>
  element.evaluate((each) => {
    const { outlineStyle, backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(each);
    const canvas = getComputedStyle(document.body).backgroundColor;
    const isFilled = backgroundColor !== canvas && !/, 0\)$/.test(backgroundColor);
    return outlineStyle !== 'none' || isFilled || (borderTopWidth !== '0px' && borderTopColor !== canvas);
  });

test.describe('high contrast', () => {
  test.use({ asking: { approvalMs: null } });

  test('what is chosen, on or marked can be seen without its colours', async ({ page, service, chat }) => {
    await rehearse(service, 'Asks', '::tool add_line {"text":"one"}');
    const { id } = await service.createChat();
    await service.send(id, 'Remember that the spare key is with Anna');
    await page.emulateMedia({ forcedColors: 'active' });
    await chat.open(service.pageUrl);
    await page.goto(`${service.baseUrl}/#/chats/${id}`);
    await expect(chat.replies.last()).toHaveAttribute('data-status', 'complete');
    const open = chat.chats.locator('[aria-current=page]');
    expect(await standsOut(open)).toBe(true);
    expect(await standsOut(chat.mine.locator('.bubble'))).toBe(true);
    await page.keyboard.press('ControlOrMeta+k');
    const marked = page.getByRole('option', { selected: true });
    expect(await standsOut(marked)).toBe(true);
    await page.keyboard.press('Escape');
    await page.goto(`${service.baseUrl}/#/settings/general`);
    const toggle = page.getByRole('switch').first();
    const fill = (): Promise<string> => toggle.evaluate((each) => getComputedStyle(each).backgroundColor);
    const before = await fill();
    await toggle.click();
    await expect.poll(fill).not.toBe(before);
  });

  test('a chat that has the focus still says that it needs an answer', async ({ service, chat }) => {
    await rehearse(service, 'Asks', '::tool add_line {"text":"one"}');
    await chat.open(service.pageUrl);
    const item = chat.chats.getByRole('link').first();
    await expect(item).toHaveAccessibleName(/Needs your answer/);
    await item.focus();
    await expect(item).toHaveAccessibleName(/Needs your answer/);
    await expect(item.locator('.mark')).toBeVisible();
    const [mark, button] = [
      await item.locator('.mark').boundingBox(),
      await chat.chats.getByRole('button').first().boundingBox(),
    ];
    expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThanOrEqual((button?.x ?? 0) + 1);
  });
});

test.describe('texts of either direction', () => {
  test.use({ directed: true });

  test(
    'what is written from right to left stands so, beside what isn’t',
    { tag: '@firefox' },
    async ({ page, service, chat }) => {
      await chat.open(service.pageUrl);
      await chat.say('say مرحبا بالعالم\n\n- واحد\n- اثنان\n\nLeft to right');
      const reply = chat.replies.last();
      await expect(reply).toHaveAttribute('data-status', 'complete');
      const direction = (element: Locator): Promise<string> =>
        element.evaluate((each) => getComputedStyle(each).direction);
      expect(await direction(reply.locator('p').first())).toBe('rtl');
      expect(await direction(reply.locator('li').first())).toBe('rtl');
      expect(await direction(reply.locator('p').filter({ hasText: 'Left to right' }))).toBe('ltr');
      await chat.message.fill('שלום');
      expect(await direction(chat.message)).toBe('rtl');
      await page.getByRole('searchbox').fill('مرحبا');
      await expect(page.locator('.snippet').first()).toBeVisible();
      expect(await direction(page.getByRole('searchbox'))).toBe('rtl');
      await page.keyboard.press('ControlOrMeta+f');
      const find = page.getByRole('textbox', { name: 'Find in this chat' });
      await find.fill('مرحبا');
      expect(await direction(find)).toBe('rtl');
      await page.keyboard.press('ControlOrMeta+k');
      const palette = page.getByRole('dialog').getByRole('combobox');
      await palette.fill('مرحبا');
      expect(await direction(palette)).toBe('rtl');
      await page.keyboard.press('Escape');

      const { id } = await service.createChat();
      await service.call('PATCH', `/api/v1/chats/${id}`, { title: 'مرحبا' });
      await service.call('DELETE', `/api/v1/chats/${id}`);
      await page.goto(`${service.baseUrl}/#/settings/data`);
      expect(
        await direction(page.getByRole('main').getByRole('listitem').getByText('مرحبا', { exact: true })),
      ).toBe('rtl');
    },
  );

  test('what is spoken of a reply is plain text, and only of the chat that is open', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    await chat.say('say ## Title\n\nSome **bold** text');
    const spoken = page.getByRole('status').filter({ hasText: 'Assistant:' });
    await expect(spoken).toHaveText('Assistant: Title Some bold text');
    await chat.newChat.click();
    await expect(spoken).toHaveCount(0);
  });
});
