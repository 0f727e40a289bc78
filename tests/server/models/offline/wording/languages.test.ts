import { describe, expect, it } from 'vitest';
import { startConversation } from '../../../../support/converse.ts';

describe('a request in another language', () => {
  it.each([
    ['¿Cuál es la capital de Francia?', 'solo entiendo inglés'],
    ['quelle heure est-il ?', 'je ne comprends que l’anglais'],
    ['Was ist die Hauptstadt von Frankreich?', 'verstehe nur Englisch'],
    ['Qual é a capital da França? Você sabe?', 'só entendo inglês'],
    ['Qual è la capitale della Francia e dove è?', 'capisco solo l’inglese'],
    ['Apa ibu kota Prancis dan di mana?', 'hanya mengerti bahasa Inggris'],
    ['Какая столица Франции?', 'понимаю только английский'],
    ['法国的首都是什么？', '只懂英语'],
    ['フランスの首都はどこですか', '英語しかわかりません'],
    ['ما هي عاصمة فرنسا؟', 'لا أفهم إلا الإنجليزية'],
    ['فرانس کا دارالحکومت کیا ہے؟ بتائیں', 'صرف انگریزی'],
    ['फ़्रांस की राजधानी क्या है?', 'केवल अंग्रेज़ी'],
    ['ফ্রান্সের রাজধানী কী?', 'শুধু ইংরেজি'],
  ])('%s is refused in it, and in English', async (message, reported) => {
    const { tools, text } = await startConversation().say(message);
    expect(tools).toEqual([]);
    expect(text).toContain(reported);
    expect(text).toContain('I only understand English');
  });

  it.each([
    'What is the capital of France?',
    'write a poem',
    'do you know the les paul guitar?',
    '10 km per day in miles per week',
  ])('%s is English', async (message) => {
    expect((await startConversation().say(message)).text).not.toContain('only understand English');
  });
});
