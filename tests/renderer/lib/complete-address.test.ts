import { expect, it } from 'vitest';
import { completeAddress } from '../../../renderer/lib/complete-address.ts';

it.each([
  ['127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['localhost:1234', 'http://localhost:1234'],
  ['[::1]:8080/v1', 'http://[::1]:8080/v1'],
  ['nas', 'http://nas'],
  ['nas:11434', 'http://nas:11434'],
  ['box.local/v1', 'http://box.local/v1'],
  ['192.168.1.20:11434', 'http://192.168.1.20:11434'],
  ['openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
  [' api.example.com:8443 ', 'https://api.example.com:8443'],
])('completes %j', (typed, address) => expect(completeAddress(typed)).toBe(address));

it.each(['', 'http://lamp/', 'HTTPS://lamp', 'ftp://lamp/'])('leaves %j as it is', (typed) =>
  expect(completeAddress(typed)).toBe(typed),
);
