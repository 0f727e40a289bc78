import type { Message } from '../../shared/api/message.ts';
import { expect, test } from './support/test.ts';

/** Each would call `owned()`, load something or lead somewhere if it were drawn as what it pretends to be. */
const HOSTILE = [
  '<script>owned()</script>',
  '<img src=x onerror=owned()>',
  '<svg onload=owned()><a xlink:href="javascript:owned()"><text>x</text></a></svg>',
  '<iframe srcdoc="<script>parent.owned()</script>"></iframe>',
  '<body onload=owned()><style>@import "http://evil.test/x.css"; * { display: none }</style>',
  '<form action="http://evil.test"><button formaction="javascript:owned()">ok</button></form>',
  '<details open ontoggle=owned()>x</details><math><mtext><img src=x onerror=owned()></mtext></math>',
  '[link](javascript:owned())',
  '[link](JaVaScRiPt:owned())',
  '[link](&#106;avascript&#58;owned())',
  '[link](java\tscript:owned())',
  '[link](data:text/html,<script>owned()</script>)',
  '[link](vbscript:owned())',
  '[link](//evil.test/path)',
  '<javascript:owned()>',
  '[reference][1]\n\n[1]: javascript:owned() "title"',
  '![picture](http://evil.test/pixel.png)',
  '![picture](x" onerror="owned())',
  '[![both](http://evil.test/a.png)](javascript:owned())',
  '`<img src=x onerror=owned()>`',
  '```html\n<img src=x onerror=owned()>\n</code></pre><script>owned()</script>\n```',
  '```"><img src=x onerror=owned()>\ncode\n```',
  '| <img src=x onerror=owned()> | b |\n|--|--|\n| <script>owned()</script> | [x](javascript:owned()) |',
  '# <img src=x onerror=owned()>\n\n> <script>owned()</script>\n\n- [ ] <svg onload=owned()>',
  '&lt;img src=x onerror=owned()&gt; &#60;script&#62;owned()&#60;/script&#62;',
  '<!--><img src=x onerror=owned()>-->',
  '<a href="javascript:owned()" style="position:fixed;inset:0">cover</a>',
  `${'> '.repeat(3_000)}deep`,
  `${'['.repeat(5_000)}x`,
  '*a **b '.repeat(2_000),
];

test('hostile Markdown in replies stays text', async ({ page, service, chat }) => {
  await page.addInitScript(() => {
    Object.assign(window, { hits: 0, owned: () => ((window as unknown as { hits: number }).hits += 1) });
  });
  await page.route('**/messages*', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const { messages } = (await response.json()) as { messages: Message[] };
    const reply = messages.find(({ role, status }) => role === 'assistant' && status === 'complete');
    if (!reply || route.request().url().includes('after=')) return route.fulfill({ response });
    const hostile = HOSTILE.map((content, index) => ({ ...reply, id: `${reply.id}-${index}`, content }));
    return route.fulfill({ response, json: { messages: [...messages, ...hostile] } });
  });

  const { id } = await service.createChat();
  await service.send(id, HOSTILE.slice(0, 3).join('\n'));
  await expect(async () => expect((await service.messages(id))[1]?.status).toBe('complete')).toPass();
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await expect(chat.replies).toHaveCount(HOSTILE.length + 1);
  await expect(chat.replies.nth(1)).toContainText('<script>owned()</script>');

  const found = await chat.log.evaluate((log) => ({
    forbidden: [
      ...log.querySelectorAll('script, img, iframe, form, style, link, object, embed, a[style]'),
    ].map((element) => element.outerHTML),
    handlers: [...log.querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith('on')),
    ),
    addresses: [...log.querySelectorAll('a')].map((link) => link.getAttribute('href')),
  }));
  expect(found.forbidden).toEqual([]);
  expect(found.handlers).toEqual([]);
  expect(found.addresses.filter((href) => !/^(https?|mailto):/.test(href ?? ''))).toEqual([]);
  for (const link of await chat.log.getByRole('link').all()) {
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  }
  expect(await page.evaluate(() => (window as unknown as { hits: number }).hits)).toBe(0);
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
