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

test.describe('what comes and goes', () => {
  test.use({ directed: true });

  /** The box of what is shown. */
  const boxOf = async (element: Locator) => {
    const box = await element.boundingBox();
    if (!box) throw new Error('It isn’t shown.');
    return { ...box, right: box.x + box.width, bottom: box.y + box.height };
  };

  test('a notice takes room of its own, and the last reply’s actions are always there', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    await chat.say(`say ${'# A heading\n\n'.repeat(30)}`);
    await expect(chat.replies).toHaveAttribute('data-status', 'complete');
    await chat.say('say the last');
    await expect(chat.replies.last()).toHaveAttribute('data-status', 'complete');
    await page.mouse.move(640, 5);
    const actions = chat.replies.getByRole('group', { name: 'Message actions' });
    await expect(actions.first()).toHaveCSS('opacity', '0');
    await expect(actions.last()).toHaveCSS('opacity', '1');

    const notice = page.getByRole('status', { name: 'Notices' }).locator('.toast').last();
    for (const width of [1280, 400]) {
      await page.setViewportSize({ width, height: 700 });
      await page.goto(`${service.baseUrl}/#/`);
      await page.goBack();
      await expect(chat.replies.last()).toBeVisible();
      await chat.choose('Mark all chats as read');
      const [box, log, message] = [await boxOf(notice), await boxOf(chat.log), await boxOf(chat.message)];
      expect(box.y, `below the conversation at ${width} px`).toBeGreaterThanOrEqual(log.bottom);
      expect(box.bottom, `above the message box at ${width} px`).toBeLessThanOrEqual(message.y);
      await expect(actions.last()).toBeInViewport({ ratio: 1 });
    }

    await page.getByRole('button', { name: 'Show chats' }).click();
    await chat.choose('Mark all chats as read');
    const drawer = page.locator('#sidebar');
    expect((await boxOf(notice)).y, 'below the drawer').toBeGreaterThanOrEqual((await boxOf(drawer)).bottom);
    await page.goto(`${service.baseUrl}/#/settings/notes`);
    await chat.choose('Mark all chats as read');
    const settings = await boxOf(page.getByRole('main'));
    expect((await boxOf(notice)).y, 'below the settings').toBeGreaterThanOrEqual(settings.bottom);
  });

  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    test(`with the system’s preference “${reducedMotion}”, what opens and arrives ${reducedMotion === 'reduce' ? 'does so at once' : 'can be followed'}`, async ({
      page,
      service,
      chat,
    }) => {
      await page.emulateMedia({ reducedMotion });
      await chat.open(service.pageUrl);
      const movements = await page.evaluateHandle(() => {
        const all: { what: string; seconds: number }[] = [];
        document.addEventListener('animationstart', ({ target }) => {
          if (!(target instanceof Element)) return;
          const seconds = Number.parseFloat(getComputedStyle(target).animationDuration);
          all.push({
            what: `${target.tagName.toLowerCase()}.${target.className.split(' ')[0] ?? ''}`,
            seconds,
          });
        });
        return all;
      });
      await chat.say('stream 40 words at 40/s');
      await expect(chat.replies).toHaveAttribute('data-status', 'streaming');
      await page.keyboard.press('ControlOrMeta+k');
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Chat menu' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await page.keyboard.press('Escape');
      await chat.choose('Mark all chats as read');
      for (const what of ['div.message', 'article.stack', 'dialog.', 'div.toast'])
        await expect
          .poll(async () => (await movements.jsonValue()).map(({ what }) => what).join(' '))
          .toContain(what);
      const seen = await movements.jsonValue();
      const lasting = seen.filter(({ seconds }) => seconds > 0.001);
      if (reducedMotion === 'reduce') expect(lasting).toEqual([]);
      else expect(lasting.length).toBeGreaterThan(3);
    });
  }
});

test.describe('texts of either direction', () => {
  test.use({ directed: true });

  test(
    'what is written from right to left stands so, beside what isn’t',
    { tag: '@firefox' },
    async ({ page, service, chat }) => {
      await chat.open(service.pageUrl);
      await chat.say(
        'say مرحبا بالعالم\n\n- واحد\n- Two\n\n> اقتباس\n\n| ا | ب |\n|---|---|\n| 1 | 2 |\n\nLeft to right',
      );
      const reply = chat.replies.last();
      await expect(reply).toHaveAttribute('data-status', 'complete');
      const direction = (element: Locator): Promise<string> =>
        element.evaluate((each) => getComputedStyle(each).direction);
      expect(await direction(reply.locator('p').first())).toBe('rtl');
      expect(await direction(reply.locator('li').first())).toBe('rtl');
      // Markers, bars and columns stand at the side where the text begins, also beside an item in another script.
      for (const selector of ['ul', 'li:last-child', 'blockquote', 'table'])
        expect(await direction(reply.locator(selector)), selector).toBe('rtl');
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
    // Nor again, when a person comes back to it.
    await page.goBack();
    await expect(chat.replies).toContainText('bold');
    await expect(spoken).toHaveCount(0);
    await chat.say('say more');
    await expect(spoken).toHaveText('Assistant: more');
  });
});
