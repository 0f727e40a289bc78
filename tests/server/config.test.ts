import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { join, normalize, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  builtPageDir,
  defaultCacheDir,
  defaultDataDir,
  defaultLogDir,
  homeFolder,
  localTimeZone,
} from '../../server/config.ts';
import { NODE } from '../support/platform.ts';

describe('the data folder, unless one is named', () => {
  it.each([
    ['linux', {}, '/home/ada/.local/share/parley'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/parley'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/parley'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/ada/.local/share/parley'],
    ['darwin', { XDG_DATA_HOME: '/data' }, '/home/ada/Library/Application Support/Parley'],
    ['win32', { APPDATA: '/roaming', LOCALAPPDATA: '/local' }, '/local/Parley/Data'],
    ['win32', {}, '/home/ada/AppData/Local/Parley/Data'],
  ] as const)('on %s with %j is %s', (platform, env, expected) => {
    expect(defaultDataDir(env, platform, '/home/ada', () => false)).toBe(normalize(expected));
  });

  it.each([
    [{ APPDATA: '/roaming', LOCALAPPDATA: '/local' }, '/roaming/Parley'],
    [{}, '/home/ada/AppData/Roaming/Parley'],
  ])('on Windows with %j is still %s where an earlier version made it', (env, expected) => {
    const exists = (path: string): boolean => path === normalize(expected);
    expect(defaultDataDir(env, 'win32', '/home/ada', exists)).toBe(normalize(expected));
  });
});

it.skipIf(process.platform === 'win32')('the home folder is a whole path, whatever HOME says', () => {
  const before = process.env['HOME'];
  try {
    process.env['HOME'] = '/home/ada';
    expect(homeFolder()).toBe('/home/ada');
    for (const HOME of ['', 'ada']) {
      process.env['HOME'] = HOME;
      expect(homeFolder()).toBe(userInfo().homedir);
    }
  } finally {
    if (before === undefined) delete process.env['HOME'];
    else process.env['HOME'] = before;
  }
});

describe('the log folder, unless one is named', () => {
  it.each([
    ['linux', {}, '/home/ada/.local/state/parley'],
    ['linux', { XDG_STATE_HOME: '/state' }, '/state/parley'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/ada/.local/state/parley'],
    ['darwin', { XDG_STATE_HOME: '/state' }, '/home/ada/Library/Logs/Parley'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/Parley/Logs'],
    ['win32', {}, '/home/ada/AppData/Local/Parley/Logs'],
  ] as const)('on %s with %j is %s', (platform, env, expected) => {
    expect(defaultLogDir(env, platform, '/home/ada')).toBe(normalize(expected));
  });
});

describe('the cache folder', () => {
  it.each([
    ['linux', {}, '/home/ada/.cache/parley'],
    ['linux', { XDG_CACHE_HOME: '/cache' }, '/cache/parley'],
    ['linux', { XDG_CACHE_HOME: 'relative' }, '/home/ada/.cache/parley'],
    ['darwin', {}, '/home/ada/Library/Caches/Parley'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/Parley/Cache'],
    ['win32', {}, '/home/ada/AppData/Local/Parley/Cache'],
  ] as const)('on %s with %j is %s', (platform, env, expected) => {
    expect(defaultCacheDir(env, platform, '/home/ada')).toBe(normalize(expected));
  });
});

describe('the built page', () => {
  it('is found from the source and from the bundle', () => {
    const root = '/repo';
    const from = (path: string): string => builtPageDir(pathToFileURL(join(root, path)).href);
    expect(from('server/cli.ts')).toBe(resolve('/repo/out/renderer'));
    expect(from('out/main/cli.js')).toBe(resolve('/repo/out/renderer'));
  });
});

describe('the time zone', () => {
  it('is an IANA name', () => {
    expect(() => new Intl.DateTimeFormat('en', { timeZone: localTimeZone() })).not.toThrow();
  });

  it('is another one within a minute after the computer’s was changed', () => {
    // Only a process has an environment that Node follows.
    const config = JSON.stringify(pathToFileURL(resolve('server/config.ts')).href);
    const program = `import { localTimeZone } from ${config};
      let now = 0;
      performance.now = () => (now += 60_000);
      for (process.env.TZ of ['Asia/Tokyo', 'America/New_York']) console.log(localTimeZone());`;
    const reported = execFileSync(NODE, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    expect(reported).toBe('Asia/Tokyo\nAmerica/New_York\n');
  });
});
