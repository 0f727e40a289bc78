import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { tokensOf, type Act, type ScriptPart } from '../../../../server/models/rehearsal/acts.ts';
import { ScriptError } from '../../../../server/models/rehearsal/directives.ts';
import { SAMPLE_SCRIPT } from '../../../../server/models/rehearsal/sample.ts';
import { findScript, readScript } from '../../../../server/models/rehearsal/script.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const partsOf = (...lines: string[]): ScriptPart[] => readScript(lines.join('\n'));
const actsOf = (...lines: string[]): Act[] => partsOf(...lines)[0]?.rounds.flat() ?? [];
const text = (written: string, tokensPerSecond = 40): Act => ({
  act: 'write',
  as: 'text',
  text: written,
  tokensPerSecond,
});

/** What is wrong with a script; null when nothing is. */
function troubleIn(...lines: string[]): string | null {
  try {
    partsOf(...lines);
    return null;
  } catch (error) {
    if (error instanceof ScriptError) return error.message;
    throw error;
  }
}

describe('a script', () => {
  it('is Markdown that is written as it stands', () => {
    const markdown = ['# Title', '', '| a | b |', '|---|---|', '', '    code', '::: note', ' ::pause 2s'];
    expect(actsOf(...markdown)).toEqual([text(markdown.join('\n'))]);
  });

  it('has a part for each message, apart from those in which nothing happens', () => {
    const parts = partsOf('one', '---', '', '::speed 5', '---  ', 'two', '---');
    expect(parts.map(({ rounds }) => rounds)).toEqual([[[text('one')]], [[text('two', 5)]]]);
  });

  it('takes a line with a backslash before its mark as text', () => {
    expect(actsOf('\\::pause 1s', '\\---', '\\\\::x', '\\* not a list')).toEqual([
      text('::pause 1s\n---\n\\\\::x\n\\* not a list'),
    ]);
  });

  it('leaves out blank lines at the edges of a round, and keeps those within', () => {
    expect(partsOf('', 'a', '', '::pause 1s', '', 'b', '', '::tool t', '', 'c', '')[0]?.rounds).toEqual([
      [text('a\n\n'), { act: 'pause', ms: 1000 }, text('\nb'), { act: 'call', tool: 't', input: {} }],
      [text('c')],
    ]);
  });

  it('reads the sample that ships with the app', () => {
    const parts = readScript(SAMPLE_SCRIPT);
    const acts = parts.map(({ rounds }) => new Set(rounds.flat().map(({ act }) => act)));
    expect(acts).toEqual([
      new Set(['write', 'pause']),
      new Set(['write', 'call']),
      new Set(['write', 'call']),
      new Set(['write', 'pause']),
    ]);
    // The script that the last part shows works, too.
    const shown = parts[3]?.rounds
      .flat()
      .map((act) => (act.act === 'write' ? act.text : ''))
      .join('');
    expect(readScript(findScript(shown ?? '') ?? '')).toHaveLength(2);
  });
});

describe('directives', () => {
  it('set the speed from there on', () => {
    expect(actsOf('::speed 5', 'a', '::speed max', 'b')).toEqual([text('a\n', 5), text('b', Infinity)]);
  });

  it('make reasoning of the lines up to ::end', () => {
    expect(actsOf('::think', '', 'Hm.', '', '::end', 'a')).toEqual([
      { act: 'write', as: 'reasoning', text: 'Hm.', tokensPerSecond: 40 },
      text('a'),
    ]);
  });

  it('call tools: at once when they follow each other, else in rounds', () => {
    const call = (tool: string, input = {}) => ({ act: 'call', tool, input });
    const parts = partsOf('::tool a {"b": [1]}', '', '::tool c', 'text', '::tool d  { }', '::pause 1s');
    expect(parts[0]?.rounds).toEqual([
      [call('a', { b: [1] }), call('c')],
      [text('text'), call('d')],
      [{ act: 'pause', ms: 1000 }],
    ]);
  });

  it('fail in words, with a code of their own or that of a model that failed', () => {
    const fail = (code: string, message: string) => [{ act: 'fail', code, message }];
    expect(actsOf('::fail We ran out of luck')).toEqual(fail('model_failed', 'We ran out of luck'));
    expect(actsOf('::fail model_overloaded Too busy.')).toEqual(fail('model_overloaded', 'Too busy.'));
  });

  it('end a part early', () => {
    expect(actsOf('a', '::cut', '')).toEqual([text('a'), { act: 'cut' }]);
    expect(actsOf('::stall')).toEqual([{ act: 'stall' }]);
    expect(actsOf('::length', '---', 'b')).toEqual([{ act: 'length' }]);
  });

  it('tell of tokens', () => {
    expect(partsOf('a', '::usage 120 40')[0]?.usage).toEqual({ inputTokens: 120, outputTokens: 40 });
    expect(partsOf('a')[0]?.usage).toBeNull();
  });

  it('pause for seconds or milliseconds', () => {
    expect(actsOf('::pause 1.5s', '::pause 20ms')).toEqual([
      { act: 'pause', ms: 1500 },
      { act: 'pause', ms: 20 },
    ]);
  });
});

test.each([
  ['Line 2 of the script: there is no directive “::sleep”', ['a', '::sleep 2']],
  ['Line 1 of the script: there is no directive “::constructor”', ['::constructor']],
  ['Line 1 of the script: “::speed” takes', ['::speed 0']],
  ['Line 1 of the script: “::speed” takes', ['::speed 10001']],
  ['Line 1 of the script: “::speed” takes', ['::speed fast']],
  ['Line 1 of the script: “::pause” takes', ['::pause']],
  ['Line 1 of the script: “::pause” takes', ['::pause 31s']],
  ['Line 1 of the script: “::pause” takes', ['::pause 2 minutes']],
  ['Line 3 of the script: “::think” has no “::end”', ['a', '', '::think', 'b', '---', '::end']],
  ['Line 2 of the script: “::think” of line 1 is still open', ['::think', '::think']],
  ['Line 1 of the script: there is no “::think”', ['::end']],
  ['Line 1 of the script: “::stall” stands alone', ['::stall 3s']],
  ['Line 2 of the script: a tool can’t be called inside', ['::think', '::tool a', '::end']],
  ['Line 1 of the script: “::tool” takes', ['::tool']],
  ['Line 1 of the script: what follows the tool’s name must be a JSON object', ['::tool a [1]']],
  ['Line 1 of the script: what follows the tool’s name must be a JSON object', ['::tool a {"b":']],
  ['Line 21 of the script: at most 20 tools', Array.from({ length: 21 }, () => '::tool a')],
  ['Line 1 of the script: “::usage” takes', ['::usage 12']],
  ['Line 1 of the script: “::usage” takes', ['::usage 1 2 3']],
  ['Line 1 of the script: “::usage” takes', ['::usage -1 2']],
  ['Line 1 of the script: “::fail” takes', ['::fail']],
  ['Line 1 of the script: “::fail” takes', ['::fail timed_out']],
  ['Line 1 of the script: “::fail” takes', [`::fail ${'x'.repeat(1001)}`]],
  ['Line 3 of the script: nothing comes after “::stall”', ['::stall', '', 'more']],
  ['Line 2 of the script: nothing comes after “::fail”', ['::fail no', '::pause 1s']],
  ['Line 1 of the script: “::approve” takes', ['::approve']],
  ['Line 1 of the script: “::approve” takes', [`::approve ${'x'.repeat(1001)}`]],
  ['Line 2 of the script: approval can’t be asked for inside', ['::think', '::approve it', '::end']],
  ['There is nothing in the script.', ['', '---', '::speed 3']],
])('says what is wrong, and where: %s', (trouble, lines) => {
  expect(troubleIn(...lines)).toContain(trouble);
});

const LINES = (
  '::speed 40|::speed max|::pause 2s|::think|::end|::tool calculate {"a":1}|::fail no|::stall|::cut|::length|::usage 1 2|' +
  '::approve|---|\\---|\\::end|::|::x|```|| text | 😀 \t\u0000|::tool|::speed'
).split('|');
const line = fc.oneof(fc.constantFrom(...LINES), fc.string({ maxLength: 40, unit: anyCharacter }));

test('any text is a script, or is refused in words', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const trouble = troubleIn(...lines);
      if (trouble !== null) {
        expect(trouble).toMatch(/^(Line \d+ of the script: .+|There is nothing in the script)\.$/);
        return;
      }
      for (const { rounds } of partsOf(...lines)) {
        expect(rounds.flat().length).toBeGreaterThan(0);
        for (const round of rounds) {
          const firstCall = round.findIndex(({ act }) => act === 'call');
          if (firstCall >= 0) expect(round.slice(firstCall).every(({ act }) => act === 'call')).toBe(true);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('tokens put together are the text, and no character is cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (written) => {
      const tokens = tokensOf(written);
      expect(tokens.join('')).toBe(written);
      expect(tokens.every((token) => token.isWellFormed())).toBe(true);
    }),
  );
  expect(tokensOf('To be,  or extraordinarily so.\n')).toEqual([
    'To',
    ' be,',
    '  or',
    ' extraordinar',
    'ily',
    ' so.',
    '\n',
  ]);
});

describe('the script of a message', () => {
  it.each([
    ['Play this:\n```rehearsal\na\n\nb\n```\nthanks', 'a\n\nb'],
    ['````rehearsal\r\n```ts\r\nx\r\n```\r\n````', '```ts\nx\n```'],
    ['~~~ rehearsal \n```\n~~~~', '```'],
    ['```rehearsal\nnever closed', 'never closed'],
    ['```rehearsal\none\n```\n```rehearsal\ntwo\n```', 'one'],
    ['```rehearsal\n```', ''],
  ])('stands in its first fenced block of that name: %j', (message, script) => {
    expect(findScript(message)).toBe(script);
  });

  it.each(['hello', '```js\nx\n```', 'a ```rehearsal b', '``rehearsal\nx\n``', '    ```rehearsal\n    x'])(
    'is not there otherwise: %j',
    (message) => {
      expect(findScript(message)).toBeNull();
    },
  );
});
