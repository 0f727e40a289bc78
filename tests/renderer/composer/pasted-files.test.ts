import { describe, expect, it } from 'vitest';
import { isTooMuch } from '../../../renderer/composer/pasted-files.ts';

const fill = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
const inLines = (text: string, length: number, all = 99_000): string =>
  `${fill(text, length)}\n`.repeat(Math.floor(all / (length + 1)));

const LATIN = 'The quick brown fox jumps over the lazy dog, and “so” on. ';
const KOREAN = '안녕하세요 이것은 긴 문장입니다 ';
const ARABIC = 'هذا نص عربي طويل يستمر ويستمر حتى نهاية ';
const RUSSIAN = 'Это длинный текст на русском ';
const CHINESE = '这是一个很长的句子，没有任何空格，';

// As a textarea of Chromium took them on two slow cores: those that are pasted less than 200 ms, the others up to seconds.
describe('a paste', () => {
  it.each([
    ['prose on one line', fill(LATIN, 100_000)],
    ['prose', inLines(LATIN, 80)],
    ['code', inLines('  const value = compute(index, "text");', 39)],
    ['2,500 short lines', 'Claim.\n'.repeat(2_500)],
    ['40,000 characters in Chinese', inLines(CHINESE, 300, 40_000)],
    ['30,000 characters in Korean', inLines(KOREAN, 300, 30_000)],
    ['30,000 characters in Arabic', inLines(ARABIC, 60, 30_000)],
    ['30,000 characters in Thai', inLines('ภาษาไทยเป็นภาษาที่สวยงาม', 60, 30_000)],
    ['40,000 characters in Russian', inLines(RUSSIAN, 300, 40_000)],
    ['500 emoji amid words', 'Wave 👋🏽. '.repeat(500)],
    ['2,000 emoji', '🎉'.repeat(2_000)],
  ])('of %s stays text', (_, text) => {
    expect(isTooMuch(text)).toBe(false);
  });

  it.each([
    ['more than a message holds', fill(LATIN, 100_001)],
    ['10,000 lines', 'Claim.\n'.repeat(10_000)],
    ['Chinese in 3,000 lines', inLines(CHINESE, 32)],
    ['Japanese', inLines('これは長いテキストです、まだ続きます。', 60)],
    ['Korean on one line', fill(KOREAN, 30_000)],
    ['Russian on one line', fill(RUSSIAN, 30_000)],
    ['Korean', inLines(KOREAN, 60)],
    ['Arabic', inLines(ARABIC, 47)],
    ['Hindi in long lines', inLines('हिन्दी भाषा में लिखा हुआ ', 3_000)],
    ['a long line in Thai', `A\n${'ภาษาไทย'.repeat(2_000)}`],
    ['emoji amid words on one line', fill('A few words of text that stand between, and more, 🎉 ', 100_000)],
    ['flags', inLines('🇪🇺🇩🇪 ', 3_000)],
    ['letters with many marks', fill('Z̸̢̛a̷l̶g̴o̵ ', 100_000)],
    ['bold letters of mathematics on one line', fill('𝐀𝐁𝐂𝒹ℯ ', 100_000)],
  ])('of %s becomes a file', (_, text) => {
    expect(isTooMuch(text)).toBe(true);
  });
});
