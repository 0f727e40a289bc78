import { expect, it } from 'vitest';
import { shownPath } from '../../../server/plugins/shown-path.ts';

const ID = '01994e2a-6b0c-7c2f-9d3e-0123456789ab';
const KEY = `parley_${'Ab0-_'.repeat(8)}xyz`;

it.each([
  ['/api/v1/chats', '/api/v1/chats'],
  [`/api/v1/chats/${ID}/messages?after=${ID}&limit=5`, `/api/v1/chats/${ID}/messages?after=${ID}&limit=5`],
  ['/api/v1/chats?page=2&pageSize=50&archived=only', '/api/v1/chats?page=2&pageSize=50&archived=only'],
  ['/api/v1/search?q=my+secret&limit=3', '/api/v1/search?q=…&limit=3'],
  ['/api/v1/search?%71=my+secret', '/api/v1/search?…=…'],
  ['/api/v1/search?q=', '/api/v1/search?q='],
  ['/api/v1/search?q', '/api/v1/search?q'],
  ['/api/v1/chats?token=abc&text=hello', '/api/v1/chats?token=…&text=…'],
  ['/api/v1/chats?hello there', '/api/v1/chats?…'],
  ['/?a=1?b=2', '/?a=…'],
  ['/#token=page_secretsecret', '/'],
  ['http://ada:pw@127.0.0.1:4141/api/v1/chats?q=x', '/api/v1/chats?q=…'],
  ['*', '*'],
  ['', ''],
])('%s is shown as %s', (target, shown) => {
  expect(shownPath(target)).toBe(shown);
});

it.each([
  `/api/v1/chats/${KEY}`,
  `/api/v1/chats/${KEY.slice(0, 30)}`,
  `/api/v1/chats/${KEY.slice(7)}`,
  `/api/v1/${encodeURIComponent(KEY).replace('p', '%70')}`,
  `/api/v1/${KEY.replaceAll('_', '%5F')}`,
  `/api/v1/${KEY.replaceAll('_', '%255F')}`,
  `/api/v1/chats?limit=${KEY}`,
  `/api/v1/chats?after=${KEY.slice(7)}`,
  `/api/v1/chats?after=%50ARLEY_${KEY.slice(7)}`,
  `/api/v1/chats?${KEY}=1`,
  `/api/v1/chats?${KEY}`,
  `/api/v1/chats?page=1#${KEY}`,
  `http://${KEY}@127.0.0.1:4141/health`,
  `page_${KEY.slice(7)}`,
  `/api/v1/chats/return_${KEY.slice(7, 30)}`,
])('a key or token is never shown: %s', (target) => {
  const shown = decodeURIComponent(shownPath(target));
  for (let at = 0; at + 8 <= 43; at += 4) expect(shown).not.toContain(KEY.slice(7 + at, 7 + at + 8));
});
