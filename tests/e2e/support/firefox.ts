/** Debian's Firefox, which Playwright drives over WebDriver BiDi. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Where it is. */
export const FIREFOX = '/usr/bin/firefox-esr';
/** Why it can't be tested on; null: it can. On CI, it must be there. */
export const NO_FIREFOX =
  existsSync(FIREFOX) || process.env['CI'] !== undefined
    ? null
    : `Firefox is not tested: ${FIREFOX} is missing`;

/** Firefox must not call home: Playwright has switched off most of it. */
export const FIREFOX_PREFERENCES = {
  'app.normandy.enabled': false,
  'browser.region.network.url': '',
  'browser.search.suggest.enabled': false,
  'dom.push.connection.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'network.trr.mode': 5,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.unified': false,
  'toolkit.telemetry.server': '',
};

interface Transport {
  send: (this: Transport, message: { id: number; method: string }) => void;
  onmessage?: (answer: { type: 'success'; id: number; result: object }) => void;
}

/** Playwright sets the colour scheme of every new context, and gives up when Firefox doesn't know how. */
const UNKNOWN = 'emulation.setMediaFeaturesOverride';

const { server } = createRequire(import.meta.url)('playwright-core/lib/coreBundle') as {
  server: { WebSocketTransport: { prototype: Transport } };
};
const connection = server.WebSocketTransport.prototype;
const send = connection.send;
connection.send = function (message) {
  if (message.method !== UNKNOWN) send.call(this, message);
  else queueMicrotask(() => this.onmessage?.({ type: 'success', id: message.id, result: {} }));
};
