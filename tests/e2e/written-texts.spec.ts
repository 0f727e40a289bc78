import { allowClipboard, expect, test } from './support/test.ts';

test.use({ directed: true });

const REPLY = `**注意：**正文，其中$x^2$是变量，参见https://example.com/docs（中文说明）了解更多；3~5天，10~20元。

これは**「重要」**です。H<sub>2</sub>O, <kbd>Ctrl</kbd>, \\ce{H2SO4}.[^1]

> [!WARNING]
> 값은 $v$이다

<details>
<summary>더보기</summary>

**굵게**

</details>

\\begin{align}
a &= b
\\end{align}

| 式 | b |
|---|---|
| $|x|$ | one<br>two |
| <ul><li>x</li><li>y</li></ul> | <details><summary>답</summary>z</details> |

Why? <details><summary>왜</summary>

**이유**

</details>

- see $$y$$ there

\`\`\`markdown
\`\`\`js
  1
\`\`\`
\`\`\`

The end of &ndash; &notit; at 25$^\\circ$C.

[^1]: 脚注。`;

test('text in many scripts, and what other chat apps show, is drawn', async ({ page, service, chat }) => {
  const copied = await allowClipboard(page);
  await chat.open(service.pageUrl);
  await chat.say(`say ${REPLY}`);
  const reply = chat.replies;
  await expect(reply).toHaveAttribute('data-status', 'complete');
  await expect(reply.locator('strong')).toHaveText(['注意：', '「重要」', '굵게', '이유']);
  await expect(reply.locator('.katex')).toHaveCount(6);
  await expect(reply.locator('a')).toHaveAttribute('href', 'https://example.com/docs');
  await expect(reply.locator('del')).toHaveCount(0);
  await expect(reply.locator('sub')).toHaveText('2');
  await expect(reply.locator('kbd')).toHaveText('Ctrl');
  await expect(reply.locator('blockquote')).toContainText('Warning');
  await expect(reply.getByText('굵게')).toBeHidden();
  await reply.getByText('더보기').click();
  await expect(reply.getByText('굵게')).toBeVisible();
  await expect(reply.locator('td li')).toHaveText(['x', 'y']);
  await expect(reply.getByText('이유')).toBeHidden();
  await reply.getByText('왜').click();
  await expect(reply.getByText('이유')).toBeVisible();
  await expect(reply.locator('.footnote')).toContainText('脚注。');
  await expect(reply.getByText('The end of – &notit; at 25°C.')).toBeVisible();
  await expect(reply.locator('.code')).toHaveCount(1);

  await reply.getByRole('button', { name: 'Copy as CSV' }).click();
  await expect.poll(copied).toBe('式,b\n$|x|$,"one\ntwo"\n"x\ny","답\n\nz"');
  await page.evaluate(() =>
    getSelection()?.selectAllChildren(document.querySelector('.markdown') as Element),
  );
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(copied).toContain('其中$x^2$是变量');
  expect(await copied()).not.toContain('Wrap');
  expect(await copied()).toContain('see \n$$y$$\n there\n```js\n  1');
  expect(await copied()).toMatch(/\[1\] 脚注。$/);
  // What is pasted in another program has its colours, not those of the window.
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('strong') as Element));
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(copied).toBe('注意：');
  const html = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    return (await item?.getType('text/html'))?.text();
  });
  expect(html).toContain('<strong>注意：</strong>');
  expect(html).not.toContain('style');
});

test('HTML that places text shows the text, and cells are aligned', async ({ service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.say(
    'say <div align="center">\n    <h1>Head</h1>\n    <p>One <abbr title="a > b">two</abbr></p>\n</div>\n\n> [!DANGER]\n> Mind.\n\n| a | b | c |\n|:-:|--:|---|\n| 1 | 2 | 3 |\n\nSo it is【4†source】.',
  );
  const reply = chat.replies;
  await expect(reply.locator('.heading')).toHaveText('Head');
  await expect(reply.locator('p', { hasText: 'One' })).toHaveText('One two');
  await expect(reply.locator('blockquote')).toHaveText('Caution Mind.');
  await expect(reply.getByText('So it is.', { exact: true })).toBeVisible();
  await expect(reply).not.toContainText('<');
  for (const [column, align] of ['center', 'right', 'start'].entries())
    await expect(reply.locator('td').nth(column)).toHaveCSS('text-align', align);
});

test('lists, tables, code and parts to open that are written in HTML are drawn, and can be copied', async ({
  page,
  service,
  chat,
}) => {
  const copied = await allowClipboard(page);
  await chat.open(service.pageUrl);
  await chat.say(
    'say <ul><li>One</li><li>Two\n<ol start="3"><li>*Three*</li></ol></li></ul>\n\n<table><tr><th>A</th><th>B</th></tr><tr><td>1<br>2</td><td><ul><li>x</li><li>y</li></ul></td></tr></table>\n\n<pre><code class="language-js">a &lt; b</code></pre>\n\n<blockquote>Q</blockquote>\n\n<details open><summary>S</summary>\n\nInside\n\n</details>\n\nSo\ue200cite\ue202turn0search1\ue201. <a href="#x" onclick="alert(1)">Up</a> https://example.com/?q=[oaicite:1]',
  );
  const reply = chat.replies;
  await expect(reply.locator('li')).toHaveText(['One', 'TwoThree', 'Three', 'x', 'y']);
  await expect(reply.locator('li em')).toHaveText('Three');
  await expect(reply.locator('ol > li')).toHaveAttribute('value', '3');
  await expect(reply.locator('pre')).toHaveText('a < b');
  await expect(reply.locator('blockquote')).toHaveText('Q');
  await expect(reply.getByText('Inside')).toBeVisible();
  await expect(reply.getByText('So. Up https://example.com/?q=[oaicite:1]')).toBeVisible();
  await expect(reply.locator('[onclick]')).toHaveCount(0);
  await reply.getByRole('button', { name: 'Copy as CSV' }).click();
  await expect.poll(copied).toBe('A,B\n"1\n2","x\ny"');
});

test('signs are shown as they were typed, not joined', async ({ service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.say('say a -> b => c != d `a -> b => c != d`');
  const text = chat.replies.locator('p').first();
  await expect(text).toHaveText('a -> b => c != d a -> b => c != d');
  const width = (): Promise<number> =>
    text.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().width;
    });
  const shown = await width();
  await text.evaluate(({ style }) => (style.fontVariantLigatures = 'none'));
  expect(await width()).toBe(shown);
});

test('lines of a reply end where they were ended', async ({ service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.say(
    'say **Name:** Ann\n**Role:** Dev\n\n请选择：\n（A）苹果\n（B）香蕉\n\n- 点\n**总结**\n\n> one  \n> two<br>\n> three',
  );
  const lines = [
    'Name: Ann',
    'Role: Dev',
    '',
    '请选择：',
    '（A）苹果',
    '（B）香蕉',
    '',
    '点',
    '总结',
    '',
    'one',
    'two',
    'three',
  ];
  await expect.poll(() => chat.replies.locator('.markdown').first().innerText()).toBe(lines.join('\n'));
});

test('what is selected and copied keeps its lines, cells, alerts and pictures', async ({
  page,
  service,
  chat,
}) => {
  const copied = await allowClipboard(page);
  await chat.open(service.pageUrl);
  await chat.say(
    'say # Head\n\nOne $x$\ntwo\n\n> [!NOTE]\n> Mind **this**.\n\n- [x] a\n- [ ] b <c>\n\n| k | v |\n|---|---|\n| 1 | 2<br>3 |\n\n```js\nif (a) {\n  b();\n}\n```\n\n![A cat](https://cats.example/1.png) at the end',
  );
  await expect(chat.replies).toHaveAttribute('data-status', 'complete');
  await expect(chat.replies.locator('.katex')).toBeVisible();
  await page.evaluate(() =>
    getSelection()?.selectAllChildren(
      document.querySelector('[aria-label="Assistant"] .markdown') as Element,
    ),
  );
  // The browser cleans what is read from the clipboard.
  await page.evaluate(() =>
    addEventListener('copy', ({ clipboardData }) =>
      Object.assign(window, { html: clipboardData?.getData('text/html') }),
    ),
  );
  const html = (): Promise<string> => page.evaluate(() => (window as unknown as { html: string }).html);
  await page.keyboard.press('ControlOrMeta+c');
  await expect
    .poll(copied)
    .toBe(
      'Head\n\nOne $x$\ntwo\n\nNote\n\nMind this.\n\n[x] a\n[ ] b <c>\nk\tv\n1\t2 3\nif (a) {\n  b();\n}\n\n![A cat](https://cats.example/1.png) at the end',
    );
  expect(await html()).toBe(
    '<div><h2>Head</h2><p>One $x$<br>two</p><blockquote><p>Note</p><div><p>Mind <strong>this</strong>.</p></div></blockquote>' +
      '<ul><li><div>[x] a</div></li><li><div>[ ] b &#60;c&#62;</div></li></ul>' +
      '<div><div><table border="1"><thead><tr><th>k</th><th>v</th></tr></thead><tbody><tr><td>1</td><td>2<br>3</td></tr></tbody></table></div></div>' +
      '<div><pre><code>if (a) {\n  b();\n}</code></pre></div><p>![A cat](https://cats.example/1.png) at the end</p></div>',
  );
  // From within the formula into a cell.
  await page.evaluate(() => {
    const [formula, cell] = [document.querySelector('.maths'), document.querySelector('td')];
    if (formula && cell) getSelection()?.setBaseAndExtent(formula, 0, cell, cell.childNodes.length);
  });
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(copied).toBe('$x$\ntwo\n\nNote\n\nMind this.\n\n[x] a\n[ ] b <c>\nk\tv\n1');
  expect(await html()).toContain(
    '<table border="1"><thead><tr><th>k</th><th>v</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
  );
  // Only cells.
  await page.evaluate(() => {
    const [key, , , value] = document.querySelectorAll('th, td');
    if (key && value) getSelection()?.setBaseAndExtent(key, 0, value, value.childNodes.length);
  });
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(copied).toBe('k\tv\n1\t2 3');
  expect(await html()).toMatch(/^<table.*<\/table>$/);

  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('mind this');
  await expect.poll(() => page.evaluate(() => CSS.highlights.get('found')?.size)).toBe(1);
});

test('code that a person writes is set as code', async ({ service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.say('say 用`npm install`安装');
  await expect(chat.replies).toHaveAttribute('data-status', 'complete');
  await expect(chat.replies.locator('code')).toHaveText('npm install');
  const question = chat.page.locator('.bubble code');
  await expect(question).toHaveText('`npm install`');
});
