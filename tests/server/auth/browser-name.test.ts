import { expect, test } from 'vitest';
import { browserName } from '../../../server/auth/browser-name.ts';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/140.0.0.0`, 'Edge on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 'Chrome on ChromeOS'],
  ['curl/8.5.0', ''],
  [undefined, ''],
])('%s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
