/** The refusal for people who write in a language other than English, in that language. */
import { rules } from '../reading/rules.ts';

/*
 * “I'm the offline assistant and only understand English; sums, units and dates in figures work in any language; for more, connect a
 * model; `/tool` lists the tools.”, in the languages that are spoken most, and Japanese, German and Italian.
 */

/** By letters that only they, of these, are written in; of two that share a script, the one with letters of its own first. */
const SCRIPTS = rules(
  String.raw`
    [\u3040-\u30ff] => 私はオフラインのアシスタントで、英語しかわかりません。数字で書いた計算、単位、日付（例：“12 * 12”、“10 km in miles”）はどの言語でも使えます。それ以外は、設定の Models で言語モデルを接続してください。“/tool” と送るとツールの一覧が出ます。
    \p{Script=Han} => 我是离线助手，只懂英语。用数字写的算式、单位和日期（例如 “12 * 12”、“10 km in miles”）在任何语言下都可以用。其他问题请在设置的 Models 中连接语言模型。发送 “/tool” 可列出所有工具。
    \p{Script=Devanagari} => मैं ऑफ़लाइन सहायक हूँ और केवल अंग्रेज़ी समझता हूँ। अंकों में लिखे हिसाब, इकाइयाँ और तारीख़ें (जैसे “12 * 12”, “10 km in miles”) हर भाषा में चलती हैं। बाक़ी के लिए सेटिंग्स में Models के अंतर्गत कोई भाषा मॉडल जोड़ें। “/tool” भेजने पर सभी टूल की सूची मिलती है।
    \p{Script=Bengali} => আমি অফলাইন সহকারী এবং শুধু ইংরেজি বুঝি। অঙ্কে লেখা হিসাব, একক ও তারিখ (যেমন “12 * 12”, “10 km in miles”) যেকোনো ভাষায় চলে। বাকি সবের জন্য সেটিংসে Models-এ একটি ভাষা মডেল যুক্ত করুন। “/tool” পাঠালে সব টুলের তালিকা পাওয়া যায়।
    [ٹڈڑےں] => میں آف لائن معاون ہوں اور صرف انگریزی سمجھتا ہوں۔ ہندسوں میں لکھے حساب، اکائیاں اور تاریخیں (مثلاً “12 * 12”، “10 km in miles”) ہر زبان میں چلتی ہیں۔ باقی کے لیے سیٹنگز میں Models کے تحت کوئی زبان کا ماڈل جوڑیں۔ “/tool” بھیجنے پر تمام ٹولز کی فہرست ملتی ہے۔
    \p{Script=Arabic} => أنا المساعد غير المتصل ولا أفهم إلا الإنجليزية. الحسابات والوحدات والتواريخ المكتوبة بالأرقام (مثل “12 * 12” و“10 km in miles”) تعمل بأي لغة. لغير ذلك، صِل نموذجًا لغويًا من الإعدادات، في Models. أرسل “/tool” لعرض قائمة الأدوات.
    \p{Script=Cyrillic} => Я офлайн-помощник и понимаю только английский. Вычисления, единицы и даты в цифрах (например, “12 * 12”, “10 km in miles”) работают на любом языке. Для остального подключите языковую модель в настройках, в разделе Models. Отправьте “/tool”, чтобы увидеть список инструментов.
  `,
  {},
  'u',
);

/** By small words of theirs. */
const SMALL_WORDS = rules(
  String.raw`
    (?<!\p{L})(?:el|los|las|una|qué|cuál|cuánto|cuántos|cuántas|cómo|dónde|por|para|está|es|y|del|que|hola|mi)(?!\p{L}) => Soy el asistente sin conexión y solo entiendo inglés. Las cuentas, unidades y fechas en cifras (por ejemplo, “12 * 12”, “10 km in miles”) funcionan en cualquier idioma. Para lo demás, conecta un modelo de lenguaje en los ajustes, en Models. Envía “/tool” para ver la lista de herramientas.
    (?<!\p{L})(?:le|les|des|une|est|quel|quelle|combien|comment|où|pour|avec|dans|vous|je|bonjour|et|du|fait|il)(?!\p{L}) => Je suis l’assistant hors ligne et je ne comprends que l’anglais. Les calculs, unités et dates en chiffres (par exemple “12 * 12”, “10 km in miles”) marchent dans toutes les langues. Pour le reste, connectez un modèle de langage dans les réglages, sous Models. Envoyez “/tool” pour voir la liste des outils.
    (?<!\p{L})(?:o|os|uma|quanto|quantos|onde|você|não|é|como|qual|são|para|do|da|que|olá|meu)(?!\p{L}) => Sou o assistente offline e só entendo inglês. Contas, unidades e datas em algarismos (por exemplo, “12 * 12”, “10 km in miles”) funcionam em qualquer idioma. Para o resto, conecte um modelo de linguagem nas configurações, em Models. Envie “/tool” para ver a lista de ferramentas.
    (?<!\p{L})(?:der|die|das|und|ist|nicht|wie|viel|viele|ein|eine|mit|für|wo|ich|was|kann|du|hallo|heute)(?!\p{L}) => Ich bin der Offline-Assistent und verstehe nur Englisch. Rechnungen, Einheiten und Daten in Ziffern (etwa “12 * 12”, “10 km in miles”) gehen in jeder Sprache. Für alles andere verbinde in den Einstellungen unter Models ein Sprachmodell. Mit “/tool” kommt die Liste der Werkzeuge.
    (?<!\p{L})(?:il|gli|che|quanto|quanti|come|dove|sono|della|è|una|qual|ciao|fa|di|oggi)(?!\p{L}) => Sono l’assistente offline e capisco solo l’inglese. Calcoli, unità e date in cifre (per esempio “12 * 12”, “10 km in miles”) funzionano in ogni lingua. Per il resto, collega un modello linguistico nelle impostazioni, in Models. Invia “/tool” per vedere l’elenco degli strumenti.
    (?<!\p{L})(?:apa|berapa|yang|dan|di|ini|itu|saya|dari|untuk|dengan|bagaimana|tidak|hari|halo|ada)(?!\p{L}) => Saya asisten luring dan hanya mengerti bahasa Inggris. Hitungan, satuan, dan tanggal dalam angka (misalnya “12 * 12”, “10 km in miles”) bisa dipakai dalam bahasa apa pun. Untuk yang lain, hubungkan model bahasa di pengaturan, pada Models. Kirim “/tool” untuk melihat daftar alat.
  `,
  {},
  'giu',
);

const MAX_CHARACTERS = 400;
const MIN_WORDS = 2;

/** The refusal in the language of a text; null: it is in none of these. One in Latin letters must have more than `english` of the language's small words. */
export function refusalIn(text: string, english = 0): string | null {
  const start = text.slice(0, MAX_CHARACTERS);
  const written = SCRIPTS.find(({ pattern }) => pattern.test(start));
  if (written !== undefined) return written.to;
  const counts = SMALL_WORDS.map(({ pattern }) => start.match(pattern)?.length ?? 0);
  const most = Math.max(...counts);
  return most < MIN_WORDS || most <= english ? null : (SMALL_WORDS[counts.indexOf(most)]?.to ?? null);
}
