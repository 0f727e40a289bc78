import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultDataDir } from '../../../server/config.ts';
import { serveCommand } from '../../../server/routes/page.ts';
import { createTempDir, startTestService, type TestService } from '../../support/service.ts';

async function startWithPage(): Promise<TestService> {
  const parent = await createTempDir();
  const pageDir = join(parent, 'renderer');
  await mkdir(join(pageDir, 'assets'), { recursive: true });
  await writeFile(join(parent, 'secret.txt'), 'secret');
  await writeFile(join(pageDir, '.env'), 'secret');
  await writeFile(join(pageDir, 'index.html'), '<!doctype html><title>Parley</title>');
  await writeFile(join(pageDir, 'assets', 'index-abc123.js'), 'export {};');
  await writeFile(join(pageDir, 'assets', 'style-abc123.css'), 'body {}');
  await writeFile(join(pageDir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return startTestService({ pageDir });
}

describe('the chat page', () => {
  it('is served without a key, with headers that let nothing else run in it or around it', async () => {
    const api = await startWithPage();
    const answer = await api.get('/', { key: null });
    expect([answer.status, answer.text]).toEqual([200, '<!doctype html><title>Parley</title>']);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-dns-prefetch-control': 'off',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    const policy = String(answer.headers['content-security-policy']);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-src 'self' blob: http://localhost:${api.service.port}`,
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split('; ')).toContain(rule);
    }
    expect(policy).not.toContain('unsafe');
  });

  it('has a frame for what messages describe, which has no origin and reaches nothing but its own scripts', async () => {
    const pageDir = await createTempDir();
    await mkdir(join(pageDir, 'sealed'));
    await writeFile(join(pageDir, 'sealed', 'frame.html'), '<!doctype html>');
    await writeFile(join(pageDir, 'sealed', 'frame.js'), '');
    await writeFile(join(pageDir, 'other.js'), '');
    const api = await startTestService({ pageDir });
    const { port } = api.service;
    const policyAt = async (host: string): Promise<string[]> => {
      const { headers } = await api.get('/sealed/frame.html', { key: null, headers: { host } });
      return String(headers['content-security-policy']).split('; ').sort();
    };
    // By name: WebKit takes nothing to be 'self' in a frame without an origin.
    expect(await policyAt(`localhost:${port}`)).toContain(`script-src http://localhost:${port}`);
    expect(await policyAt(`127.0.0.1:${port}`)).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      'font-src data:',
      "form-action 'none'",
      `frame-ancestors http://127.0.0.1:${port} http://localhost:${port}`,
      'img-src data:',
      'sandbox allow-scripts',
      `script-src http://127.0.0.1:${port}`,
      "style-src 'unsafe-inline'",
    ]);
    const asFrame = async (path: string): Promise<number> =>
      (await api.get(path, { key: null, headers: { origin: 'null' } })).status;
    expect(await asFrame('/sealed/frame.js')).toBe(200);
    expect(await asFrame('/other.js')).toBe(403);
    expect(await asFrame('/sealed/../other.js')).toBe(403);
    expect(await asFrame('/health')).toBe(403);
  });

  it.each([
    ['/assets/index-abc123.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/style-abc123.css?x=1', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/icon.svg', 'image/svg+xml', 'no-cache'],
    ['/index.html', 'text/html; charset=utf-8', 'no-cache'],
  ])('has %s as %s', async (path, type, caching) => {
    const api = await startWithPage();
    const answer = await api.get(path, { key: null });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'cache-control': caching,
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/.env',
    '/assets',
    '/assets/',
    '/assets/missing.js',
    '//secret.txt',
    '/index.html%00',
    '/%00',
    '/~',
    '/assets//index-abc123.js',
    '/Assets/index-abc123.js.bak',
  ])('does not give away %s', async (path) => {
    const api = await startWithPage();
    const answer = await api.get(path, { key: null });
    expect([answer.status, answer.error().code]).toEqual([404, 'not_found']);
    expect(answer.text).not.toContain('secret');
  });

  it('comes with the theme and text size that are set, so that its first paint is right', async () => {
    const pageDir = await createTempDir();
    await writeFile(
      join(pageDir, 'index.html'),
      '<!doctype html><html lang="en"><title>Parley</title></html>',
    );
    const api = await startTestService({ pageDir });
    const page = async (): Promise<string> => (await api.get('/', { key: null })).text;
    expect(await page()).toContain(
      `<html data-theme="system" data-text-size="medium" data-serve-command="${serveCommand(api.service.dataDir)}" lang="en">`,
    );
    await api.request({
      method: 'PATCH',
      path: '/api/v1/settings',
      json: { theme: 'dark', textSize: 'large' },
    });
    expect(await page()).toContain('<html data-theme="dark" data-text-size="large" data-serve-command=');
  });

  it('names the command for a new link of this data folder, in quotes where a shell needs them', () => {
    expect(serveCommand(defaultDataDir())).toBe('npm run serve');
    expect(serveCommand('/srv/parley', 'linux')).toBe('npm run serve -- --data-dir /srv/parley');
    expect(serveCommand("/home/o'hara/my data", 'linux')).toBe(
      String.raw`npm run serve -- --data-dir '/home/o'\''hara/my data'`,
    );
    expect(serveCommand(String.raw`C:\my data`, 'win32')).toBe(
      String.raw`npm run serve -- --data-dir "C:\my data"`,
    );
    expect(serveCommand('E:\\', 'win32')).toBe(String.raw`npm run serve -- --data-dir "E:\\"`);
  });

  it('that is not built says how to build it', async () => {
    const api = await startTestService();
    const answer = await api.get('/', { key: null });
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toContain('npm run build');
  });
});
