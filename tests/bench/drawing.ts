/**
 * How long texts of 100 kB hold up the page (long-texts.ts): as a reply that is opened, searched and copied, and as a message that is
 * pasted and sent, and comes back as a reply. Each figure is the longest task of the page's thread, in milliseconds of its processor
 * time, so that other programs on the machine don't count.
 */
import type { Browser, Page } from '@playwright/test';
import { exportedChat, exportFileOf, replied, said } from '../support/exported.ts';
import { LONG_TEXTS } from './long-texts.ts';
import { launchChromium, startDirected, type DirectedService } from './page.ts';

const ACTIONS = ['open', 'find', 'copy', 'paste', 'send', 'stream'] as const;
type DrawingAction = (typeof ACTIONS)[number];

/** The longest tasks with one text, by action. */
export interface DrawingFigures {
  name: string;
  longestMs: Record<DrawingAction, number>;
}

/** An entry of Chromium's traces. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** How long it took, in microseconds of its thread's processor time. */
  tdur?: number;
  args: { name?: string };
}

/** Run in the page: waits until it hasn't changed for a while, but not for the end of a reply that is being written. */
const UNTIL_AT_REST = `(async () => {
  let changedAt = performance.now();
  const endsAt = changedAt + 60_000;
  const changes = new MutationObserver(() => (changedAt = performance.now()));
  changes.observe(document.body, { childList: true, subtree: true, characterData: true });
  while (performance.now() - changedAt < 600 && performance.now() < endsAt) {
    if (document.querySelector('article[data-status="streaming"]')) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  changes.disconnect();
})()`;
const SELECT_CHAT = `getSelection().selectAllChildren(document.querySelector('[role="log"]'))`;
/** As much as a message may have, with its directive. */
const MOST_SENT = 99_990;
/** The goal in milliseconds, and how often a text that misses it is measured: memory and caches are shared, so a busy machine adds to processor time, too. */
export const GOAL_MS = 200;
const ATTEMPTS = 3;

/** Measures the texts whose names contain `wanted`, one after the other, which takes several minutes for all. */
export async function* measureDrawing(wanted = ''): AsyncGenerator<DrawingFigures> {
  const browser = await launchChromium();
  const service = await startDirected();
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(service.pageUrl);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    for (const [name, text] of Object.entries(LONG_TEXTS)) {
      if (!name.includes(wanted)) continue;
      const longestMs = await measureText(browser, page, service, text);
      for (let attempt = 1; attempt < ATTEMPTS && longestOf(longestMs) >= GOAL_MS; attempt += 1) {
        const again = await measureText(browser, page, service, text);
        for (const action of ACTIONS) longestMs[action] = Math.min(longestMs[action], again[action]);
      }
      yield { name, longestMs };
    }
  } finally {
    await service.stop();
    await browser.close();
  }
}

async function measureText(
  browser: Browser,
  page: Page,
  service: DirectedService,
  text: string,
): Promise<Record<DrawingAction, number>> {
  const longestMs = { open: 0, find: 0, copy: 0, paste: 0, send: 0, stream: 0 };
  const measure = async (action: DrawingAction, act: () => Promise<void>): Promise<void> => {
    await browser.startTracing(page, { categories: ['toplevel'] });
    await act();
    await page.evaluate(UNTIL_AT_REST);
    longestMs[action] = longestTask(await browser.stopTracing());
  };
  const chatId = await importReply(service, text);
  const link = page.getByRole('list', { name: 'Chats' }).locator(`a[href*="${chatId}"]`);
  await link.waitFor();
  await page.evaluate(UNTIL_AT_REST);
  await measure('open', () => link.click());
  await measure('find', async () => {
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('e', { delay: 50 });
  });
  await page.keyboard.press('Escape');
  await page.evaluate(UNTIL_AT_REST);
  await page.evaluate(SELECT_CHAT);
  await measure('copy', () => page.keyboard.press('ControlOrMeta+c'));
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  const box = page.getByRole('textbox', { name: 'Message' });
  const written = JSON.stringify(`write ${text.slice(0, MOST_SENT)}`);
  await page.evaluate(`navigator.clipboard.writeText(${written})`);
  await box.focus();
  await page.evaluate(UNTIL_AT_REST);
  await measure('paste', () => page.keyboard.press('ControlOrMeta+v'));
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  // The first moments are those of the message. The reply may have come to its end by the time the page shows it.
  await measure('send', async () => {
    await box.press('Enter');
    await page.getByRole('article', { name: 'Assistant' }).waitFor();
  });
  await measure('stream', () => stop.waitFor({ state: 'hidden', timeout: 120_000 }));
  return longestMs;
}

async function importReply({ baseUrl, headers }: DirectedService, text: string): Promise<string> {
  const question = said('A question');
  const response = await fetch(`${baseUrl}/api/v1/import`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(exportFileOf(exportedChat([question, replied(text, question.id)]))),
  });
  const { chatIds } = (await response.json()) as { chatIds: string[] };
  return chatIds[0] ?? '';
}

/** The longest of all actions. */
export const longestOf = (longestMs: DrawingFigures['longestMs']): number =>
  Math.max(...Object.values(longestMs));

/** The longest task of the page's thread in a trace, in milliseconds of its processor time. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) =>
      name === 'ThreadControllerImpl::RunTask' &&
      threads.some((thread) => thread.pid === pid && thread.tid === tid),
  );
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
}
