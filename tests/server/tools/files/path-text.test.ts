import { describe, expect, it } from 'vitest';
import { pathNames, requirePlainName } from '../../../../server/tools/files/path-text.ts';

describe('on Windows', () => {
  it.each([
    'Notes\\todo.md:stream',
    'Notes/todo.md::$DATA',
    'Notes/C:/x',
    'Notes/con',
    'Notes/NUL.txt',
    'Notes/com1 .txt',
    'Notes/LPT9',
    'Notes/com¹',
    'Notes/aux.tar.gz/x',
    'Notes/CONIN$',
    'Notes/todo.md.',
    'Notes/todo.md ',
    'Notes/. ./x',
    'Notes/.../x',
    'Notes/a|b',
    'Notes/a*',
    'Notes/a\u0007b',
  ])('%j is refused', (path) => {
    expect(() => pathNames(path, 'win32')).toThrow('is not a valid file name on Windows');
  });

  it.each(['\\\\server\\share\\x', '//server/share/x', '\\\\?\\C:\\x', '\\\\.\\PhysicalDrive0'])(
    '%j is refused',
    (path) => {
      expect(() => pathNames(path, 'win32')).toThrow('other computers');
    },
  );

  it.each(['Notes\\..\\x', 'Notes/..\\x', 'C:\\Users\\..\\x', '..'])('%j climbs', (path) => {
    expect(() => pathNames(path, 'win32')).toThrow('contains “..”');
  });

  it('ordinary paths pass, with either slash', () => {
    expect(pathNames('Notes\\sub/todo.md', 'win32')).toEqual(['Notes', 'sub', 'todo.md']);
    expect(pathNames('C:\\Users\\Ana\\todo.md', 'win32')).toEqual(['C:', 'Users', 'Ana', 'todo.md']);
    expect(pathNames('Notes/console.txt/.env/com10', 'win32')).toHaveLength(4);
  });

  it('names are as long as Windows allows', () => {
    expect(pathNames(`Notes/${'n'.repeat(255)}`, 'win32')).toHaveLength(2);
    expect(() => pathNames(`Notes/${'n'.repeat(256)}`, 'win32')).toThrow('is too long');
  });
});

it('elsewhere such names are names like others', () => {
  expect(pathNames('Notes/con:x/a\\..\\b ', 'linux')).toEqual(['Notes', 'con:x', 'a\\..\\b ']);
  expect(pathNames('/home//ana/./x/', 'linux')).toEqual(['home', 'ana', 'x']);
});

it.each(['a\nb', 'a\u202etxt.exe', 'a\u200fb', 'a\u0000', 'a\u001b[2J'])(
  'a new name may not show as something else: %j',
  (name) => {
    expect(() => requirePlainName(name)).toThrow('invisible characters');
  },
);

it('new names in any language are plain', () => {
  for (const name of ['übung – 日本 👩‍💻.md', 'a b', "it's"])
    expect(() => requirePlainName(name)).not.toThrow();
});
