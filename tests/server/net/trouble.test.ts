import { expect, it } from 'vitest';
import { codeIn, describeTrouble, mayPass, troubleOf, type Trouble } from '../../../server/net/trouble.ts';

it.each<[string, Trouble, boolean]>([
  ['ENOTFOUND', 'unknown_name', false],
  ['EAI_AGAIN', 'unknown_name', true],
  ['ECONNREFUSED', 'refused', true],
  ['ECONNRESET', 'broke_off', true],
  ['EPIPE', 'broke_off', true],
  ['UND_ERR_SOCKET', 'broke_off', true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate', false],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate', false],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'wrong_certificate', false],
  ['CERT_HAS_EXPIRED', 'wrong_certificate', false],
  ['ERR_PROXY', 'proxy', false],
  ['HPE_INVALID_CONSTANT', 'not_http', false],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'not_http', false],
  ['ETIMEDOUT', 'unreachable', true],
  ['EHOSTUNREACH', 'unreachable', true],
  ['EACCES', 'unreachable', false],
])('%s is %s, and may pass: %s', (code, trouble, passes) => {
  expect([troubleOf(code), mayPass(code)]).toEqual([trouble, passes]);
});

it('finds the code in what caused an error', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(codeIn(new TypeError('fetch failed', { cause: refused }))).toBe('ECONNREFUSED');
  expect(codeIn(new AggregateError([refused]))).toBe('ECONNREFUSED');
  expect(codeIn(new TypeError('fetch failed'))).toBe('EUNKNOWN');
  expect(codeIn(new TypeError('terminated'))).toBe('UND_ERR_SOCKET');
  expect([codeIn(new Error('odd')), codeIn('text'), codeIn(new TypeError('odd'))]).toEqual([
    null,
    null,
    null,
  ]);
});

it.each<[Trouble, string, string]>([
  [
    'refused',
    'http://box:8080/v1',
    'Nothing answered at http://box:8080; start the server there, or check the address and the port.',
  ],
  [
    'unknown_name',
    'http://box:8080',
    'No computer with the name box was found; check the address and the network.',
  ],
  [
    'certificate',
    'https://box',
    'The certificate of box wasn’t trusted, so nothing was sent to it; if it is the right server, name its certificate’s file in the settings under Models, or add it to those that this computer trusts.',
  ],
  ['not_http', 'https://box', 'The server at box didn’t speak https; try http, or check the port.'],
  [
    'broke_off',
    'http://box',
    'box broke off the connection; begin the address with https if it speaks that, or see whether it is well.',
  ],
  [
    'broke_off',
    'https://box',
    'box broke off the connection; check the address, and whether the server is well.',
  ],
  ['unreachable', 'http://box', 'box could not be reached; check the address and the network.'],
])('tells of %s at %s in words', (trouble, address, sentence) => {
  const { what, todo } = describeTrouble(trouble, address);
  expect(`${what}; ${todo}.`).toBe(sentence);
});
