/**
 * `npm run icons`: renders every picture of the app from the drawings in electron/resources, so that none is drawn by
 * hand. The results are committed: a build needs neither a browser nor the converters that electron-builder would
 * download.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { SYSTEM_CHROMIUM } from '../support/system-chromium.ts';
import { packIcns, packIco } from './pack-icons.ts';

const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
const WINDOWS_SIZES = [16, 20, 24, 32, 40, 48, 64, 128, 256];
const WINDOWS_TRAY_SIZES = [16, 20, 24, 32, 48];
const MAC_SIZES = [16, 32, 64, 128, 256, 512, 1024];
const LARGEST_SMALL_SIZE = 32;

/** A Mac icon's plate takes 824 of 1024 pixels; the rest is for its shadow. Elsewhere it fills nearly all. */
const MAC_MARGIN = 100 / 1024;
const LINUX_MARGIN = 1 / 32;

/** The page's green and its light form: for light and for dark panels. */
const TRAY_COLOURS = { light: '#17655f', dark: '#d5efeb' } as const;

interface Drawing {
  svg: string;
  /** As a fraction of the picture's width, on each side. */
  margin?: number;
  shadow?: boolean;
}

const FOLDER = new URL('../../electron/resources/', import.meta.url);
const pathOf = (name: string): string => fileURLToPath(new URL(name, FOLDER));
const read = (name: string): Promise<string> => readFile(pathOf(name), 'utf8');

async function save(name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(pathOf(name)), { recursive: true });
  await writeFile(pathOf(name), bytes);
}

/** The drawing as a square PNG of that many pixels, with a transparent background. */
async function render(
  page: Page,
  { svg, margin = 0, shadow = false }: Drawing,
  size: number,
): Promise<Buffer> {
  const pad = size * margin;
  const filter = shadow ? `drop-shadow(0 ${pad * 0.12}px ${pad * 0.2}px rgb(0 0 0 / .3))` : 'none';
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>html,body{margin:0;background:none}svg{position:fixed;inset:${pad}px;width:${size - 2 * pad}px;height:${size - 2 * pad}px;filter:${filter}}</style>${svg}`,
  );
  return page.screenshot({ omitBackground: true });
}

async function renderAll(
  page: Page,
  drawing: (size: number) => Drawing,
  sizes: readonly number[],
): Promise<Map<number, Buffer>> {
  const pictures = new Map<number, Buffer>();
  for (const size of sizes) pictures.set(size, await render(page, drawing(size), size));
  return pictures;
}

const large = await read('icon.svg');
const small = await read('icon-small.svg');
const tray = await read('tray.svg');
const badge = await read('badge.svg');
const forSize = (size: number): string => (size <= LARGEST_SMALL_SIZE ? small : large);
const trayIn = (colour: string): Drawing => ({
  svg: tray.replace('fill="currentColor"', `fill="${colour}"`),
});

const browser = await chromium.launch({
  ...(SYSTEM_CHROMIUM !== undefined && { executablePath: SYSTEM_CHROMIUM }),
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
  const page = await browser.newPage({ deviceScaleFactor: 1 });

  // For the installers.
  const linux = (size: number): Drawing => ({
    svg: forSize(size),
    margin: size <= LARGEST_SMALL_SIZE ? 0 : LINUX_MARGIN,
  });
  for (const [size, png] of await renderAll(page, linux, LINUX_SIZES)) {
    await save(`icons/${size}x${size}.png`, png);
  }
  await save('icon.ico', packIco(await renderAll(page, (size) => ({ svg: forSize(size) }), WINDOWS_SIZES)));
  const mac = (): Drawing => ({ svg: large, margin: MAC_MARGIN, shadow: true });
  await save('icon.icns', packIcns(await renderAll(page, mac, MAC_SIZES)));

  // Loaded by the app at run time. Electron picks `@2x` by itself on high-resolution screens.
  await save('images/icon.png', await render(page, linux(256), 256));
  await save('images/badge.png', await render(page, { svg: badge }, 16));
  await save('images/badge@2x.png', await render(page, { svg: badge }, 32));
  await save('images/trayTemplate.png', await render(page, trayIn('#000'), 16));
  await save('images/trayTemplate@2x.png', await render(page, trayIn('#000'), 32));
  for (const [panel, colour] of Object.entries(TRAY_COLOURS)) {
    await save(`images/tray-on-${panel}.png`, await render(page, trayIn(colour), 24));
    await save(`images/tray-on-${panel}@2x.png`, await render(page, trayIn(colour), 48));
    const sizes = await renderAll(page, () => trayIn(colour), WINDOWS_TRAY_SIZES);
    await save(`images/tray-on-${panel}.ico`, packIco(sizes));
  }
} finally {
  await browser.close();
}
