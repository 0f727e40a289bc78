import { describe, expect, it, test } from 'vitest';
import { inspectFile } from '../../../server/files/inspect.ts';
import { readDocument } from '../../../server/files/read-document.ts';

/** The bytes of a text in an encoding of one or two bytes a character: `TextDecoder` is asked what each means. */
function encode(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytesOf = new Map<string, number[]>();
  for (let first = 0; first < 256; first += 1) {
    const single = decoder.decode(Uint8Array.of(first));
    if (single.length === 1 && single !== '\ufffd') bytesOf.set(single, [first]);
    else
      for (let second = 0x40; second < 256; second += 1) {
        const character = decoder.decode(Uint8Array.of(first, second));
        if (Array.from(character).length === 1 && !bytesOf.has(character))
          bytesOf.set(character, [first, second]);
      }
  }
  return Buffer.from(Array.from(text).flatMap((character) => bytesOf.get(character) ?? []));
}

const asFile = (bytes: Buffer, name: string) =>
  inspectFile((at, length) => Promise.resolve(bytes.subarray(at, at + length)), bytes.length, name);
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

const TEXTS: readonly [encoding: string, ...texts: string[]][] = [
  [
    'windows-1252',
    'Name;Größe;Preis\r\nMüller;groß;12,50 €\r\nJörg;klein;3,20 €\r\n',
    'Prénom;Âge\r\nHélène;30\r\nÉric;25\r\n',
    'café crème',
    'José',
    'Id,Name\r\n1,Zoë\r\n2,Jose\r\n',
    'Señor, mañana será otro año. La fachada está bonita.',
    'Café à 5 €',
    'Åke är på ön',
    'Crème brûlée à 4 €',
    'naïve',
    '20 °C',
    '“Hi”',
    'It’s a nice day – isn’t it?',
    'Œuvre',
    'London–Paris',
    'Norðurland;Suðurnes',
    'Það er það sem við þurfum',
    'maður með hund',
  ],
  [
    'gb18030',
    '姓名,城市\n张三,北京\n',
    '我们使用编码，这是一个测试文件。',
    '编号,商品,价格\n1,苹果,3.5\n2,香蕉,2.0\n',
  ],
  ['big5', '姓名,城市\n張三,台北\n', '繁體中文測試檔案，請確認內容。'],
  [
    'shift_jis',
    '名前,住所\n山田,東京都\n',
    'これはテストです。文字コードを確認します。',
    'ﾔﾏﾀﾞ ﾀﾛｳ,ﾄｳｷｮｳ\r\nｽｽﾞｷ ﾊﾅｺ,ｵｵｻｶ\r\n',
    'ｶﾌﾞｼｷｶﾞｲｼﾔ 12345',
  ],
  [
    'euc-jp',
    'これはテストです。文字コードを確認します。',
    'カタカナのテストです',
    'はなのとに',
    '氏名,住所,金額\n佐藤一郎,東京都,10\n',
  ],
  ['euc-kr', '이름,도시\n홍길동,서울\n', '이것은 테스트 파일입니다.'],
  [
    'windows-1251',
    'Привет, как дела? Это файл.',
    'Имя;Город\r\nИван;Москва\r\n',
    'Программы «Windows» и «Linux»',
    'The English word and привет here, among more English words',
    'НАИМЕНОВАНИЕ;ЦЕНА\r\nХЛЕБ;50\r\n',
    'СЧЁТ НА ОПЛАТУ № 15',
    'ДОГОВОР ПОСТАВКИ',
    'МОСКВА',
    'ЛЮБІТЬ УКРАЇНУ, НАРЕЧЕНІ ЮНАКИ №5',
  ],
  [
    'macintosh',
    'Müller;Königsallee',
    'Prénom;Âge\r\nHélène;30\r\n',
    'Größe: 5 µm, Maß ±3°',
    'Übungen\r\nschön für groß',
  ],
  ['koi8-r', 'Привет, как дела? Это тестовый файл.'],
  ['windows-1253', 'Καλημέρα κόσμε, τι κάνεις;', 'Name;City\r\nΓιώργος;Αθήνα\r\n', 'ΟΝΟΜΑ;ΠΟΛΗ\r\n'],
  [
    'windows-1254',
    'İstanbul şehir ığdır güzel bir yer',
    'İstanbul’da ığdır şeker çiğ köfte; şişe ağaç',
    'Adı;Şehir\nAyşe;İzmir\n',
  ],
  ['windows-1255', 'שלום עולם, מה שלומך?'],
  ['windows-1256', 'مرحبا بالعالم كيف حالك'],
  ['windows-874', 'ชื่อ,เมือง\r\nสมชาย,กรุงเทพ\r\n'],
  [
    'windows-1250',
    'Zażółć gęślą jaźń, proszę',
    'Zażółć gęślą jaźń',
    'Imię;Miasto\r\nŁukasz;Łódź\r\nŚwięta;Kraków\r\n',
  ],
];

const signal = new AbortController().signal;

describe.each(TEXTS)('a text in %s', (encoding, ...texts) => {
  it.each(texts)('%j is recognised', async (text) => {
    const bytes = encode(text, encoding);
    expect(new TextDecoder(encoding).decode(bytes)).toBe(text);
    expect(await asFile(bytes, 'a.csv')).toMatchObject({ kind: 'text', mediaType: 'text/csv' });
    expect((await readDocument({ kind: 'text', bytes }, signal)).text).toBe(text.replaceAll('\r\n', '\n'));
  });
});

test('UTF-16 is recognised without a mark', async () => {
  for (const text of [
    'Name,City\nAnna,Köln\n',
    '姓名,城市\n张三,北京\n',
    'สวัสดี\nครับ\n',
    'お元気。\nはい 、\n',
    '你好，世界。这是一个文件',
  ]) {
    for (const [encoding, bytes] of [
      ['utf-16le', Buffer.from(text, 'utf16le')],
      ['utf-16be', utf16be(text)],
    ] as const) {
      expect(await asFile(bytes, 'a.csv')).toMatchObject({ kind: 'text' });
      expect(await readDocument({ kind: 'text', bytes }, signal)).toMatchObject({ text, encoding });
    }
  }
});

test('UTF-32 is recognised by its mark', async () => {
  const text = 'Größe, 世界 🚀\n';
  const little = Buffer.from(
    Uint32Array.from([0xfeff, ...Array.from(text, (one) => one.codePointAt(0) ?? 0)]).buffer,
  );
  for (const [encoding, bytes] of [
    ['utf-32le', little],
    ['utf-32be', Buffer.from(little).swap32()],
  ] as const) {
    expect(await asFile(bytes, 'a.csv')).toMatchObject({ kind: 'text' });
    expect(await readDocument({ kind: 'text', bytes }, signal)).toMatchObject({ text, encoding });
    expect(await asFile(bytes.subarray(0, -3), 'a.csv')).toBeNull();
  }
});

/** What the service shows of a file that it takes. */
async function shown(bytes: Buffer): Promise<unknown> {
  expect(await asFile(bytes, 'a.log')).toMatchObject({ kind: 'text' });
  return readDocument({ kind: 'text', bytes }, signal);
}

test.each([
  ['one bad byte', ['Größe ok. '.repeat(30), 'ff', ' Ende ä\n']],
  ['a line in another encoding', ['Größe ä\n'.repeat(10), 'fc', 'ber\n']],
  ['a beginning within a letter', ['', '82', 'ет, журнал\n']],
  ['a beginning within an emoji', ['', '9f9880', ' ok 🚀🚀🚀\n']],
  ['an end within a letter', ['Größe: ', 'c3', '']],
  ['a bad byte far from both ends', ['Größe\n'.repeat(12_000), '80', 'Größe\n'.repeat(12_000)]],
])('UTF-8 with %s stays UTF-8', async (_what, [before = '', bad = '', after = '']) => {
  const bytes = Buffer.concat([Buffer.from(before), Buffer.from(bad, 'hex'), Buffer.from(after)]);
  const text = new TextDecoder().decode(bytes);
  expect(text).toContain(`${before}\ufffd`);
  expect(await shown(bytes)).toMatchObject({ encoding: 'utf-8', text });
});

test('NULs at the end of a log are left out', async () => {
  const log = Buffer.from('2026-01-02 Größe ok\n'.repeat(20));
  for (const zeros of [500, 600_000])
    expect(await shown(Buffer.concat([log, Buffer.alloc(zeros)]))).toMatchObject({ text: log.toString() });
});

test.each([
  [
    'Korean with syllables that only Windows has',
    'euc-kr',
    'b3aab4c22098debfa120b0acb4d92e20bfc0b4c3208c63bee4b2e1c0bb20b8d4befab4d92e',
    '나는 샾에 갔다. 오늘 똠얌꿍을 먹었다.',
  ],
  ['a table with such syllables', 'euc-kr', 'c0ccb8a72cb5b5bdc30abc84bdc32c98de0a', '이름,도시\n펲시,샾\n'],
  ['Hong Kong’s Chinese', 'big5', 'ca5c925d9df6adbbb4e4adb99dcf', '佢哋喺香港食嘢'],
  ['a Japanese mail', 'iso-2022-jp', '1b24422433246c244f2546253925481b2842', 'これはテスト'],
  [
    'a style sheet that says it',
    'windows-1250',
    `${Buffer.from('@charset "windows-1250";').toString('hex')}2e61e9209e`,
    '@charset "windows-1250";.aé ž',
  ],
])('%s is recognised', async (_what, encoding, hex, text) => {
  expect(await shown(Buffer.from(hex, 'hex'))).toMatchObject({ encoding, text });
});

test('a text that would hold invisible characters is refused', async () => {
  const ofConsole = '9a62756e67656e20668172204a947267';
  const says = Buffer.from('<?xml version="1.0" encoding="IBM850"?>').toString('hex');
  for (const hex of [ofConsole, says + ofConsole])
    expect(await asFile(Buffer.from(hex, 'hex'), 'a.xml')).toBeNull();
});

test('what is no text isn’t taken for one', async () => {
  const noise = Buffer.from(
    Array.from({ length: 4_000 }, (_, index) => (index * 7919 + 13 * index ** 2) % 251),
  );
  expect(await asFile(noise, 'a.txt')).toBeNull();
  expect(await asFile(Buffer.from('7f454c460201010000000000', 'hex'), 'a.txt')).toBeNull();
  expect(await asFile(Buffer.concat([Buffer.from('ID3'), noise]), 'a.mp3')).toBeNull();
});
