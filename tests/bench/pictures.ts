/** A chat with 200 photos in the window: opening, scrolling and typing, compared with the same chat without them. */
import type { Page } from '@playwright/test';
import { launchChromium, measureTyping, startDirected, STREAM, type DirectedService } from './page.ts';

const MESSAGES = 200;
/** Different photos; each is sent several times, as separate files. */
const PHOTOS = 10;
/** How far a turn of the wheel scrolls, and how often one comes: faster than pictures can be shrunk. */
const WHEEL_PX = 1_500;
const WHEEL_MS = 30;

/** Run in the page: the photo as Base64. */
const DRAW_PHOTO = `(async () => {
  const canvas = new OffscreenCanvas(3000, 2000);
  const context = canvas.getContext('2d');
  const upTo = (most) => Math.random() * most;
  for (let spot = 0; spot < 4000; spot += 1) {
    context.fillStyle = 'hsl(' + upTo(360) + ' 60% ' + upTo(100) + '% / 50%)';
    context.fillRect(upTo(3000), upTo(2000), upTo(200), upTo(200));
  }
  const photo = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
  return new Uint8Array(await photo.arrayBuffer()).toBase64();
})()`;

/** Run in the page: records the length of frames, and layout shifts. */
const WATCH_FRAMES = `(() => {
  const frames = [];
  let shift = 0;
  let going = true;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shift += value;
  }).observe({ type: 'layout-shift' });
  let last = performance.now();
  const frame = (now) => {
    frames.push(now - last);
    last = now;
    if (going) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  globalThis.told = { end() { going = false; return { frames, shift }; } };
})()`;

/** The cost of a chat in the window. Times in milliseconds. */
export interface PictureFigures {
  /** From a click on the chat to its last message, and to the last of its pictures that can be seen then. */
  openMs: number;
  shownMs: number;
  /** While scrolling through it: the frame time that one in twenty exceeds, and the layout shift. */
  frameMs: number;
  shift: number;
  /** From the end of that until the first picture of the chat is shown. */
  thereMs: number;
  /** From a key to its paint while a reply streams; one in twenty is slower. */
  typingMs: number;
}

/** Measures a chat of 200 messages and their replies, with a photo in each message and without. */
export async function measurePictures(): Promise<{ photos: PictureFigures; none: PictureFigures }> {
  const browser = await launchChromium();
  const service = await startDirected();
  try {
    const maker = await (await browser.newContext()).newPage();
    const photos: Buffer[] = [];
    for (let index = 0; index < PHOTOS; index += 1) photos.push(await makePhoto(maker));
    await maker.close();
    const withNone = await fillChat(service, []);
    const withPhotos = await fillChat(service, photos);
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    await page.goto(service.pageUrl);
    const none = await measureChat(page, withNone, false);
    return { none, photos: await measureChat(page, withPhotos, true) };
  } finally {
    await service.stop();
    await browser.close();
  }
}

/** A JPEG of about a megabyte, with as much detail as a camera's. */
async function makePhoto(page: Page): Promise<Buffer> {
  return Buffer.from(await page.evaluate<string>(DRAW_PHOTO), 'base64');
}

/** Creates a chat whose messages have these photos in turn; returns its id. */
async function fillChat({ baseUrl, headers }: DirectedService, photos: readonly Buffer[]): Promise<string> {
  const post = async <T>(path: string, body: string | Uint8Array<ArrayBuffer>, type: string): Promise<T> => {
    const response = await fetch(`${baseUrl}/api/v1/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  };
  const { id } = await post<{ id: string }>('chats', '{}', 'application/json');
  for (let index = 0; index < MESSAGES; index += 1) {
    const photo = photos[index % photos.length];
    const attachments: { fileId: string }[] = [];
    if (photo !== undefined) {
      const upload = new Uint8Array(photo);
      const { file } = await post<{ file: { id: string } }>(
        `files?name=${index}.jpg`,
        upload,
        'application/octet-stream',
      );
      attachments.push({ fileId: file.id });
    }
    const send = JSON.stringify({ content: `say Reply ${index}`, attachments });
    await post(`chats/${id}/messages?wait=60`, send, 'application/json');
  }
  return id;
}

async function measureChat(page: Page, chatId: string, hasPhotos: boolean): Promise<PictureFigures> {
  const link = page.getByRole('list', { name: 'Chats' }).locator(`a[href*="${chatId}"]`);
  await link.waitFor();
  const clickedAt = performance.now();
  await link.click();
  const log = page.getByRole('log');
  await log.getByText(`Reply ${MESSAGES - 1}`, { exact: true }).waitFor();
  const openMs = performance.now() - clickedAt;
  if (hasPhotos)
    await log
      .getByRole('button', { name: `Open ${MESSAGES - 1}.jpg` })
      .locator('img')
      .waitFor();
  const shownMs = performance.now() - clickedAt;
  const scrolling = await scrollThrough(page);
  const arrivedAt = performance.now();
  if (hasPhotos) await log.getByRole('button', { name: 'Open 0.jpg' }).locator('img').waitFor();
  const thereMs = performance.now() - arrivedAt;
  const box = page.getByRole('textbox', { name: 'Message' });
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await box.fill(STREAM);
  await box.press('Enter');
  await stop.waitFor();
  const typingMs = await measureTyping(page);
  await stop.click();
  await stop.waitFor({ state: 'hidden' });
  return { openMs, shownMs, ...scrolling, thereMs, typingMs };
}

/** Scrolls up until the first message is reached. */
async function scrollThrough(page: Page): Promise<Pick<PictureFigures, 'frameMs' | 'shift'>> {
  const log = page.getByRole('log');
  await log.hover();
  await page.evaluate(WATCH_FRAMES);
  const top = (): Promise<number> =>
    log.evaluate((element: unknown) => (element as { scrollTop: number }).scrollTop);
  while ((await top()) > 0) {
    await page.mouse.wheel(0, -WHEEL_PX);
    await page.waitForTimeout(WHEEL_MS);
  }
  const { frames, shift } = await page.evaluate<{ frames: number[]; shift: number }>('told.end()');
  const slowest = frames.sort((a, b) => b - a);
  return { frameMs: slowest[Math.floor(slowest.length / 20)] ?? 0, shift };
}
