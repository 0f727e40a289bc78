/** What of a DOCX the library that reads it leaves out, as what it reads: formulas as TeX, results of fields, words with their reading above, headers and footers. */

/** Elements of formulas, as what stands before and after their contents. Of others, only the contents stay. */
const TEX: Record<string, readonly [before: string, after: string]> = {
  f: ['\\frac', ''],
  num: ['{', '}'],
  den: ['{', '}'],
  e: ['{', '}'],
  rad: ['\\sqrt', ''],
  deg: ['[', ']'],
  bar: ['\\overline', ''],
  func: ['{', '}'],
  fName: ['', ' '],
  sub: ['_{', '}'],
  sup: ['^{', '}'],
  lim: ['_{', '}'],
  m: ['\\begin{matrix}', '\\end{matrix}'],
  mr: ['', ' \\\\ '],
};

/** A formula; its text stays as XML has it. */
function texOf(xml: string): string {
  /** Of each bracket around: how it ends. */
  const ends: string[] = [];
  let [sign, start, end] = ['', '(', ')'];
  return xml
    .replace(/<m:\w+ *\/>/g, '')
    .replace(/<m:mr>(?:(?!<m:mr>).)*?<\/m:mr>/gs, (row) =>
      row.replaceAll('</m:e><m:e>', '</m:e> &amp; <m:e>'),
    )
    .replaceAll('<m:d><m:e>', '<m:d></m:dPr><m:e>')
    .replace(
      /<(\/?)(?:m:)?([\w:]+)(?![\w:])([^<>]*)>/g,
      (_, slash: string, name: string, attributes: string) => {
        const value = /m:val="([^"]*)"/.exec(attributes)?.[1] ?? '';
        if (name === 'chr') sign = value;
        if (name === 'begChr') start = value;
        if (name === 'endChr') end = value;
        if (name === 'd' && slash === '') [start, end] = ['(', ')'];
        if (name === 'naryPr' || name === 'accPr') return slash === '' ? (sign = '') : signOf(name, sign);
        if (name === 'dPr' && slash !== '') return ends.push(end) > 0 ? start : '';
        if (name === 'd' && slash !== '') return ends.pop() ?? '';
        return TEX[name]?.[slash === '' ? 0 : 1] ?? '';
      },
    )
    .replace(/[_^]\{\}|(?<=\\sqrt)\[\]| \\\\ (?=\\end)/g, '');
}

const signOf = (name: string, sign: string): string =>
  name === 'naryPr' ? sign || '∫' : sign === '' ? '\\hat' : `\\overset{${sign}}`;

/** None of these holds another of its kind, and without an end none is one, so that each is found in linear time. */
const FORMULA =
  /<m:oMathPara\b[^<>]*>((?:(?!<m:oMathPara\b).)*?)<\/m:oMathPara>|<m:oMath\b[^<>]*>((?:(?!<m:oMath\b).)*?)<\/m:oMath>/gs;
const RUBY = /<w:ruby>((?:(?!<w:ruby>).)*?)<\/w:ruby>/gs;
const FIELD = /<\/?w:fldSimple\b[^<>]*>/g;

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** What stands in the first element of that name; empty: there is none. */
const contentsOf = (xml: string, name: string): string =>
  xml.split(`<${name}>`)[1]?.split(`</${name}>`)[0] ?? '';

/** Words, and in brackets their reading. */
const withReading = (ruby: string): string =>
  `</w:r>${contentsOf(ruby, 'w:rubyBase')}${run('(')}${contentsOf(ruby, 'w:rt')}${run(')')}<w:r>`;

/** What headers or footers say, as paragraphs, each once: their pictures and links are others' than the document's. */
export function marginText(xml: string): string {
  const texts = xml.split('</w:p>').map((each) =>
    each
      .replaceAll(/<w:tab *\/>/g, '<w:t> </w:t>')
      .match(/(?<=<w:t(?: [^<>]*)?>)[^<>]+/g)
      ?.join(''),
  );
  return [...new Set(texts)].map((text) => (text?.trim() ? `<w:p>${run(text)}</w:p>` : '')).join('');
}

/** A part of a DOCX, so that all its text can be read. */
export const readableXml = (xml: string): string =>
  xml
    .replace(FORMULA, (_, display: string | undefined, inline: string | undefined) =>
      run(display === undefined ? `$${texOf(inline ?? '')}$` : `$$${texOf(display)}$$`),
    )
    .replace(FIELD, '')
    .replace(RUBY, (_, ruby: string) => withReading(ruby));
