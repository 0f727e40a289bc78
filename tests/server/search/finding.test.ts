import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageSearch } from '../../../server/search/message-search.ts';
import { queryTerms } from '../../../server/search/normalise.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';

let processing: Processing;
beforeEach(async () => {
  processing = await startProcessing();
});
afterEach(() => processing.remove());

/** A text, searches that find it, and searches that don't. */
const TEXTS: readonly { text: string; found: string[]; missed?: string[] }[] = [
  {
    text: '我们使用Python编写，部署在AWS上，镜像来自Docker，代码在GitHub里',
    found: ['AWS', 'Docker', 'GitHub', 'python', '部署在AWS', 'aws上', '编写', '使用pyt', 'git'],
    missed: ['Ruby'],
  },
  { text: 'この関数はReactのuseEffectで使う', found: ['React', 'useEffect', '関数', 'のuse'] },
  { text: '서버는Kubernetes에서 돌아간다', found: ['Kubernetes', '서버', '돌아간다', 'kubernetes에서'] },
  { text: 'ระบบใช้PostgreSQLเป็นฐานข้อมูล', found: ['PostgreSQL', 'ฐานข้อมูล', 'postgresqlเป็น'] },
  {
    text: 'Tiếng Việt rất đẹp, ở Hà Nội',
    found: ['tieng viet', 'Tiếng Việt', 'ha noi', 'dep', 'đẹp', 'TIẾNG'],
  },
  { text: 'Đường phố Đà Nẵng', found: ['duong', 'da nang', 'Đà'] },
  { text: 'зелёная ёлка и йод', found: ['елка', 'зеленая', 'ёлка', 'ЁЛКА', 'йод'] },
  { text: 'Καλημέρα κόσμε, ο Ὀδυσσεύς', found: ['καλημερα', 'ΚΟΣΜΕ', 'οδυσσευσ', 'οδυσσεύς'] },
  { text: 'İstanbul’da ışık, ILICA', found: ['istanbul', 'İstanbul', 'ışık', 'isik', 'ilica', 'ISTANBUL'] },
  {
    text: 'naïve café résumé, Übergröße, Straße, œuvre, Łódź, Ærø, Øresund',
    found: ['naive', 'cafe', 'resume', 'ubergrosse', 'strasse', 'straße', 'lodz', 'oresund'],
  },
  { text: 'بسم ٱلله، مدرسہ ڪتاب', found: ['الله', 'مدرسه', 'كتاب'] },
  { text: 'مُدَرِّسٌ في المَدْرَسَة، أحمد إلى آخر', found: ['مدرس', 'المدرسة', 'احمد', 'أحمد', 'الى'] },
  { text: 'שָׁלוֹם עולם', found: ['שלום', 'עולם'] },
  { text: 'हिन्दी में लिखा ज़रूरी', found: ['हिन्दी', 'में', 'जरूरी', 'लिखा'], missed: ['मा'] },
  { text: 'ＡＢＣ１２３ ｶﾀｶﾅ ①', found: ['abc123', 'カタカナ'] },
  { text: 'がぎぐ パン', found: ['がぎぐ', 'パン', 'か\u3099'], missed: ['かき', 'ハン'] },
  { text: '한글 각', found: ['한글', '\u1112\u1161\u11ab\u1100\u1173\u11af'] },
  { text: 'gefeiert 🎉 mit 👩‍💻 und ❤️ 👍🏽', found: ['🎉', '👩‍💻', '❤', '❤️', '👍', '👍🏽'], missed: ['🚀'] },
  { text: '发布了🚀成功', found: ['🚀', '🚀成功', '了🚀'] },
  { text: 'e\u0301te\u0301 zu Ende', found: ['été', 'ete'] },
  { text: 'C++ 和 C# 以及 .NET', found: ['c++', 'c#', '.net', 'C'] },
  {
    text: '用C++17写 fn f() -> x, (y) => z, a::b != c',
    found: ['C++', '->', 'f() -> x', '=>', 'a::b', '!='],
  },
  { text: 'in C only, a-b = c > d', found: ['C'], missed: ['C++', 'C#', '->', '=>'] },
  {
    text: '**bold**ness of **C**ascading **H**yperlinks, a**2, **f**\u006fr',
    found: ['boldness', 'cascading', 'for', 'bold'],
  },
  { text: '**f**ür **粗**体', found: ['für', 'fur', '粗体'] },
  { text: 'base**exp for un**believ**able', found: ['base', 'exp', 'base**exp', 'unbelievable'] },
  {
    text: 'From v18.2.0-rc.1 to V19, 版本v3.2是',
    found: ['18.2.0', 'v18.2.0', 'v18', 'V18.2', '19', 'v19', '3.2', 'v3.2'],
    missed: ['v2', 'v9'],
  },
  {
    text: 'GPT-4o sold 1,234,567 and 2345 by email, the USA dont',
    found: [
      'gpt4o',
      'gpt-4o',
      'gpt 4o',
      '1234567',
      '1.234.567',
      '2,345',
      'e-mail',
      'U.S.A.',
      'dont',
      "don't",
    ],
    missed: ['gpt5', '1234566', '3.45'],
  },
  { text: 'さくらのプログラム、ガギ', found: ['サクラ', 'ぷろぐらむ', 'がぎ'], missed: ['カキ'] },
  { text: '١٢٣ संख्या ४५ ๖๗๘', found: ['123', '45', '678', '๖๗๘', '१२३'], missed: ['12 3'] },
  { text: 'snake_case_name camelCaseName foo.bar()', found: ['snake_case', 'case_name', 'foo.bar', 'bar()'] },
  {
    text: 'set max_retry_count in prod.config.yaml of 192.168.55.254, by os.path.join, v3.14.15',
    found: [
      'max_re',
      'max_retry',
      'max_retry_c',
      'max_retry_co',
      'prod.c',
      '192.168.5',
      'set os.path.jo',
      'v3.14.1',
    ],
    missed: ['max_x', 'path.os', 'max_c', 'ma', 'x.c'],
  },
  {
    text: 'The Wi-Fi of e-mail don’t use Node.js, state-of-the-art U.K. file_name, 1.5 l’été',
    found: [
      ...[
        'wifi',
        'wi-fi',
        'wi fi',
        'wif',
        'email',
        'dont',
        "don't",
        'nodejs',
        'node.js',
        'nodej',
        'node',
        'js',
      ],
      ...['stateoftheart', 'stateof', 'the-art', 'uk', 'filename', 'file_name', 'lete', 'ete'],
    ],
    missed: ['ifi', 'odejs', '15', 'mailto', 'usenode'],
  },
  {
    text: '使用Node.js编写，Ди-джей、wi‑fi',
    found: ['nodejs', 'диджей', 'wifi', '使用node'],
    missed: ['js编程'],
  },
  { text: 'Don. The rest, as it seems', found: ['don', 'rest'], missed: ["don't", "it's"] },
  { text: '使用Python', found: ['使用p', '使用Py'], missed: ['用使', '使用q'] },
  { text: '🇺🇸🇪🇸 won', found: ['🇺🇸', '🇪🇸', '🇺🇸🇪🇸'], missed: ['🇸🇪'] },
  { text: 'wor\u2060der wor\ufeffden', found: ['worder', 'worden', 'wor\ufeffder'] },
  {
    text: '5 € → √2, x≤3 a−b ＋',
    found: ['€', '→', '√', '5 €', '√2', 'x≤3', 'a-b', 'a−b'],
    missed: ['＋', '≥'],
  },
  { text: '𠮷野家で食べた', found: ['𠮷野家', '𠮷'] },
  { text: 'at 0xDEADBEEF, 0X1f', found: ['deadbeef', '0xdeadbeef', '0xdead', '1f'], missed: ['beef'] },
  { text: '25 ℃ or 77℉, ½ a cup, 2⅓ kg', found: ['°C', '℃', '77°F', '½', '1/2', '2⅓'] },
  { text: 'ran 5㎞ with 10 GB', found: ['5km', '5㎞', '5 km', '10gb', '10GB'], missed: ['5gb', '1gb'] },
  { text: 'ran 7km with 8GB', found: ['7㎞', '7km', '8gb'] },
  { text: 'any\u200bwhere it breaks', found: ['anywhere', 'any'] },
  { text: 'قرأت الكتاب والمدرسة', found: ['كتاب', 'الكتاب', 'مدرسة', 'المدرسة'], missed: ['تاب'] },
  { text: 'עבודה בבית הספר', found: ['בית', 'ספר', 'הספר'] },
];

test('words are found in any script, whatever their accents, width and neighbours', async () => {
  const ids: string[] = [];
  for (const { text } of TEXTS) {
    const chatId = await processing.createChat();
    ids.push(chatId);
    await processing.send(chatId, text);
  }
  const search = createMessageSearch(processing.life.store, processing.life.search);
  const wrong: string[] = [];
  for (const [index, { found, missed = [] }] of TEXTS.entries()) {
    for (const query of [...found, ...missed]) {
      const hits = await search.find({ workspaceId: WORKSPACE, terms: queryTerms(query), limit: 50 });
      const hit = hits.find(({ chatId }) => chatId === ids[index]);
      if ((hit !== undefined) !== found.includes(query)) wrong.push(`${query}: ${String(hit !== undefined)}`);
      else if (hit && !hit.snippet.some(({ match }) => match)) wrong.push(`${query}: not marked`);
    }
  }
  expect(wrong).toEqual([]);
});

test('exactly what was searched for is marked', async () => {
  const chatId = await processing.createChat();
  await processing.send(chatId, '我们使用Python编写，部署在AWS上，Tiếng Việt 👍🏽, a user) { if user_id');
  const search = createMessageSearch(processing.life.store, processing.life.search);
  for (const [query, marked] of [
    ['aws', 'AWS'],
    ['署在aws', '署在AWS'],
    ['tieng', 'Tiếng'],
    ['pyth', 'Python'],
    ['👍', '👍'],
    ['user_i', 'user_id'],
    ['userid', 'user_id'],
  ] as const) {
    const [hit] = await search.find({ workspaceId: WORKSPACE, terms: queryTerms(query), limit: 5 });
    expect(
      hit?.snippet.filter(({ match }) => match).map(({ text }) => text),
      query,
    ).toEqual([marked]);
  }
});
