import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinCommandLine, splitCommandLine } from '../../../../renderer/settings/tools/command-line.ts';

const partsOf = (line: string): string[] | null => {
  const split = splitCommandLine(line);
  return split && [split.command, ...split.args];
};

test.each<[string, string[] | null]>([
  ['npx -y @example/server', ['npx', '-y', '@example/server']],
  ['  lamp\t--on  ', ['lamp', '--on']],
  ['lamp "My notes" \'two words\'', ['lamp', 'My notes', 'two words']],
  ['lamp --dir="My notes"/deep', ['lamp', '--dir=My notes/deep']],
  ['lamp ""', ['lamp', '']],
  ['lamp My\\ notes', ['lamp', 'My notes']],
  ['lamp "say \\"hi\\""', ['lamp', 'say "hi"']],
  ['C:\\Tools\\lamp.exe C:\\Users\\me', ['C:\\Tools\\lamp.exe', 'C:\\Users\\me']],
  ['"C:\\Program Files\\lamp.exe" --on', ['C:\\Program Files\\lamp.exe', '--on']],
  ['lamp D:\\ E:\\', ['lamp', 'D:\\', 'E:\\']],
  ['lamp "C:\\My Notes\\" --on', ['lamp', 'C:\\My Notes\\', '--on']],
  ['lamp --dir="\\\\nas\\My Notes\\"', ['lamp', '--dir=\\\\nas\\My Notes\\']],
  ["lamp C:\\Users\\O'Brien\\notes 'two words'", ['lamp', "C:\\Users\\O'Brien\\notes", 'two words']],
  ["lamp --dir=C:/Users/O'Brien", ['lamp', "--dir=C:/Users/O'Brien"]],
  [
    'lamp ..\\data\\ %TEMP%\\ ~\\x\\ -rC:\\y\\ /r:C:\\z\\ --on',
    ['lamp', '..\\data\\', '%TEMP%\\', '~\\x\\', '-rC:\\y\\', '/r:C:\\z\\', '--on'],
  ],
  ['lamp "..\\My data\\" "%TEMP%\\My data\\" --on', ['lamp', '..\\My data\\', '%TEMP%\\My data\\', '--on']],
  ['lamp "My notes\\" --on', ['lamp', 'My notes\\', '--on']],
  ['lamp /r:"C:\\My notes\\" --on', ['lamp', '/r:C:\\My notes\\', '--on']],
  ['lamp "src=C:\\My Notes\\",dst=/d', ['lamp', 'src=C:\\My Notes\\,dst=/d']],
  [
    "lamp src=C:\\Users\\O'Brien,dst=C:\\Users\\O'Hara",
    ['lamp', "src=C:\\Users\\O'Brien,dst=C:\\Users\\O'Hara"],
  ],
  ["lamp src=..\\O'Brien 'two words'", ['lamp', "src=..\\O'Brien", 'two words']],
  ['lamp "{\\"dir\\": \\"C:\\\\notes\\"}"', ['lamp', '{"dir": "C:\\\\notes"}']],
  ['lamp -c "print(\'\\n\', \\"hi\\")"', ['lamp', '-c', 'print(\'\\n\', "hi")']],
  ['lamp $HOME *.md', ['lamp', '$HOME', '*.md']],
  ['lamp "never closed', null],
  ['', null],
  ['"" lamp', null],
])('%j is taken apart', (line, parts) => {
  expect(partsOf(line)).toEqual(parts);
});

test('plain words and paths are written without quotes', () => {
  expect(joinCommandLine({ command: 'C:\\lamp.exe', args: ['--on', 'a b', ''] })).toBe(
    "C:\\lamp.exe --on 'a b' ''",
  );
});

test('what is joined comes apart into just the same', () => {
  const part = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '\\', '\t', '$') }),
  );
  fc.assert(
    fc.property(
      part.filter((command) => command.trim() !== ''),
      fc.array(part),
      (command, args) => {
        expect(splitCommandLine(joinCommandLine({ command, args }))).toEqual({ command, args });
      },
    ),
  );
});
