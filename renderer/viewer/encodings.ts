/** The encodings that a text can be shown in, as the Encoding Standard names them. */
export const ENCODINGS: readonly string[] = (
  'utf-8 utf-16le utf-16be windows-1252 windows-1250 windows-1251 koi8-r windows-1253 windows-1254 windows-1255 ' +
  'windows-1256 windows-1257 windows-1258 windows-874 macintosh gb18030 big5 shift_jis euc-jp iso-2022-jp euc-kr'
).split(' ');
