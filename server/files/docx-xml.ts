/** What of a DOCX the library that reads it leaves out, as what it reads: formulas as TeX, results of fields, and words with their reading above. */

/** The tags of formulas; others go. */
const TEX: Record<string, string> = {
  ...{ f: '\\frac', num: '{', '/num': '}', den: '{', '/den': '}', e: '{', '/e': '}' },
  ...{ rad: '\\sqrt', deg: '[', '/deg': ']', bar: '\\overline', func: '{', '/func': '}', '/fName': ' ' },
  ...{ sub: '_{', '/sub': '}', sup: '^{', '/sup': '}', lim: '_{', '/lim': '}' },
  ...{ m: '\\begin{matrix}', '/m': '\\end{matrix}', '/mr': ' \\\\ ' },
};

/** A formula; its text stays as XML has it. */
function texOf(xml: string): string {
  /** Of each bracket around: how it ends. */
  const ends: string[] = [];
  let [sign, start, end] = ['', '(', ')'];
  return xml
    .replace(/<m:\w+ *\/>/g, '')
    .replace(/<m:mr>.*?<\/m:mr>/gs, (row) => row.replaceAll('</m:e><m:e>', '</m:e> &amp; <m:e>'))
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
        return name === 'd' && slash !== '' ? (ends.pop() ?? '') : (TEX[slash + name] ?? '');
      },
    )
    .replace(/[_^]\{\}|(?<=\\sqrt)\[\]| \\\\ (?=\\end)/g, '');
}

const signOf = (name: string, sign: string): string =>
  name === 'naryPr' ? sign || '∫' : sign === '' ? '\\hat' : `\\overset{${sign}}`;

const FORMULA = /<m:oMathPara\b[^>]*>(.*?)<\/m:oMathPara>|<m:oMath\b[^>]*>(.*?)<\/m:oMath>/gs;
const FIELD = /<\/?w:fldSimple\b[^>]*>/g;
const READING = /<w:ruby>.*?<w:rt>(.*?)<\/w:rt>.*?<w:rubyBase>(.*?)<\/w:rubyBase>.*?<\/w:ruby>/gs;

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** A part of a DOCX, so that all its text can be read. */
export const readableXml = (xml: string): string =>
  xml
    .replace(FORMULA, (_, display: string | undefined, inline: string | undefined) =>
      run(display === undefined ? `$${texOf(inline ?? '')}$` : `$$${texOf(display)}$$`),
    )
    .replace(FIELD, '')
    .replace(
      READING,
      (_, reading: string, base: string) => `</w:r>${base}${run('(')}${reading}${run(')')}<w:r>`,
    );
