/** What a model or a tool server sends can't hide in a request for approval, imitate it, or push the rest out of view. */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { axe, expectAccessibleInBoth } from './support/axe.ts';
import { ask } from './support/rehearse.ts';
import { expect, test } from './support/test.ts';

test.use({ asking: { approvalMs: null } });

/** A call in a script, in ASCII: a script's lines end at more than LF. */
const callOf = (tool: string, input: object): string =>
  `::tool ${tool} ${JSON.stringify(input).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}`;

for (const [look, width] of [
  ['wide', 1280],
  ['narrow', 400],
] as const) {
  test(`of 41 fields each is in view before the answers, ${look}`, async ({ page, service, chat }) => {
    await page.setViewportSize({ width, height: 900 });
    const short = Object.fromEntries(Array.from({ length: 39 }, (_, index) => [`option_${index}`, 'ok']));
    const text = Array.from({ length: 60 }, (_, index) => `echo ${index}`).join('\n');
    const input = { text, ...short, 'a”\n\u202eb': 1, command: 'rm -rf ~\r\u3164\u202eecho ok' };
    const { card, once } = await ask(page, chat, service, callOf('add_line', input));
    await expect(card.getByText('42 fields in all, shown above.')).toBeVisible();
    const command = card.getByText('rm -rf ~[U+000D][U+3164][U+202E]echo ok', { exact: true });
    await expect(card.locator('dt').getByText('“a’[U+000A][U+202E]b”', { exact: true })).toBeVisible();
    // Nothing but a long text scrolls, and that says how long it is.
    const region = card.getByRole('region', { name: 'Input' });
    expect(await region.evaluate((all) => all.scrollHeight - all.clientHeight)).toBeLessThanOrEqual(1);
    const [commandBox, onceBox] = [await command.boundingBox(), await once.boundingBox()];
    expect(commandBox?.y).toBeLessThan(onceBox?.y ?? 0);
    const box = card.getByRole('group', { name: 'text, 60 lines, 469 characters' });
    const height = async (): Promise<number> => (await box.boundingBox())?.height ?? 0;
    expect(await height()).toBeLessThan(300);
    await card.getByRole('button', { name: 'Show all: text' }).click();
    await expect.poll(height).toBeGreaterThan(900);
    expect(await box.evaluate((pre) => pre.scrollHeight - pre.clientHeight)).toBeLessThanOrEqual(1);
    await card.getByRole('button', { name: 'Show less: text' }).click();
    await expect(once).toHaveAccessibleName(/^Allow once: “Add line”, /);
    await page.mouse.move(0, 0);
    await expectAccessibleInBoth(page, 'the card', (of) => axe(of).include('[data-approval]'));
  });
}

test('a change is drawn by its real lines: a lone CR, a separator or a mark of direction starts none', async ({
  page,
  service,
  chat,
}, info) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'parley-e2e-lines-')));
  await writeFile(join(root, 'a.js'), 'const a = 1;\nb();\n');
  await writeFile(join(root, 'crlf.txt'), 'one\r\ntwo\r\nthree\r\n');
  await service.call('POST', '/api/v1/folders', { path: root });
  const write = (name: string, text: string): string =>
    callOf('write_file', { path: `${basename(root)}/${name}`, text });
  const { all } = await ask(
    page,
    chat,
    service,
    write('a.js', 'const a = 1;\r evil();\r-b();\u2028+c();\u202e\nb();\n'),
    write('crlf.txt', 'one\r\n2\r\nthree\r\n'),
    write('new\u3164.sh', 'echo ok\rrm -rf ~\n'),
  );
  const linesOf = (index: number): Promise<string[]> =>
    all.nth(index).locator('.diff span').allTextContents();
  await expect(all).toHaveCount(3);
  expect(await linesOf(0)).toEqual([
    '@@ -1,2 +1,2 @@',
    '-const a = 1;',
    '+const a = 1;[U+000D] evil();[U+000D]-b();[U+2028]+c();[U+202E]',
    ' b();',
  ]);
  await expect(all.nth(0).locator('.added')).toHaveCount(1);
  expect(await linesOf(1)).toEqual(['@@ -1,3 +1,3 @@', ' one', '-two', '+2', ' three']);
  await expect(all.nth(2)).toContainText('new[U+3164].sh');
  await expect(all.nth(2)).toContainText('echo ok[U+000D]rm -rf ~');
  await page.screenshot({ path: info.outputPath('change.png'), fullPage: true });
  await all.nth(0).screenshot({ path: info.outputPath('card.png') });
  await all
    .nth(0)
    .getByRole('button', { name: /^Don’t allow/ })
    .click();
  await expect(all).toHaveCount(2);
  const step = chat.replies.last().getByRole('list', { name: 'Steps' }).locator('details').first();
  await expect(step.locator('summary')).toContainText('const a = 1;[U+000D] e');
  await step.locator('summary').click();
  await expect(step.locator('pre').first()).toContainText('+c();[U+202E]');
  await rm(root, { recursive: true, force: true });
});
