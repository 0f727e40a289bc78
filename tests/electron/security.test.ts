import { EventEmitter } from 'node:events';
import type { App, Session } from 'electron';
import { expect, it, vi } from 'vitest';
import { setupSecurity } from '../../electron/security.ts';

const ORIGIN = 'http://127.0.0.1:4141';

function setUp(app = new EventEmitter(), notices: string[] = [], ends = new EventEmitter()) {
  const session = Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: vi.fn(),
    setPermissionCheckHandler: vi.fn(),
    setDevicePermissionHandler: vi.fn(),
  });
  setupSecurity({
    app: app as unknown as App,
    session: session as unknown as Session,
    origin: ORIGIN,
    openExternal: async () => undefined,
    notify: (text) => notices.push(text),
    log: () => undefined,
  });
  return (url: string) => {
    const preventDefault = vi.fn();
    const setSaveDialogOptions = vi.fn();
    const once = ends.once.bind(ends);
    const item = { getURL: () => url, getFilename: () => 'Rent.md', setSaveDialogOptions, once };
    session.emit('will-download', { preventDefault }, item);
    return { isRefused: preventDefault.mock.calls.length > 0, options: setSaveDialogOptions.mock.calls };
  };
}

it('has what the page saves asked about by its name, not by an address of the page’s own', () => {
  const download = setUp();
  expect(download(`blob:${ORIGIN}/0e6b-1`)).toEqual({
    isRefused: false,
    options: [[{ title: 'Save Rent.md' }]],
  });
  expect(download(`${ORIGIN}/api/v1/export`).isRefused).toBe(false);
});

it('says when something was not saved, unless the person cancelled it', () => {
  const [notices, ends]: [string[], EventEmitter] = [[], new EventEmitter()];
  const download = setUp(new EventEmitter(), notices, ends);
  for (const state of ['completed', 'cancelled', 'interrupted']) {
    download(`blob:${ORIGIN}/0e6b-1`);
    ends.emit('done', {}, state);
    expect(notices).toHaveLength(state === 'interrupted' ? 1 : 0);
  }
  expect(notices[0]).toContain('Rent.md was not saved');
});

it.each([
  'https://example.org/a.exe',
  'blob:https://example.org/1',
  'data:text/plain,x',
  'file:///etc/passwd',
])('saves nothing from %s', (url) => {
  expect(setUp()(url)).toEqual({ isRefused: true, options: [] });
});

it.each([
  [`${ORIGIN}/sealed/frame.html`, true],
  ['about:srcdoc', true],
  [`blob:${ORIGIN}/0e6b-1`, true],
  ['chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/57cd693d', true],
  ['chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehja/', false],
  ['blob:https://example.org/1', false],
  ['https://example.org/', false],
  ['data:text/html,x', false],
])('a frame of the page goes to %s: %s', (url, isAllowed) => {
  const app = new EventEmitter();
  setUp(app);
  const contents = Object.assign(new EventEmitter(), { setWindowOpenHandler: vi.fn() });
  app.emit('web-contents-created', {}, contents);
  const preventDefault = vi.fn();
  contents.emit('will-frame-navigate', { url, isMainFrame: false, preventDefault });
  expect(preventDefault.mock.calls.length === 0).toBe(isAllowed);
});

it.each([
  [`${ORIGIN}/`, true],
  [`${ORIGIN}/#/chats/c1`, true],
  [`${ORIGIN}/health`, false],
  [`${ORIGIN}/docs`, false],
  [`${ORIGIN}/api/v1/chats`, false],
  [`blob:${ORIGIN}/0e6b-1`, false],
  ['about:blank', false],
  ['http://localhost:4141/', false],
])('a window shows %s: %s', (url, isAllowed) => {
  const app = new EventEmitter();
  setUp(app);
  const contents = Object.assign(new EventEmitter(), { setWindowOpenHandler: vi.fn() });
  app.emit('web-contents-created', {}, contents);
  const preventDefault = vi.fn();
  contents.emit('will-navigate', { url, preventDefault });
  expect(preventDefault.mock.calls.length === 0).toBe(isAllowed);
});
