import { expect, test } from 'vitest';
import { addressOf, hostOf } from '../../../renderer/models/model-addresses.ts';
import { isLoopback } from '../../../shared/model-addresses.ts';

test.each([
  ['http://127.0.0.1:11434', true],
  ['http://127.8.9.1/v1', true],
  ['http://localhost:1234/v1', true],
  ['http://models.localhost/v1', true],
  ['http://[::1]:8080/v1', true],
  // The browser reads such numbers as an address of four.
  ['http://2130706433/v1', true],
  ['http://192.168.1.5:11434', false],
  ['http://127.0.0.1.example.com/v1', false],
  ['http://localhost.example.com/v1', false],
  ['https://api.openai.com/v1', false],
  ['http://0.0.0.0:8080', false],
  ['nonsense', false],
])('%s is on this computer: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

test('a connection without an address of its own is at its provider’s', () => {
  expect(addressOf('anthropic', null)).toBe('https://api.anthropic.com/v1');
  expect(addressOf('anthropic', 'https://gateway.example/v1')).toBe('https://gateway.example/v1');
  expect(addressOf('openai_compatible', null)).toBe('');
});

test('the host is told with its port, and only of web addresses', () => {
  expect(hostOf('http://192.168.1.5:11434/v1')).toBe('192.168.1.5:11434');
  expect(hostOf('https://api.openai.com/v1')).toBe('api.openai.com');
  expect(hostOf('ftp://example.com')).toBeNull();
  expect(hostOf('example.com')).toBeNull();
});
