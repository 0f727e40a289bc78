/** Texts of 100 kB, each of one kind: what a window draws in one go if nothing divides it. */

const LENGTH = 100_000;

/** Pieces one after the other, up to 100 kB. */
function fill(piece: (index: number) => string, before = ''): string {
  const pieces = [before];
  for (let [index, length] = [0, before.length]; length < LENGTH; index += 1) {
    const next = piece(index);
    pieces.push(next);
    length += next.length;
  }
  return pieces.join('');
}

const SENTENCE = 'The quick brown fox jumps over the lazy dog, and then it rests for a while.';
const PROSE = `${SENTENCE} `.repeat(6).trim();
const nested = (mark: (depth: number) => string, depth: number): string =>
  Array.from({ length: depth }, (_, level) => `${mark(level)}Level ${level} of a nest\n`).join('');
const fenced = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\`\n\n`;
const codeLine = (index: number): string =>
  `  const value${index} = await read("file ${index}.txt", { retries: ${index} }); // line ${index}\n`;
const jsonPart = (index: number): string => `{"id":${index},"name":"item${index}","tags":["a","b"]},`;

export const LONG_TEXTS: Readonly<Record<string, string>> = {
  paragraphs: fill(() => `${PROSE}\n\n`),
  'one paragraph': fill(() => `${SENTENCE} `),
  'one paragraph with marks': fill(
    (index) => `Some **bold ${index}**, *slanted*, \`code ${index}\` and ~~deleted~~ words. `,
  ),
  'a paragraph of lines': fill((index) => `Line ${index}: ${SENTENCE}\n`),
  'short paragraphs': fill((index) => `Paragraph ${index}.\n\n`),
  'one word': 'a'.repeat(LENGTH),
  JSON: fill(jsonPart, '['),
  'JSON as code': fenced('json', fill(jsonPart, '[')),
  Chinese: fill(() => '敏捷的棕色狐狸跳过了懒狗，然后休息了一会儿。'),
  'Chinese formulas': fill((index) => `其中$x_{${index}}$是变量，`),
  'Chinese emphasis': fill((index) => `**注意${index}：**正文。`),
  Arabic: fill(() => 'القافلة تسير والكلاب تنبح في كل مكان. \n\n'),
  emoji: fill(() => 'Family 👩‍👩‍👧, flag 🇪🇺, wave 👋🏽. '),
  'paragraphs with formulas': fill(
    (index) => `Let $x_{${index}} \\in X$ and $\\alpha_{${index}} > 0$. ${index % 20 === 19 ? '\n\n' : ''}`,
  ),
  'a list with formulas': fill((index) => `- Item ${index}: $x_{${index}}^2 + y^2 = ${index}$\n`),
  'displayed formulas': fill((index) => `$$\\int_0^{${index}} x^2 \\, dx = \\frac{${index}^3}{3}$$\n\n`),
  tables: fill(
    (index) => `| Name | Value |\n|---|---|\n| a${index} | ${index} |\n| b${index} | ${index} |\n\n`,
  ),
  'one table': fill(
    (index) => `| Row ${index} | ${SENTENCE} | ${index} | ok |\n`,
    '| Name | Text | Value | State |\n|---|---|--:|---|\n',
  ),
  'a table of short cells': fill((index) => `| a${index} | b |\n`, '| A | B |\n|---|---|\n').slice(0, 70_000),
  'a wide table': fill(
    (index) => `|${Array.from({ length: 80 }, (_, at) => ` c${index}.${at} |`).join('')}\n`,
    `|${' head |'.repeat(80)}\n|${'---|'.repeat(80)}\n`,
  ),
  quotes: fill((index) => `> Quote ${index}: ${SENTENCE}\n\n`),
  'one quote': fill((index) => `> Part ${index}: ${SENTENCE}\n>\n`),
  'nested quotes': fill(() => `${nested((level) => `${'>'.repeat(level + 1)} `, 12)}\n`),
  'one list': fill((index) => `- Item ${index}\n`),
  'a numbered list': fill((index) => `${index + 1}. **Term ${index}:** \`code\` that explains it.\n`),
  'a list of paragraphs': fill((index) => `${index + 1}. Item ${index}: ${SENTENCE}\n\n   More of it.\n\n`),
  'a list of tasks': fill((index) => `- [${index % 2 === 0 ? 'x' : ' '}] Task **${index}**\n`),
  'nested lists': fill(() => nested((level) => `${'  '.repeat(level)}- `, 12)),
  'one block of code': fenced('js', fill(codeLine)),
  'blocks of code': fill((index) => fenced('js', codeLine(index).repeat(8))),
  'short blocks of code': fill((index) => fenced('sh', `echo ${index}`)),
  links: fill((index) => `[Link ${index}](https://example.com/${index}) and https://example.com/b/${index} `),
  'links by reference':
    fill((index) => `See [this][${index % 50}]. `) +
    Array.from({ length: 50 }, (_, index) => `\n\n[${index}]: https://example.com/${index}`).join(''),
  footnotes: fill((index) => `Claim ${index}.[^${index}]\n\n[^${index}]: Note ${index}.\n\n`),
  headings: fill((index) => `${'#'.repeat((index % 4) + 1)} Heading ${index}\n\n`),
  details: fill((index) => `<details>\n<summary>Part ${index}</summary>\n\n${SENTENCE}\n\n</details>\n\n`),
  'tags as text': fill((index) => `<div class="x${index}"><span>${index}</span></div>\n`),
  pictures: fill((index) => `![Picture ${index}](https://example.com/${index}.png) `),
  'all of it': fill((index) =>
    [
      `## Part ${index}\n\n${PROSE}\n\n`,
      `- One **bold**\n- Two\n  - Three with $x_{${index}}$\n\n`,
      `| A | B |\n|---|---|\n| ${index} | \`code\` |\n\n`,
      fenced('js', codeLine(index).repeat(5)),
      `> Quote with [a link](https://example.com/${index})\n\n`,
    ].join(''),
  ),
};
