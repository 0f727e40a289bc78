import type { Page } from '@playwright/test';
import type { ExportFile, ImportResult } from '../../shared/api/data.ts';
import type { Message } from '../../shared/api/message.ts';
import { HOSTILE } from './support/hostile-corpus.ts';
import type { TestService } from './support/service.ts';
import { expect, test } from './support/test.ts';

/** What of a message's making must never be in the page. */
const FORBIDDEN = [
  ...[
    'script',
    'img',
    'picture',
    'iframe',
    'frame',
    'frameset',
    'object',
    'embed',
    'applet',
    'portal',
    'video',
    'audio',
  ],
  ...[
    'source',
    'track',
    'form',
    'style',
    'link',
    'meta',
    'base',
    'template',
    'marquee',
    'dialog',
    'xss',
    'a[style]',
  ],
  ...[
    'input:not([type=checkbox][disabled])',
    'select',
    '[src]',
    '[srcset]',
    '[srcdoc]',
    '[action]',
    '[formaction]',
  ],
  ...[
    '[ping]',
    '[autofocus]',
    'svg script',
    'svg foreignObject',
    'svg use',
    'svg image',
    'svg animate',
    'svg set',
  ],
  ...['.owned', '#owned', '[data-x]', ':is(svg, math) a'],
].join(', ');

/** A chat with these replies. */
async function importReplies(service: TestService, replies: readonly string[]): Promise<string> {
  const created = await service.createChat();
  const messages = replies.flatMap((content, index): Message[] => {
    const shared = {
      status: 'complete' as const,
      createdAt: new Date(Date.now() - 1_000 + index).toISOString(),
    };
    return [
      { ...shared, id: `q${index}`, role: 'user', mode: 'agent', content },
      { ...shared, id: `a${index}`, role: 'assistant', content, replyTo: `q${index}`, stopReason: 'end' },
    ];
  });
  const file: ExportFile = {
    format: 'parley-export',
    version: 1,
    exportedAt: new Date().toISOString(),
    chats: [{ chat: { ...created, id: `hostile-${created.id}` }, titleSource: 'message', messages }],
  };
  const { chatIds } = await service.call<ImportResult>('POST', '/api/v1/import', file);
  return chatIds[0] ?? '';
}

/** What is in the page now that should not be, and which messages have been looked at. */
const inspect = (page: Page): Promise<{ bad: string[]; addresses: string[]; ids: string[] }> =>
  page.getByRole('log').evaluate((log, forbidden) => {
    const all = [...log.querySelectorAll('*')];
    const attributes = all.flatMap((element) => [...element.attributes].map((each) => ({ element, each })));
    return {
      bad: [
        ...[...log.querySelectorAll(forbidden)].map((element) => element.outerHTML.slice(0, 200)),
        ...attributes
          .filter(
            ({ element, each }) =>
              each.name.startsWith('on') ||
              /(?:java|vb|live)script:|url\(/i.test(each.value) ||
              (/href$/.test(each.name) && element.localName !== 'a'),
          )
          .map(({ element, each }) => `${element.localName} ${each.name}=${each.value.slice(0, 200)}`),
        ...[...log.querySelectorAll('a:not([rel="noopener noreferrer"][target="_blank"])')].map(
          (a) => a.outerHTML,
        ),
      ],
      addresses: [...log.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? ''),
      ids: [...log.querySelectorAll<HTMLElement>('[data-message]')].map(
        (row) => row.dataset['message'] ?? '',
      ),
    };
  }, FORBIDDEN);

test('hostile Markdown in replies stays text', async ({ page, service, chat, watch }) => {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    Object.assign(window, { hits: 0, owned: () => ((window as unknown as { hits: number }).hits += 1) });
  });
  const id = await importReplies(service, HOSTILE);
  await page.setViewportSize({ width: 1280, height: 4_000 });
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await expect(chat.replies.last()).toBeVisible();

  const looked = new Set<string>();
  await chat.log.press('Home');
  await expect(page.locator('[data-message="q0"]')).toBeInViewport();
  for (let atEnd = false; !atEnd;) {
    const { bad, addresses, ids } = await inspect(page);
    expect(bad).toEqual([]);
    expect(addresses.filter((href) => !/^(https?|mailto):/.test(href))).toEqual([]);
    for (const each of ids) looked.add(each);
    atEnd = await chat.log.evaluate((log) => {
      const isEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 10;
      log.scrollTop += 3_000;
      return isEnd;
    });
    // Colours and formulas come a moment after the text.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 150))));
  }
  expect(looked.size, 'all were drawn').toBe(2 * HOSTILE.length);
  expect(await page.evaluate(() => (window as unknown as { hits: number }).hits)).toBe(0);
  expect(dialogs).toEqual([]);
  expect(page.url()).toMatch(new RegExp(`^${service.baseUrl}/#/chats/`));
  expect(watch.strays).toEqual([]);
});

test('a reply of thousands of links, and one of as much code, are drawn', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  for (const [piece, element] of [
    ['http://a.b/c ', 'a'],
    ['`a` ', 'code'],
  ] as const) {
    const id = await importReplies(service, [piece.repeat(7_500)]);
    await page.goto(`${service.baseUrl}/#/chats/${id}`);
    await expect(chat.replies.last().locator(element).last()).toBeVisible();
  }
});

test('hostile titles and messages of our own stay text', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.say('<img src=x onerror=alert(1)>');
  await expect(chat.mine).toContainText('<img src=x onerror=alert(1)>');
  await expect(chat.chats.getByRole('link')).toContainText('<img src=x onerror=alert(1)>');
  expect(await page.locator('img').count()).toBe(0);
});

test('the page’s policy allows no inline script or style', async ({ service, request }) => {
  const response = await request.get(`${service.baseUrl}/`);
  const policy = response.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(await response.text()).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)/i);
});
