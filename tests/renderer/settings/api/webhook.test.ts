import { expect, test } from 'vitest';
import { webhookFrom } from '../../../../renderer/settings/api/webhook.ts';

test.each([
  ['', null],
  ['  ', null],
  [' http://127.0.0.1:8080/parley ', { url: 'http://127.0.0.1:8080/parley' }],
  ['http://localhost/x', { url: 'http://localhost/x' }],
  ['https://[::1]:9/x', { url: 'https://[::1]:9/x' }],
  ['127.0.0.1:8080', { url: 'http://127.0.0.1:8080' }],
  ['ftp://localhost/x', 'address'],
  ['javascript:alert(1)', 'address'],
  ['http://', 'address'],
  ['http://me:secret@localhost/x', 'address'],
  ['https://example.com/x', 'elsewhere'],
  ['http://my.localhost/x', 'elsewhere'],
  ['https://localhost.example.com/x', 'elsewhere'],
])('%j is read as %j', (typed, read) => {
  expect(webhookFrom(typed, false)).toEqual(read);
});

test('another computer has to be allowed, and is named as such', () => {
  const url = 'https://example.com/x';
  expect(webhookFrom(url, true)).toEqual({ url, anywhere: true });
  expect(webhookFrom('http://localhost/x', true)).toEqual({ url: 'http://localhost/x' });
});
