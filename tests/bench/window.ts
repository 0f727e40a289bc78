/**
 * The chat window in a real Chromium: first paint over a full store, opening a long chat, and typing while a reply streams.
 * References in the same run: the same page over an empty store, and the same typing while nothing streams.
 */
import { rm } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';
import { launchChromium, measureTyping, startDirected, STREAM } from './page.ts';
import { median } from './scenarios.ts';
import { prepareParley, startServer } from './servers.ts';

const ROUNDS = 5;

/** The results for the window. All times in milliseconds. */
export interface WindowFigures {
  /** From opening the link to the first contentful paint, and to the list of chats. */
  empty: { firstPaintMs: number; listMs: number };
  full: { firstPaintMs: number; listMs: number };
  /** JavaScript loaded until then, compressed, in kB. */
  scriptKb: number;
  /** From a click on a chat of 5,000 messages to its last message. */
  longChatMs: number;
  /** From a key's press to the paint that shows it: the slowest of twenty, median of the rounds. */
  typing: { atRestMs: number; streamingMs: number };
}

/** Measures the built page. */
export async function measureWindow(): Promise<WindowFigures> {
  const browser = await launchChromium();
  try {
    const empty = await firstPaints(browser, null);
    const prepared = await prepareParley({
      workspaces: 1,
      chatsPerWorkspace: 10_000,
      longChatMessages: 5_000,
    });
    const full = await firstPaints(browser, prepared.folder);
    const longChatMs = await openLongChat(browser, prepared.folder);
    await rm(prepared.folder, { recursive: true, force: true });
    const typing = await typeBesideStream(browser);
    return { empty, full, scriptKb: full.scriptKb, longChatMs, typing };
  } finally {
    await browser.close();
  }
}

async function firstPaints(
  browser: Browser,
  folder: string | null,
): Promise<{ firstPaintMs: number; listMs: number; scriptKb: number }> {
  const firsts: number[] = [];
  const lists: number[] = [];
  let scriptKb = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startServer('parley', folder === null ? {} : { folder });
    const context = await browser.newContext();
    const page = await context.newPage();
    const scripts: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.body());
    });
    await page.goto(server.pageUrl);
    await (
      folder === null
        ? page.getByRole('textbox', { name: 'Message' })
        : page.getByRole('list', { name: 'Chats' }).getByRole('link').first()
    ).waitFor();
    const { first, now } = await page.evaluate(() => ({
      first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      now: performance.now(),
    }));
    firsts.push(first);
    lists.push(now);
    const bodies = await Promise.all(scripts);
    scriptKb = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1000;
    await context.close();
    await server.stop(folder !== null);
  }
  return { firstPaintMs: median(firsts), listMs: median(lists), scriptKb };
}

async function openLongChat(browser: Browser, folder: string): Promise<number> {
  const server = await startServer('parley', { folder });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    // Each context needs its own link, and a service prints only one: later rounds sign in with its key.
    await (round === 0 ? page.goto(server.pageUrl) : signIn(page, server.baseUrl, server.headers));
    const link = page.getByRole('list', { name: 'Chats' }).getByRole('link').first();
    await link.waitFor();
    const clickedAt = performance.now();
    await link.click();
    await page.getByText('Message 4999:').waitFor();
    times.push(performance.now() - clickedAt);
    await context.close();
  }
  await server.stop(true);
  return median(times);
}

async function signIn(page: Page, baseUrl: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(`${baseUrl}/api/v1/session`, { method: 'POST', headers });
  const session = JSON.stringify(await response.json());
  await page.addInitScript((kept) => sessionStorage.setItem('parley.session', kept), session);
  await page.goto(baseUrl);
}

async function typeBesideStream(browser: Browser): Promise<WindowFigures['typing']> {
  const service = await startDirected();
  const page = await (await browser.newContext()).newPage();
  await page.goto(service.pageUrl);
  const box = page.getByRole('textbox', { name: 'Message' });
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  const rest: number[] = [];
  const streaming: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await box.fill('say something');
    await box.press('Enter');
    await stop.waitFor({ state: 'hidden' });
    rest.push(await measureTyping(page));
    await box.fill(STREAM);
    await box.press('Enter');
    await stop.waitFor();
    streaming.push(await measureTyping(page));
    await stop.click();
    await stop.waitFor({ state: 'hidden' });
  }
  await service.stop();
  return { atRestMs: median(rest), streamingMs: median(streaming) };
}
