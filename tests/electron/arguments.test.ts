import { describe, expect, it } from 'vitest';
import {
  asksToHide,
  commandOf,
  hasLongLink,
  readArguments,
  TOO_LONG_LINK,
} from '../../electron/arguments.ts';

const NONE = { dataDir: null, port: null, hidden: false, link: null, selfCheck: null };

describe('arguments', () => {
  it('are none of ours unless they are', () => {
    expect(readArguments([])).toEqual(NONE);
    expect(readArguments(['/opt/app', '--no-sandbox', '--inspect=0', '--enable-features=A,B', 'x'])).toEqual(
      NONE,
    );
  });

  it('name the data folder and the port, in both ways of writing', () => {
    const read = { ...NONE, dataDir: '/data/my parley', port: 4200 };
    expect(readArguments(['.', '--data-dir', '/data/my parley', '--port', '4200'])).toEqual(read);
    expect(readArguments(['.', '--data-dir=/data/my parley', '--port=4200'])).toEqual(read);
    expect(readArguments(['--data-dir=/a=b']).dataDir).toBe('/a=b');
    expect(readArguments(['-psn_0_12345', '--lang', 'de', '/prefetch:1', '--', 'x'])).toEqual(NONE);
  });

  it('hold a link and the wish to stay hidden', () => {
    expect(readArguments(['--self-check']).selfCheck).toBe('table');
    expect(readArguments(['--self-check', '--json']).selfCheck).toBe('json');
    expect(readArguments(['--hidden', 'parley://chat/1'])).toEqual({
      ...NONE,
      hidden: true,
      link: 'parley://chat/1',
    });
  });

  it('name a command that is run in place of the app, or serve hidden', () => {
    expect(commandOf(['ask', 'What?', '--json'], true)).toEqual(['ask', 'What?', '--json']);
    for (const argv of [[], ['--hidden'], ['parley://chat/1'], ['/home/me/a.txt'], ['serve', '--port', '0']])
      expect(commandOf(argv, true)).toBeNull();
    expect(readArguments(['serve', '--port', '4200'])).toEqual({ ...NONE, hidden: true, port: 4200 });
    expect(readArguments(['--data-dir', 'serve'])).toEqual({ ...NONE, dataDir: 'serve' });
  });

  it.each<[string[], string[] | null]>([
    [
      ['--no-sandbox', 'ask', 'Why?'],
      ['ask', 'Why?'],
    ],
    [
      ['--no-sandbox', '--ozone-platform=wayland', 'chats', '--json'],
      ['chats', '--json'],
    ],
    [
      ['--no-sandbox', '--data-dir', '/d', '--port=4', 'status'],
      ['--data-dir', '/d', '--port=4', 'status'],
    ],
    [['--data-dir', 'ask'], null],
    [['--no-sandbox'], null],
    [['--no-sandbox', 'parley://chat/1'], null],
    [['--no-sandbox', 'serve'], null],
  ])('may have switches before the command: %j', (argv, command) => {
    expect(commandOf(argv, true)).toEqual(command);
  });

  it('may have --no-sandbox after the command, where people add it, but not among its words', () => {
    expect(commandOf(['ask', 'Why?', '--no-sandbox', '--json'], true)).toEqual(['ask', 'Why?', '--json']);
    expect(commandOf(['serve', '--port', '0', '--no-sandbox'], false)).toEqual(['serve', '--port', '0']);
    const words = ['ask', '--', 'What', 'is', '--no-sandbox'];
    expect(commandOf(words, true)).toEqual(words);
  });

  it('of another process are understood in any order', () => {
    expect(asksToHide(['/opt/app', '--x', '--hidden', 'parley://new'])).toBe(true);
    expect(asksToHide(['/opt/app', '--port', 'serve', '4200'])).toBe(true);
    expect(asksToHide(['/opt/app', '--hidden=no'])).toBe(false);
  });

  it('that are longer than a running Parley takes are refused: Chromium would kill it', () => {
    const link = (length: number): string => `parley://new?text=${'x'.repeat(length)}`;
    expect(readArguments([link(20_000)]).link).toHaveLength(20_018);
    for (const argv of [[link(30_000)], ['--port', '0', `parley://new?text=${'ß'.repeat(15_000)}`]])
      expect(() => readArguments(argv)).toThrow('too long');
    expect(hasLongLink(['/opt/app', '--hidden', link(30_000)])).toBe(true);
    for (const argv of [[TOO_LONG_LINK, 'x'.repeat(30_000)], [link(20_000)], []])
      expect(hasLongLink(argv)).toBe(false);
  });

  it.each(['--help', '-h', '--version', '-v'])('that only print start no app: %s', (option) => {
    for (const hasDisplay of [true, false]) {
      expect(commandOf([option], hasDisplay)).toEqual([option]);
      expect(commandOf(['--no-sandbox', option, '--disable-gpu'], hasDisplay)).toEqual([option]);
      expect(commandOf(['serve', option], hasDisplay)).toEqual(['serve', option]);
    }
  });

  it('serve in the terminal where there is no display', () => {
    expect(commandOf(['--no-sandbox', 'serve', '--port', '0'], false)).toEqual(['serve', '--port', '0']);
    for (const argv of [[], ['--hidden'], ['--self-check'], ['parley://new']])
      expect(commandOf(argv, false)).toBeNull();
  });

  it.each([['--port', 'x'], ['--port', '70000'], ['--port'], ['--port=-1'], ['--data-dir'], ['--data-dir=']])(
    'that make no sense are told in words: %j',
    (...argv) => {
      expect(() => readArguments(argv)).toThrow(/^--(port|data-dir) takes/);
    },
  );
});
