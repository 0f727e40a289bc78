/** WebKitGTK, Safari's engine, on a display of the tests' own. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver';
import { expect } from '@playwright/test';
import { openDesk } from '../../support/electron/desk.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';

/** Why it can't be tested on; null: it can. On CI, it must be there. */
export const NO_WEBKIT =
  existsSync(DRIVER) || process.env['CI'] !== undefined ? null : `WebKit is not tested: ${DRIVER} is missing`;

/** Opens its browser. */
export async function openWebKit(): Promise<{ driver: WebDriver; close: () => Promise<void> }> {
  const desk = await openDesk(null);
  const port = await freePort();
  const child = spawn(DRIVER, [`--port=${port}`, '--host=127.0.0.1'], { env: desk.env, stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  await expect(async () => expect((await fetch(`${address}/status`)).ok).toBe(true)).toPass();
  const driver = await new Builder()
    .usingServer(address)
    .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
    .build();
  return {
    driver,
    close: async () => {
      await driver.quit();
      child.kill();
      await desk.close();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
