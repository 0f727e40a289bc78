import type { Chat } from '../../shared/api/chat.ts';
import { pngOf } from '../support/pictures.ts';
import { axe, expectAccessible, expectAccessibleInBoth } from './support/axe.ts';
import { allowClipboard, expect, test } from './support/test.ts';

test.use({ directed: true });

const RICH = `### Figures

Euler: $e^{i\\pi} + 1 = 0$, for $5 or $6.

$$
\\sum_{n=1}^{\\infty} \\frac{1}{n^2} \\pmb{x} \\fcolorbox{red}{yellow}{A}
$$

A formula that can't be drawn: $\\nothing{x}$

##### Code

\`\`\`ts
const answer: number = 42; // the answer
\`\`\`

\`\`\`
plain
\`\`\`

| Name | Amount |
|:-----|-------:|
| "A", B | 1 |
| C | 2 |

| D |
|---|
| 3 |

- [x] done
- [ ] open

> quoted`;

test('formulas, code, tables and tasks are drawn, and axe finds nothing wrong', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await chat.say(`say ${RICH}`);
  const reply = chat.replies;
  await expect(reply).toHaveAttribute('data-status', 'complete');
  await expect(reply.locator('.katex')).toHaveCount(2);
  await expect(reply.locator('math')).toHaveCount(2);
  const fontsOf = (state: string): Promise<string[]> =>
    page.evaluate(
      (wanted) => [...document.fonts].filter(({ status }) => status === wanted).map(({ family }) => family),
      state,
    );
  await expect.poll(() => fontsOf('loaded')).toContain('KaTeX_Main');
  expect(await fontsOf('error')).toEqual([]);
  const gap = await reply.getByRole('checkbox', { name: 'Done' }).evaluate((box) => {
    const text = document.createRange();
    text.setStartAfter(box);
    text.setEndAfter(box.parentNode?.lastChild ?? box);
    return text.getBoundingClientRect().left - box.getBoundingClientRect().right;
  });
  expect(gap, 'between a task’s box and its text').toBeGreaterThanOrEqual(6);
  await expect(reply).toContainText('for $5 or $6');
  await expect(reply).toContainText('$\\nothing{x}$');
  await expect(reply.getByRole('group', { name: 'Code, ts' }).locator('.keyword')).toHaveText('const');
  await expect(reply.getByRole('heading', { level: 2, name: 'Figures' })).toBeVisible();
  await expect(reply.getByRole('heading', { level: 3, name: 'Code' })).toBeVisible();
  await expect(reply.getByRole('checkbox', { name: 'Done' })).toBeChecked();
  await expectAccessibleInBoth(page, 'the reply', (of) => axe(of).include('[role=log]'));
});

test('code is copied, and where that isn’t allowed it is selected and said so', async ({
  page,
  service,
  chat,
}) => {
  const copied = await allowClipboard(page);
  await chat.open(service.pageUrl);
  await chat.say(`say ${RICH}`);
  const copy = chat.replies.locator('.code').first().getByRole('button', { name: 'Copy' });
  await copy.click();
  await expect(chat.replies.getByText('Copied')).toBeVisible();
  expect(await copied()).toBe('const answer: number = 42; // the answer');
  await chat.replies.locator('table').first().hover();
  await chat.replies.getByRole('button', { name: 'Copy as CSV' }).first().click();
  await expect.poll(copied).toBe('Name,Amount\n"""A"", B",1\nC,2');

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
  });
  await copy.click();
  await expect(chat.replies.getByText(/wasn’t allowed/)).toBeVisible();
  expect(await page.evaluate(() => String(getSelection()))).toBe('const answer: number = 42; // the answer');
});

test('long code is collapsed when a chat is opened, and long lines wrap when asked', async ({
  page,
  service,
  chat,
}) => {
  const lines = Array.from({ length: 90 }, (_, index) => `line ${index} ${'wide '.repeat(60)}`);
  const { id } = await service.createChat();
  await service.send(id, `say \`\`\`\n${lines.join('\n')}\n\`\`\``);
  await expect.poll(async () => (await service.messages(id))[1]?.status).toBe('complete');
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  const code = chat.replies.getByRole('group', { name: 'Code' });
  await expect(code).toContainText('line 31');
  await expect(code).not.toContainText('line 32');
  await chat.replies.getByRole('button', { name: 'Show all 90 lines' }).click();
  await expect(code).toContainText('line 89');
  const overflow = (): Promise<number> => code.evaluate((pre) => pre.scrollWidth - pre.clientWidth);
  expect(await overflow()).toBeGreaterThan(0);
  await chat.replies.getByRole('button', { name: 'Wrap long lines' }).click();
  expect(await overflow()).toBe(0);
});

test('a picture of the chat that a reply names is shown, opens large, and nothing else is fetched by its addresses', async ({
  page,
  service,
  chat,
}) => {
  const { id } = await service.call<Chat>('POST', '/api/v1/chats', {});
  const attachments = ['a.png', 'b.png'].map((name, index) => ({
    name,
    data: pngOf(640 + index, 320).toString('base64'),
  }));
  await service.call('POST', `/api/v1/chats/${id}/messages?wait=30`, { content: 'say Look.', attachments });
  const [question] = await service.messages(id);
  const [file, other] = question?.attachments ?? [];
  const own = `/api/v1/files/${file?.id}`;
  const elsewhere = [
    `/api/v1/chats/${id}/export`,
    `${own}?key=x`,
    '/api/v1/files/none',
    '//evil.test/a.png',
    'http://evil.test/b.png',
  ];
  const asked: string[] = [];
  await chat.open(service.pageUrl);
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await expect(chat.replies).toHaveCount(1);
  await chat.say(
    [
      `say Here: ![the chart](${own}) and`,
      `![again](${service.baseUrl}/api/v1/files/${other?.id})`,
      ...elsewhere.map((address) => `![not ${address}](${address})`),
      `[![in a link](${own})](https://example.com/)`,
    ].join(' '),
  );
  const reply = chat.replies.last();
  const tile = reply.getByRole('button', { name: 'Open the chart' });
  await expect(tile.locator('img')).toHaveJSProperty('complete', true);
  await expect(reply.getByRole('button', { name: 'Open again' }).locator('img')).toBeVisible();
  await expect(reply).toHaveAttribute('data-status', 'complete');
  await expect(reply.locator('img')).toHaveCount(2);
  const { width = 0, height = 1 } = (await tile.boundingBox()) ?? {};
  expect(width / height).toBeCloseTo(2, 1);
  for (const address of elsewhere) await expect(reply).toContainText(`not ${address}`);
  await expect(reply.getByRole('link', { name: 'in a link' })).toHaveAttribute(
    'href',
    'https://example.com/',
  );
  const files = asked.filter((url) => /\/files\/|evil|export/.test(url)).map((url) => new URL(url).pathname);
  expect(new Set(files)).toEqual(new Set([own, `/api/v1/files/${other?.id}`]));
  await expectAccessible(page);
  await tile.click();
  await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tile).toBeFocused();
});
