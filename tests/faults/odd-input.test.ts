/** Whatever is thrown at the service: an answer with a code and a sentence, never a 5xx, never a stack. */
import { afterAll, describe, expect, it } from 'vitest';
import { API_ERROR_CODES } from '../../shared/errors.ts';
import { sendRaw, startSharedService, type TestAnswer } from '../support/service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const api = await startSharedService();
const chat = await api.createChat();

afterAll(() => {
  expect(api.log).toEqual([]);
});

function expectSound(answer: TestAnswer): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.headers['x-request-id']).toBeTruthy();
  expect(answer.text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts:\d|FST_ERR/);
  if (answer.status >= 400 && answer.text !== '') {
    expect(API_ERROR_CODES).toContain(answer.error().code);
    expect(answer.error().message).toMatch(/^["A-Z].*\.$/);
  }
}

const sendBody = (body: string | Buffer, path = `/api/v1/chats/${chat.id}/messages`): Promise<TestAnswer> =>
  api.request({ method: 'POST', path, body, headers: JSON_TYPE });

describe('odd JSON', () => {
  it.each([
    ['lists 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['lists 500,000 deep that never close', '['.repeat(500_000)],
    ['objects 100,000 deep', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
    ['a field 100,000 lists deep', `{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a mode 100,000 lists deep', `{"content":"hi","mode":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['100,000 fields', `{${Array.from({ length: 80_000 }, (_, n) => `"f${n}":1`).join(',')}}`],
    ['a key of a megabyte', `{"${'k'.repeat(1_000_000)}":1}`],
    ['a number of a megabyte', `{"content":${'9'.repeat(1_000_000)}}`],
    ['1e999999', '{"content":1e999999}'],
    ['a megabyte of text', JSON.stringify({ content: 'x'.repeat(1_000_000) })],
    ['a megabyte of white space', JSON.stringify({ content: ' '.repeat(1_000_000) })],
    ['a megabyte of agent type', JSON.stringify({ content: 'hi', mode: 'a'.repeat(1_000_000) })],
    ['a long workspace', JSON.stringify({ content: 'hi', workspaceId: 'w'.repeat(1_000_000) })],
    ['an odd workspace', '{"content":"hi","workspaceId":"\\u0000\\ud800"}'],
  ])('%s is refused', async (_name, body) => {
    const answer = await sendBody(body);
    expectSound(answer);
    expect([400, 403]).toContain(answer.status);
    expectSound(await sendBody(body, '/api/v1/chats'));
    expect(await api.messages(chat.id)).toEqual([]);
  });

  it.each([
    ['__proto__', '{"content":"hi","__proto__":{"mode":"turbo","admin":true}}'],
    ['constructor', '{"content":"hi","constructor":{"prototype":{"x":1}}}'],
    ['names of methods', '{"content":"hi","toString":1,"hasOwnProperty":2,"valueOf":null}'],
    ['the same field twice: the last counts', '{"content":5,"content":"hi"}'],
    ['a deep field nobody asked for', `{"content":"hi","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['escapes', '{"\\u0063ontent":"h\\u0069"}'],
  ])('%s does no harm', async (_name, body) => {
    const own = await api.createChat();
    const answer = await sendBody(body, `/api/v1/chats/${own.id}/messages`);
    expect(answer.status).toBe(200);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect((await api.messages(own.id))[0]).toMatchObject({ content: 'hi', mode: 'agent' });
  });

  it('__proto__ alone is not a body with a content', async () => {
    expect((await sendBody('{"__proto__":{"content":"hi"}}')).error().code).toBe('invalid_request');
  });

  it('every wrong type in every field is a 400', async () => {
    const values = ['null', 'true', 'false', '0', '-1', '1.5', '[]', '{}', '[""]', '{"content":"hi"}'];
    for (const value of values) {
      for (const body of [
        `{"content":${value}}`,
        `{"content":"hi","mode":${value}}`,
        `{"content":"hi","workspaceId":${value}}`,
      ]) {
        const answer = await sendBody(body);
        // A field that may be absent may be null.
        expect([body, answer.status]).toEqual([body, /"(?:mode|workspaceId)":null/.test(body) ? 200 : 400]);
        expectSound(answer);
      }
      const answer = await sendBody(`{"agentType":${value}}`, '/api/v1/chats');
      expect([value, answer.status]).toEqual([value, value === 'null' ? 201 : 400]);
    }
  });
});

describe('odd ids', () => {
  it.each([
    '%00',
    '%20',
    '..',
    '.',
    '%2e%2e',
    '%2e%2e%2f',
    '%2f',
    '%5c',
    '%252e',
    '%F0%9F%92%A9',
    '%E2%80%AE',
    '%EF%BF%BF',
    "'%20OR%201=1--",
    '*',
    '%25',
    'null',
    'undefined',
    'NaN',
    '-1',
    '0',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(8_000),
    '%0d%0aX-Injected:1',
    'a;b',
    'a,b',
    'a&b',
    '()',
    '$%7Bjndi%7D',
    '%C3%A9',
    'chats',
    'messages',
    '%EF%BB%BF',
    '+',
    '~',
    '|',
  ])('%s is a chat that is not there', async (id) => {
    for (const [method, path] of [
      ['GET', `/api/v1/chats/${id}`],
      ['GET', `/api/v1/chats/${id}/messages`],
      ['POST', `/api/v1/chats/${id}/messages`],
      ['POST', `/api/v1/chats/${id}/stop`],
    ] as const) {
      const answer = await api.request({
        method,
        path,
        ...(method === 'POST' ? { json: { content: 'hi' } } : {}),
      });
      expect([path.slice(0, 100), answer.status]).toEqual([path.slice(0, 100), 404]);
      expectSound(answer);
    }
    const after = await api.get(`/api/v1/chats/${chat.id}/messages?after=${id}`);
    expect([404, 400]).toContain(after.status);
    expectSound(after);
  });

  it.each(['%', '%z', '%zz', '%c3', '%ff', '%e2%82', '%u0041', '%ed%a0%80'])(
    '%s is no address at all',
    async (id) => {
      const answer = await api.get(`/api/v1/chats/${id}`);
      expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
    },
  );

  it('a raw byte, a space or a control in the request line is a 4xx', async () => {
    const { port, apiKey } = api.service;
    for (const id of ['caf\u00e9', 'a b', 'a\tb', '\u0001', '<>', '"', '\\', '^`{}']) {
      const text = await sendRaw(
        port,
        Buffer.from(
          `GET /api/v1/chats/${id} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n\r\n`,
          'latin1',
        ),
      );
      expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(text).toContain('"requestId"');
    }
  });
});

describe('odd queries', () => {
  it.each([
    '?',
    '?&',
    '?=',
    '?&&&=&',
    '?workspaceId',
    '?workspaceId=',
    '?__proto__=1',
    '?__proto__[x]=1',
    '?constructor=1',
    '?page',
    '?%zz=1',
    '?page=%zz',
    '?page=1%00',
    '?a=1&a=2&a=3',
    '?page[]=1',
    '?page=1;pageSize=2',
    `?${'a=1&'.repeat(2_000)}`,
    '?limit=0x10',
    '?after=%00',
    '?after=',
    '?limit=1%0a',
    '?x=%ff',
    '??',
    '?page=１',
    '#x',
  ])('%s is answered soundly', async (query) => {
    for (const path of [
      '/api/v1/chats',
      `/api/v1/chats/${chat.id}`,
      `/api/v1/chats/${chat.id}/messages`,
      '/health',
      '/',
    ]) {
      const answer = await api.get(encodeURI(`${path}${query}`).replaceAll('%25', '%'));
      if (path !== '/') expectSound(answer);
      expect(answer.status).toBeLessThan(500);
    }
  });
});

describe('odd headers', () => {
  it.each([
    [{ 'x-workspace-id': '\u00ff' }],
    [{ 'x-workspace-id': 'x'.repeat(8_000) }],
    [{ 'x-workspace-id': ['a', 'b'] }],
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ 'content-type': ['application/json', 'text/plain'] }],
    [{ 'content-encoding': 'gzip' }],
    [{ accept: 'text/html' }],
    [{ 'accept-version': '2.0.0' }],
    [{ 'accept-encoding': 'x' }],
    [{ 'x-http-method-override': 'DELETE' }],
    [{ 'content-length': '0' }],
    [{ range: 'bytes=0-1' }],
    [{ 'if-none-match': '*' }],
    [{ cookie: 'a=b; __proto__=c' }],
    [{ 'x-forwarded-for': '1.2.3.4', 'x-forwarded-host': 'evil.example' }],
    [{ te: 'trailers' }],
    [{ 'x-request-id': 'mine' }],
    [{ expect: '100-continue' }],
  ])('%j is answered soundly', async (headers) => {
    expectSound(await api.get('/api/v1/chats', { headers }));
    const body = '{"agentType":"odd"}';
    expectSound(
      await api.request({
        method: 'POST',
        path: '/api/v1/chats',
        body,
        headers: { 'content-type': 'application/json', 'content-length': String(body.length), ...headers },
      }),
    );
  });
});
