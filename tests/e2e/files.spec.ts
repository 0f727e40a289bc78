import type { Locator, Page } from '@playwright/test';
import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import { pdfOf } from '../support/documents.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import { pngOf } from '../support/pictures.ts';
import { axe } from './support/axe.ts';
import type { TestService } from './support/service.ts';
import { expect, NETWORK, OWN_PROCESS, test } from './support/test.ts';

interface GivenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const textFile = (name: string, text: string): GivenFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});
const picture = (name: string, width: number, height: number): GivenFile => ({
  name,
  mimeType: 'image/png',
  buffer: pngOf(width, height),
});
const chatIdOf = (page: Page): string => new URL(page.url()).hash.split('/').at(-1) ?? '';
/** The files of the message being written; those of sent ones stand in the conversation. */
const attached = (page: Page): Locator =>
  page.locator('form').getByRole('list', { name: 'Attached files' }).getByRole('listitem');
const attach = (page: Page, files: GivenFile[]): Promise<void> =>
  page.locator('form input[type=file]').last().setInputFiles(files);
const firstMessage = async (service: TestService, page: Page) => (await service.messages(chatIdOf(page)))[0];

/** Drops files on an element, or holds them over it when `drop` is false. */
async function dragFiles(page: Page, over: string, files: { name: string; text: string }[], drop = true) {
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, text } of given) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent(over, 'dragenter', { dataTransfer: data });
  await page.dispatchEvent(over, 'dragover', { dataTransfer: data });
  if (drop) await page.dispatchEvent(over, 'drop', { dataTransfer: data });
}

test('on paper a chat has its messages, files and pictures, and nothing to click', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await attach(page, [textFile('costs.csv', 'item,amount'), picture('roof.png', 40, 40)]);
  await chat.say('What are these?');
  await expect(chat.replies).toHaveAttribute('data-status', 'complete');
  const log = page.getByRole('log');
  await expect(log.locator('img').first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(log.getByText('What are these?')).toBeVisible();
  await expect(log.getByText('costs.csv')).toBeVisible();
  await expect(log.locator('img').first()).toBeVisible();
  for (const name of ['New chat', 'Attach files', 'Send'])
    await expect(page.locator(`button:has-text("${name}"), [aria-label="${name}"]`).first()).toBeHidden();
});

test.describe('the message being written', () => {
  test('takes files by the button; they go along with it, and stand in the conversation', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (await chooser).setFiles([textFile('costs.csv', 'item,amount\r\nFlights,312.40\r\n')]);
    await expect(attached(page)).toHaveText(/costs\.csv\s*29 bytes/);
    await chat.message.fill('What is this?');
    await chat.message.press('Enter');
    await expect(attached(page)).toHaveCount(0);
    await expect(chat.replies).toHaveCount(1);
    await expect(chat.mine.getByRole('button', { name: /^Open costs\.csv/ })).toBeVisible();
    const message = await firstMessage(service, page);
    expect(message?.content).toBe('What is this?');
    expect(message?.attachments?.map(({ name, kind }) => [name, kind])).toEqual([['costs.csv', 'text']]);
  });

  test('is sent once its files are uploaded, unless it is written on meanwhile', async ({
    page,
    service,
    chat,
  }) => {
    const holds = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    let count = 0;
    await page.route('**/api/v1/files?*', async (route) => {
      await holds[count++]?.promise;
      await route.continue();
    });
    await chat.open(service.pageUrl);
    await chat.message.fill('Look');
    await attach(page, [textFile('a.txt', 'a')]);
    await chat.message.press('Enter');
    await expect(page.getByText('It will be sent once the files are uploaded.')).toBeVisible();
    await chat.message.pressSequentially(' at both');
    await expect(page.getByText('It will be sent once the files are uploaded.')).toBeHidden();
    holds[0]?.resolve(undefined);
    await expect(page.getByRole('button', { name: /^Open a\.txt/ })).toBeVisible();
    await expect(chat.mine).toHaveCount(0);

    await attach(page, [textFile('b.txt', 'b')]);
    await chat.message.press('Enter');
    await expect(page.getByText('It will be sent once the files are uploaded.')).toBeVisible();
    holds[1]?.resolve(undefined);
    await expect(chat.replies).toHaveCount(1);
    const message = await firstMessage(service, page);
    expect(message?.content).toBe('Look at both');
    expect(message?.attachments?.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
  });

  test('takes files that are dropped anywhere, gives them up again, and may be files alone', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    const files = [
      { name: 'one.txt', text: 'first' },
      { name: 'two.md', text: '```\nfenced\n```' },
    ];
    await dragFiles(page, 'h2', files, false);
    await expect(page.getByText('Drop files here')).toBeVisible();
    await dragFiles(page, 'h2', files);
    await expect(page.getByText('Drop files here')).toBeHidden();
    await expect(attached(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Remove one.txt' }).click();
    await expect(attached(page)).toHaveCount(1);
    await expect(chat.message).toBeFocused();
    await chat.message.press('Enter');
    await expect(chat.replies).toHaveCount(1);
    expect((await firstMessage(service, page))?.content).toBe('');
    expect((await firstMessage(service, page))?.attachments?.map(({ name }) => name)).toEqual(['two.md']);
  });

  test('takes pasted files; pasted text stays text unless no message could hold it', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    const paste = (given: { file?: string; text?: string }) =>
      chat.message.evaluate((box, { file, text }) => {
        const clipboardData = new DataTransfer();
        if (file !== undefined) clipboardData.items.add(new File(['pasted'], file));
        if (text !== undefined) clipboardData.setData('text/plain', text);
        return box.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
      }, given);
    expect(await paste({ file: 'shot.txt' })).toBe(false);
    await expect(attached(page)).toContainText('shot.txt');
    expect(await paste({ text: 'words' })).toBe(true);
    expect(await paste({ file: 'cells.png', text: 'a\tb' })).toBe(true);
    expect(await paste({ text: 'x'.repeat(MAX_CONTENT_CHARACTERS) })).toBe(true);
    await expect(attached(page)).toHaveCount(1);
    expect(await paste({ text: 'x'.repeat(MAX_CONTENT_CHARACTERS + 1) })).toBe(false);
    await expect(page.getByText('too much for the message box, so it is attached as a file')).toBeVisible();
    await expect(attached(page).nth(1)).toContainText('pasted.txt');
    // A line that would hold up the page with each key.
    expect(await paste({ text: 'ภาษาไทย'.repeat(100) })).toBe(true);
    expect(await paste({ text: 'ภาษาไทย\n'.repeat(2_000) })).toBe(true);
    await expect(attached(page)).toHaveCount(2);
    expect(await paste({ text: `A\n${'ภาษาไทย'.repeat(2_000)}` })).toBe(false);
    await expect(attached(page)).toHaveCount(3);
    // What takes long to lay out: emoji amid words, and more lines than a person writes.
    expect(await paste({ text: 'Wave 👋🏽. '.repeat(500) })).toBe(true);
    expect(await paste({ text: 'Claim.\n'.repeat(2_500) })).toBe(true);
    expect(await paste({ text: 'Family 👩‍👩‍👧, flag 🇪🇺, wave 👋🏽. '.repeat(2_500) })).toBe(false);
    expect(await paste({ text: 'Claim.\n'.repeat(10_000) })).toBe(false);
    await expect(attached(page)).toHaveCount(5);
  });

  test('a text that would hold the page up becomes a file in the box of an edit, too', async ({
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    await chat.say('2 + 2');
    await expect(chat.replies).toHaveAttribute('data-status', 'complete');
    await chat.mine.getByRole('button', { name: 'Edit', exact: true }).click();
    const box = chat.mine.getByRole('textbox');
    const isLeft = await box.evaluate((element) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'Claim.\n'.repeat(10_000));
      return element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    expect(isLeft).toBe(false);
    await expect(chat.mine).toContainText('pasted.txt');
    await expect(box).toHaveValue('2 + 2');
  });

  test('says of a file that can’t be taken why, keeps the others, and isn’t sent without it unasked', async ({
    page,
    service,
    chat,
    watch,
  }) => {
    watch.expected.push(/415/);
    await chat.open(service.pageUrl);
    await attach(page, [
      {
        name: 'app.zip',
        mimeType: 'application/zip',
        buffer: Buffer.from('PK\x03\x04\0\0\0\0\0\xff', 'latin1'),
      },
      textFile('nothing.txt', ''),
      textFile('fine.txt', 'fine'),
    ]);
    const zip = attached(page).filter({ hasText: 'app.zip' });
    await expect(zip.getByRole('alert')).toContainText('Parley can’t read files of this kind.');
    const empty = attached(page).filter({ hasText: 'nothing.txt' });
    await expect(empty).toContainText('It is empty.');
    expect((await empty.boundingBox())?.height, 'on one line').toBeLessThan(48);
    await expect(page.getByText('Some files were not uploaded.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Open fine\.txt/ })).toBeVisible();
    await chat.message.fill('Look');
    await expect(chat.send).toBeDisabled();
    await expect(chat.send).toHaveAttribute('title', /not uploaded/);
    expect((await axe(page).analyze()).violations.map(({ id: rule }) => rule)).toEqual([]);
    await page.getByRole('button', { name: 'Remove app.zip' }).click();
    await page.getByRole('button', { name: 'Remove nothing.txt' }).click();
    await expect(chat.send).toBeEnabled();
  });

  test('keeps its files over a reload, and none once it is sent', async ({ page, service, chat }) => {
    await chat.open(service.pageUrl);
    await attach(page, [textFile('a.csv', 'x,y\n1,2\n')]);
    await expect(page.getByRole('button', { name: /^Open a\.csv/ })).toBeVisible();
    await page.reload();
    await expect(attached(page)).toContainText('a.csv');
    await chat.message.press('Enter');
    await expect(chat.replies).toHaveCount(1);
    await page.reload();
    await expect(chat.mine.getByRole('button', { name: /^Open a\.csv/ })).toBeVisible();
    await expect(attached(page)).toHaveCount(0);
  });

  test('a CSV file opens as a table, which scrolls in a narrow window and breaks no cell', async ({
    page,
    service,
    chat,
  }) => {
    await page.setViewportSize({ width: 400, height: 800 });
    await chat.open(service.pageUrl);
    const rows = 'sep=;\r\ndate;item;room;amount\r\n2026-01-10;Filter papers;Kitchen;4,95\r\n';
    await attach(page, [textFile('costs.csv', rows)]);
    await page.getByRole('button', { name: /^Open costs\.csv/ }).click();
    const table = page.getByRole('dialog').getByRole('group', { name: 'costs.csv' });
    await expect(table.getByRole('row')).toHaveCount(2);
    const cell = await table.getByRole('cell', { name: 'Filter papers' }).boundingBox();
    expect(cell?.height).toBeLessThan(40);
    expect(await table.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true);
  });

  test('says before it is sent that the model can’t look at pictures', async ({ page, service, chat }) => {
    await chat.open(service.pageUrl);
    await attach(page, [picture('cat.png', 40, 30)]);
    const note = page.getByText('can’t see pictures');
    await expect(note).toBeVisible();
    await page.getByRole('button', { name: 'Remove cat.png' }).click();
    await expect(note).toBeHidden();
  });

  test('says before it is sent that the model reads only the beginning', async ({ page, service, chat }) => {
    const server = await startModelServer('openai', { contextTokens: 4_096 });
    const connection = { provider: 'openai_compatible', baseUrl: server.baseUrl, name: 'Box' };
    await service.call('POST', '/api/v1/connections', connection);
    await chat.open(service.pageUrl);
    const note = page.getByText('Too long for fake-model to read at once');
    await attach(page, [textFile('long.txt', 'word '.repeat(2_000))]);
    await expect(attached(page)).toContainText('long.txt');
    await expect(note).toBeHidden();
    await page.getByRole('button', { name: /^Model: / }).click();
    await page.getByRole('option', { name: 'fake-model' }).click();
    await expect(note).toHaveText(
      'Too long for fake-model to read at once: it gets the beginning, and a tool to read on.',
    );
    await page.getByRole('button', { name: 'Remove long.txt' }).click();
    await expect(note).toBeHidden();
    await server.close();
  });

  test(
    'waits with its files for a service that is away',
    OWN_PROCESS,
    async ({ page, service, chat, watch }) => {
      watch.expected.push(NETWORK);
      await chat.open(service.pageUrl);
      await attach(page, [textFile('before.txt', 'before')]);
      await expect(page.getByRole('button', { name: /^Open before\.txt/ })).toBeVisible();
      await service.kill();
      await chat.message.fill('Read it');
      await chat.message.press('Enter');
      await expect(page.getByText('Not sent yet')).toBeVisible();
      await attach(page, [textFile('meanwhile.txt', 'meanwhile')]);
      await expect(attached(page)).toContainText('Waiting for the service…');
      await service.restart();
      await expect(attached(page).getByRole('button', { name: /^Open meanwhile\.txt/ })).toBeVisible();
      await expect
        .poll(async () => (await firstMessage(service, page))?.attachments?.[0]?.name)
        .toBe('before.txt');
    },
  );
});

test.describe('files of a sent message', () => {
  test('pictures stand as tiles, open large, and the arrow keys go through them', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    await attach(page, [
      picture('wide.png', 1600, 400),
      textFile('notes.ts', 'const answer: number = 42;\n'),
      picture('tall.png', 300, 900),
    ]);
    await expect(page.getByRole('button', { name: /^Open tall\.png/ })).toBeVisible();
    await chat.message.press('Enter');
    await expect(chat.replies).toHaveCount(1);
    const wide = chat.mine.getByRole('button', { name: 'Open wide.png' });
    await expect
      .poll(() => wide.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(100);
    // What only screen readers hear must not make the page itself scroll.
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    const box = await wide.boundingBox();
    expect(box?.width).toBe(box?.height);

    await wide.click();
    const viewer = page.getByRole('dialog');
    await expect(viewer).toHaveAccessibleName('wide.png');
    await expect(viewer).toContainText('1 of 3');
    await expect(viewer).toContainText('1600 × 400');
    const width = async (): Promise<number> => (await viewer.getByRole('img').boundingBox())?.width ?? 0;
    await expect.poll(width).toBeLessThan(1_280);
    expect((await axe(page).analyze()).violations.map(({ id: rule }) => rule)).toEqual([]);
    await viewer.getByRole('button', { name: 'Actual size' }).click();
    await expect.poll(width).toBe(1_600);
    await viewer.getByRole('heading').click();
    await page.keyboard.press('ArrowRight');
    await expect(viewer).toHaveAccessibleName('tall.png');
    await page.keyboard.press('ArrowRight');
    await expect(viewer).toHaveAccessibleName('notes.ts');
    await expect(viewer.locator('.keyword').first()).toHaveText('const');
    await page.keyboard.press('ArrowRight');
    await expect(viewer).toHaveAccessibleName('wide.png');
    await page.keyboard.press('ArrowLeft');
    const downloading = page.waitForEvent('download');
    await viewer.getByRole('button', { name: 'Download notes.ts' }).click();
    expect((await downloading).suggestedFilename()).toBe('notes.ts');
    await page.keyboard.press('Escape');
    await expect(viewer).toBeHidden();
    await expect(wide).toBeFocused();
  });

  const pdf = (name: string, buffer: Buffer): GivenFile => ({ name, mimeType: 'application/pdf', buffer });
  const offer = pdf('offer.pdf', pdfOf([['Chairs, 12 pieces'], ['Delivery in May']]));

  test(
    'a PDF shows its pages in the browser’s viewer, and its text',
    { tag: '@firefox' },
    async ({ page, service, chat, watch }) => {
      // Firefox's viewer complains about broken files, and when it is taken away.
      watch.expected.push(/PDF|uncaught exception: Object/i);
      // Chromium's headless shell has no viewer: there only the frame is tested.
      await page.addInitScript(() => {
        Object.assign(window, { hasViewer: navigator.pdfViewerEnabled });
        Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true });
      });
      await chat.open(service.pageUrl);
      const script = 'parent.document.title = document.title = "taken over"';
      await attach(page, [
        offer,
        pdf('page.pdf', Buffer.from(`%PDF-1.7\n<!doctype html><body><script>${script}</script><p>hello`)),
        pdf('plain.pdf', Buffer.from(`<!doctype html><body><script>${script}</script><p>hello`)),
      ]);
      await expect(attached(page)).toHaveCount(3);
      await chat.message.fill('See here');
      await chat.message.press('Enter');
      await chat.mine.getByRole('button', { name: /^Open offer\.pdf/ }).click();
      const viewer = page.getByRole('dialog');
      const pages = viewer.getByRole('button', { name: 'Pages' });
      const frame = viewer.locator('iframe');
      await expect(frame).toHaveAttribute('title', 'offer.pdf');
      await expect(frame).toHaveAttribute('src', /^blob:http/);
      // Chromium's viewer draws pages where no test can read them; Firefox's has their text in the frame.
      const isDrawn = async (): Promise<boolean> =>
        page.frames().some((each) => each.url().startsWith('chrome-extension:')) ||
        (await frame.contentFrame().locator('.textLayer').count()) > 0;
      if (await page.evaluate(() => 'hasViewer' in window && window.hasViewer === true))
        await expect.poll(isDrawn).toBe(true);
      expect((await axe(page).exclude('iframe').analyze()).violations.map(({ id: rule }) => rule)).toEqual(
        [],
      );
      await pages.click();
      await expect(viewer).toContainText('Chairs, 12 pieces\n\nDelivery in May', { useInnerText: true });
      expect((await axe(page).analyze()).violations.map(({ id: rule }) => rule)).toEqual([]);
      await pages.click();
      await viewer.getByRole('button', { name: 'Next file' }).click();
      await expect(frame).toHaveAttribute('title', 'page.pdf');
      await viewer.getByRole('button', { name: 'Next file' }).click();
      // What is a web page is text, whatever its name.
      await expect(viewer).toContainText('<p>hello');
      await expect(frame).toHaveCount(0);
      expect(await page.title()).not.toContain('taken over');
    },
  );

  test('a PDF shows only its text where the browser has no viewer, and says so if it has none', async ({
    page,
    service,
    chat,
  }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { value: false }));
    await chat.open(service.pageUrl);
    await attach(page, [offer, pdf('scan.pdf', pdfOf([[]]))]);
    await expect(attached(page)).toHaveCount(2);
    await chat.message.fill('See here');
    await chat.message.press('Enter');
    await chat.mine.getByRole('button', { name: /^Open offer\.pdf/ }).click();
    const viewer = page.getByRole('dialog');
    await expect(viewer).toContainText('Chairs, 12 pieces\n\nDelivery in May', { useInnerText: true });
    await expect(viewer.getByRole('button', { name: 'Pages' })).toHaveCount(0);
    await page.keyboard.press('ArrowRight');
    await expect(viewer).toContainText('There is no text to show: this file holds no text, only pictures');
  });

  test('can be changed where the message is edited', async ({ page, service, chat }) => {
    await chat.open(service.pageUrl);
    await attach(page, [textFile('one.txt', 'one'), textFile('two.txt', 'two')]);
    await expect(page.getByRole('button', { name: /^Open two\.txt/ })).toBeVisible();
    await chat.message.fill('Read these');
    await chat.message.press('Enter');
    await expect(chat.replies).toHaveCount(1);
    await expect(chat.stop).toBeHidden();
    await chat.mine.hover();
    await chat.mine.getByRole('button', { name: 'Edit', exact: true }).click();
    const box = chat.mine.locator('form');
    await box.getByRole('button', { name: 'Remove one.txt' }).click();
    await box.locator('input[type=file]').setInputFiles([textFile('three.txt', 'three')]);
    await expect(box.getByRole('button', { name: /^Open three\.txt/ })).toBeVisible();
    await box.getByRole('button', { name: 'Ask again' }).click();
    await expect(box).toBeHidden();
    const names = async () => (await firstMessage(service, page))?.attachments?.map(({ name }) => name);
    await expect.poll(names).toEqual(['two.txt', 'three.txt']);
    await expect(chat.mine.getByRole('button', { name: /^Open three\.txt/ })).toBeVisible();
  });
});
