import { describe, expect, it } from 'vitest';
import { commandOf, readArguments } from '../../electron/arguments.ts';

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

  it('begin with a command that is run in place of the app, or with the wish to serve without a window', () => {
    expect(commandOf(['ask', 'What?', '--json'])).toEqual(['ask', 'What?', '--json']);
    for (const argv of [[], ['--hidden'], ['parley://chat/1'], ['/home/me/a.txt'], ['serve', '--port', '0']])
      expect(commandOf(argv)).toBeNull();
    expect(readArguments(['serve', '--port', '4200'])).toEqual({ ...NONE, hidden: true, port: 4200 });
  });

  it.each([['--port', 'x'], ['--port', '70000'], ['--port'], ['--port=-1'], ['--data-dir'], ['--data-dir=']])(
    'that make no sense are told in words: %j',
    (...argv) => {
      expect(() => readArguments(argv)).toThrow(/^--(port|data-dir) takes/);
    },
  );
});
