/** Shared by the measurements of the window: a Chromium, a service with directed replies, and the delay of keys. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from '@playwright/test';
import { SYSTEM_CHROMIUM } from '../support/system-chromium.ts';
import { firstLine, newFolder } from './servers.ts';

const SCRIPTED = fileURLToPath(new URL('../support/scripted-service.ts', import.meta.url));
const TYPED = 'The quick brown fox jumps over the lazy dog while the reply above goes on and on. ';
/** A directive that streams words during the typing. */
export const STREAM = 'stream 4000 words at 200/s';

/** A Chromium that makes no requests of its own. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    ...(SYSTEM_CHROMIUM !== undefined && { executablePath: SYSTEM_CHROMIUM }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });

/** A service with directed replies (`tests/support/directed-runtime.ts`). */
export interface DirectedService {
  baseUrl: string;
  pageUrl: string;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts one on a fresh folder. */
export async function startDirected(): Promise<DirectedService> {
  const folder = await newFolder();
  const child = spawn(process.execPath, [SCRIPTED, '--data-dir', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = JSON.parse(await firstLine(child)) as { baseUrl: string; pageUrl: string; apiKey: string };
  return {
    baseUrl: ready.baseUrl,
    pageUrl: ready.pageUrl,
    headers: { authorization: `Bearer ${ready.apiKey}` },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Types a text into the message box; the milliseconds from a key to the paint that shows it, which one in twenty exceeds. */
export async function measureTyping(page: Page): Promise<number> {
  const box = page.getByRole('textbox', { name: 'Message' });
  await page.evaluate(() => {
    const slow: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') slow.push(entry.duration);
    });
    observer.observe({ type: 'event', durationThreshold: 16 } as never);
    Object.assign(globalThis, { slow, observer });
  });
  await box.pressSequentially(TYPED, { delay: 35 });
  await page.waitForTimeout(200);
  const slow = await page.evaluate(() => {
    const kept = globalThis as unknown as { slow: number[]; observer: { disconnect(): void } };
    kept.observer.disconnect();
    return kept.slow;
  });
  await box.fill('');
  // Presses painted within 16 ms aren't reported.
  const all = [...slow, ...Array.from({ length: TYPED.length - slow.length }, () => 16)].sort(
    (a, b) => b - a,
  );
  return all[Math.floor(all.length / 20)] ?? 16;
}
