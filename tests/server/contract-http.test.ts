import { describe, expect, it } from 'vitest';
import { updateSetting } from '../../server/store/settings-repository.ts';
import { sendRaw, startSharedService, type TestAnswer } from '../support/service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const api = await startSharedService();

function expectError(answer: TestAnswer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['x-request-id']).toMatch(/^req-/);
  const body = answer.json<{ error: Record<string, unknown> }>();
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toMatchObject({ code, requestId: answer.headers['x-request-id'] });
  expect(body.error['message']).toMatch(/^["A-Z].+[.]$/);
}

describe('X-Request-Id', () => {
  it('is on every answer and never the same twice', async () => {
    const answers = await Promise.all([
      api.get('/health', { key: null }),
      api.get('/', { key: null }),
      api.get('/api/v1/chats'),
      api.get('/api/v1/chats', { key: null }),
      api.get('/api/v1/nowhere'),
      api.get('/nowhere'),
      api.get('/%zz'),
      api.post('/api/v1/chats', { agentType: 1 }),
      api.get('/api/v1/chats', { headers: { host: 'evil.example' } }),
      api.request({ method: 'HEAD', path: '/api/v1/chats' }),
    ]);
    const ids = answers.map(({ headers }) => headers['x-request-id']);
    expect(ids.every((id) => typeof id === 'string' && id.length > 8)).toBe(true);
    expect(new Set(ids).size).toBe(answers.length);
  });
});

describe('errors have one shape', () => {
  it.each([
    ['GET', '/api/v1/nowhere'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v2/chats'],
    ['GET', '/nowhere'],
    ['GET', '/api'],
    ['GET', '/api/v1/chats/x/y/z'],
    ['OPTIONS', '/api/v1/nowhere'],
    ['PROPFIND', '/api/v1/nowhere'],
    ['GET', '/API/V1/chats'],
    ['GET', '//api/v1/chats'],
    ['GET', '/.env'],
    ['GET', '/..%2f..%2fetc/passwd'],
    ['GET', '/api%2Fv1%2Fchats'],
    ['GET', '/assets/../../package.json'],
  ])('404 for %s %s', async (method, path) => {
    expectError(await api.request({ method, path }), 404, 'not_found');
  });

  it.each([
    ['DELETE', '/api/v1/chats', 'GET, HEAD, POST, OPTIONS'],
    ['PUT', '/api/v1/chats/x', 'DELETE, GET, HEAD, PATCH, OPTIONS'],
    ['GET', '/api/v1/chats/x/stop', 'POST, OPTIONS'],
    ['HEAD', '/api/v1/session?x=1', 'POST, OPTIONS'],
    ['PUT', '/api/v1/keys/%6Cocal', 'DELETE, GET, HEAD, PATCH, OPTIONS'],
    ['PUT', '/api/v1/chats/x%2fy', 'DELETE, GET, HEAD, PATCH, OPTIONS'],
    ['TRACE', '/api/v1/chats', 'GET, HEAD, POST, OPTIONS'],
    ['PROPFIND', '/api/v1/chats', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
  ])('405 for %s %s, with the methods that it takes', async (method, path, allow) => {
    const answer = await api.request({ method, path, ...(method === 'POST' && { body: '{' }) });
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    if (method === 'HEAD') return;
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.error().message).toContain(`Use one of ${allow}`);
  });

  it('204 for OPTIONS, with the methods that an address takes', async () => {
    const answer = await api.request({ method: 'OPTIONS', path: '/api/v1/chats' });
    expect([answer.status, answer.text, answer.headers.allow]).toEqual([204, '', 'GET, HEAD, POST, OPTIONS']);
    const open = await api.request({ method: 'OPTIONS', path: '/health', key: null });
    expect([open.status, open.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('404 for an unknown address whatever the body', async () => {
    expectError(
      await api.request({ method: 'POST', path: '/api/v1/nowhere', body: '{', headers: JSON_TYPE }),
      404,
      'not_found',
    );
  });

  it.each([
    ['cut short', '{"agentType":'],
    ['not JSON', 'agentType'],
    ['single quotes', "{'a':1}"],
    ['a trailing comma', '{"a":1,}'],
    ['two values', '{}{}'],
    ['NaN', '{"a":NaN}'],
    ['a NUL', '\0'],
    ['white space alone', '  '],
    ['a comment', '{/**/}'],
  ])('400 for malformed JSON: %s', async (_name, body) => {
    expectError(
      await api.request({ method: 'POST', path: '/api/v1/chats', body, headers: JSON_TYPE }),
      400,
      'invalid_json',
    );
  });

  it.each([
    ['a byte that starts nothing', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['Latin-1', Buffer.from('{"a":"café"}', 'latin1')],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['half a surrogate pair in CESU-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a character cut off', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
    ['UTF-16', Buffer.from('\ufeff{"a":"b"}', 'utf16le')],
  ])('400 for broken UTF-8: %s', async (_name, body) => {
    const answer = await api.request({ method: 'POST', path: '/api/v1/chats', body, headers: JSON_TYPE });
    expectError(answer, 400, 'invalid_json');
    expect(answer.error().message).toContain('UTF-8');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/json',
    'application/jsonp',
    'json',
    '????',
    'application/',
    '/',
    ';',
    'application/octet-stream',
    'application/json5',
  ])('415 for a body that is %s', async (type) => {
    expectError(
      await api.request({
        method: 'POST',
        path: '/api/v1/chats',
        body: '{}',
        headers: { 'content-type': type },
      }),
      415,
      'unsupported_media_type',
    );
  });

  it('415 for a body without a type', async () => {
    expectError(
      await api.request({ method: 'POST', path: '/api/v1/chats', body: '{}' }),
      415,
      'unsupported_media_type',
    );
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset="UTF-8"',
    'application/vnd.x+json',
  ])('takes %s for JSON', async (type) => {
    const answer = await api.request({
      method: 'POST',
      path: '/api/v1/chats',
      body: '{}',
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(201);
  });

  it('413 for a body over 1 MiB, announced or not, and the connection goes on', async () => {
    const body = JSON.stringify({ agentType: 'x'.repeat(1024 * 1024) });
    expectError(
      await api.request({ method: 'POST', path: '/api/v1/chats', body, headers: JSON_TYPE }),
      413,
      'body_too_large',
    );
    const chunked = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
    expectError(
      await api.request({ method: 'POST', path: '/api/v1/chats', body: body + body, headers: chunked }),
      413,
      'body_too_large',
    );
    expect((await api.get('/health')).status).toBe(200);
  });

  it('lets a client that sends far too much read why, and does not hang up on it', async () => {
    const body = Buffer.alloc(30 * 1024 * 1024, 'x');
    for (const framing of [{}, { 'transfer-encoding': 'chunked' }]) {
      const headers = { ...JSON_TYPE, ...framing };
      const answer = await api.request({ method: 'POST', path: '/api/v1/chats', body, headers });
      expectError(answer, 413, 'body_too_large');
      expect(answer.headers.connection).not.toBe('close');
    }
  });

  it('takes a body of exactly 1 MiB', async () => {
    const body = `{"x":"${'y'.repeat(1024 * 1024 - 8)}"}`;
    expect(Buffer.byteLength(body)).toBe(1024 * 1024);
    const answer = await api.request({ method: 'POST', path: '/api/v1/chats', body, headers: JSON_TYPE });
    expect(answer.status).toBe(201);
  });

  it('tells the first thing that is wrong where it is all of a long list', async () => {
    const chat = await api.createChat();
    const attachments = Array.from({ length: 300_000 }, () => ({}));
    const answer = await api.post(`/api/v1/chats/${chat.id}/messages`, { content: 'x', attachments });
    expectError(answer, 400, 'invalid_request');
    expect(answer.error().message).toBe(
      '"attachments" must be a list of at most 10 files, each { "fileId" } or { "name", "data" }.',
    );
    expect(answer.text.length).toBeLessThan(1_000);
    const stop = {
      content: 'x',
      parameters: {
        stopSequences: [...Array.from({ length: 3 }, () => 'x'), ...Array.from({ length: 300_000 }, () => 1)],
      },
    };
    expect((await api.post(`/api/v1/chats/${chat.id}/messages`, stop)).text.length).toBeLessThan(1_000);
  });

  it('400 for an address that is not properly encoded', async () => {
    expectError(await api.get('/api/v1/chats/%zz'), 400, 'invalid_request');
    expectError(await api.get('/api/v1/chats/%ff'), 400, 'invalid_request');
    expectError(await api.get('/%'), 400, 'invalid_request');
  });
});

describe('the Host header', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', 'LocalHost'])('may be %s with the port', async (name) => {
    const headers = { host: `${name}:${api.service.port}` };
    expect((await api.get('/api/v1/chats', { headers })).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:1',
    '127.0.0.1.evil.example:PORT',
    'localhost.evil.example:PORT',
    '0.0.0.0:PORT',
    '192.168.0.1:PORT',
    'user@127.0.0.1:PORT',
    '127.0.0.1:PORT:PORT',
    '2130706433:PORT',
    'localhost.:PORT',
    '127.0.0.1:0PORT',
  ])('is refused with 421 when it is "%s"', async (name) => {
    const headers = { host: name.replaceAll('PORT', String(api.service.port)) };
    for (const path of ['/api/v1/chats', '/health', '/', '/nowhere']) {
      expectError(await api.get(path, { headers }), 421, 'wrong_host');
    }
  });

  it('is refused with 421 when it is missing, or the request target names another host', async () => {
    const { port, apiKey } = api.service;
    expect(await sendRaw(port, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 421 [^]*wrong_host/,
    );
    expect(await sendRaw(port, 'GET /health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 421 /);
    expect(await sendRaw(port, 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 421 /,
    );
    const absolute = `GET http://evil.example/api/v1/chats HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(port, absolute)).toMatch(/^HTTP\/1\.1 421 /);
    expect(await sendRaw(port, absolute.replace('evil.example', `127.0.0.1:${port}`))).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });
});

describe('web pages of other origins', () => {
  const evil = 'https://evil.example';

  it('are refused, with a key and without one, outside the API too', async () => {
    for (const origin of [
      evil,
      'null',
      'http://127.0.0.1:1',
      `https://127.0.0.1:${api.service.port}`,
      'file://',
      'http://localhost',
    ]) {
      expectError(await api.post('/api/v1/chats', {}, { headers: { origin } }), 403, 'origin_forbidden');
      expectError(await api.get('/health', { key: null, headers: { origin } }), 403, 'origin_forbidden');
    }
  });

  it.each(['/api/v1/chats', '/v1/models', '/mcp'])(
    'get no CORS headers, and a preflight of theirs is told what is missing: %s',
    async (path) => {
      const headers = { origin: evil, 'access-control-request-method': 'POST' };
      const answer = await api.request({ method: 'OPTIONS', path, key: null, headers });
      expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('allowed origins')]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      const withKey = await api.request({ method: 'OPTIONS', path, headers });
      expect([withKey.status, withKey.text]).toEqual([403, expect.stringContaining('allowed origins')]);
    },
  );

  it("does not mean the service's own page", async () => {
    for (const name of ['127.0.0.1', 'localhost']) {
      const headers = { origin: `http://${name}:${api.service.port}` };
      expect((await api.post('/api/v1/chats', {}, { headers })).status).toBe(201);
    }
  });

  it('may call when their origin is on the allow list in the settings', async () => {
    const origin = 'https://friend.example';
    const preflight = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    await api.service.store.write((writer) => updateSetting(writer, 'allowedOrigins', [origin]));
    const allowed = await api.request({
      method: 'OPTIONS',
      path: '/api/v1/chats',
      key: null,
      headers: preflight,
    });
    expect([allowed.status, allowed.text]).toEqual([204, '']);
    expect(allowed.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    expect(allowed.headers['access-control-allow-headers']).toContain('Authorization');
    expect(allowed.headers['x-request-id']).toMatch(/^req-/);
    const sent = await api.post('/api/v1/chats', {}, { headers: { origin } });
    expect([sent.status, sent.headers['access-control-allow-origin']]).toEqual([201, origin]);
    const refused = await api.post('/api/v1/chats', {}, { key: null, headers: { origin } });
    expectError(refused, 401, 'unauthorized');
    expect(refused.headers['access-control-allow-origin']).toBe(origin);
    const rebound = { ...preflight, host: 'evil.example' };
    expectError(
      await api.request({ method: 'OPTIONS', path: '/api/v1/chats', key: null, headers: rebound }),
      421,
      'wrong_host',
    );
    expectError(await api.post('/api/v1/chats', {}, { headers: { origin: evil } }), 403, 'origin_forbidden');
  });
});

describe('GET /health', () => {
  it('tells anyone on this computer that the service is up and its version, nothing else', async () => {
    const answer = await api.get('/health', { key: null });
    expect([answer.status, answer.json()]).toEqual([200, { status: 'ok', version: '0.1.0' }]);
  });
});

describe('what is not HTTP', () => {
  it.each([
    ['garbage', 'hello there\r\n\r\n'],
    [
      'a TLS hello',
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 0x0d, 0x0a]),
    ],
    ['an unknown method', 'FROBNICATE / HTTP/1.1\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length that is no number', 'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\0b\r\n\r\n'],
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
    ['HTTP/9.9', 'GET / HTTP/9.9\r\n\r\n'],
  ])('gets 400 with the usual body: %s', async (_name, bytes) => {
    const text = await sendRaw(api.service.port, bytes);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const { error } = JSON.parse(body) as { error: { code: string; message: string; requestId: string } };
    expect(error.code).toBe('invalid_request');
    expect(head.toLowerCase()).toContain(`x-request-id: ${error.requestId}`);
    expect((await api.get('/health')).status).toBe(200);
  });

  it('gets 400 when chunks are broken off in the middle of a body', async () => {
    const { port, apiKey } = api.service;
    const text = await sendRaw(
      port,
      `POST /api/v1/chats HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\nzz\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('gets 404 for CONNECT and takes an Upgrade for a plain request', async () => {
    const { port } = api.service;
    expect(await sendRaw(port, `CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 404 [^]*not_found/,
    );
    const upgrade = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`;
    expect(await sendRaw(port, upgrade, '"ok"')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('gets an answer whatever it expects', async () => {
    const { port } = api.service;
    const expecting = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nExpect: miracles\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(port, expecting)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
