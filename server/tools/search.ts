import { Type } from 'typebox';
import { choice } from '../../shared/api/common.ts';
import { defineTool, type EarlierMessage } from './tool.ts';
import { subjectWords } from './words.ts';

const DEFAULT_FOUND = 5;
const MAX_FOUND = 50;
/** Asked of the workspace at once when one side of the conversation is left out afterwards. */
const MAX_CANDIDATES = 200;
/** Single words tried when no message holds them all. */
const MAX_WORDS_TRIED = 4;

/** Searches the earlier messages of the workspace. */
export const searchMessages = defineTool({
  name: 'search_messages',
  description: 'Searches the earlier messages of all chats in this workspace for words, best first.',
  input: Type.Object({
    query: Type.String({ description: 'The words to find', minLength: 1 }),
    role: Type.Optional(
      choice(['user', 'assistant'], 'Only what the person (user) or the assistant wrote; both when left out'),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_FOUND })),
  }),
  async run({ query, role, limit = DEFAULT_FOUND }, { workspace }) {
    const search = async (words: string): Promise<EarlierMessage[]> => {
      const found = await workspace.searchMessages(words, role === undefined ? limit : MAX_CANDIDATES);
      return found.filter((message) => role === undefined || message.role === role).slice(0, limit);
    };
    const whole = await search(query);
    const words = subjectWords(query);
    if (whole.length > 0 || words.length < 2) return { found: whole, allWords: true };
    const some: EarlierMessage[] = [];
    for (const word of words.slice(0, MAX_WORDS_TRIED)) {
      for (const message of await search(word)) {
        const known = some.some(
          (one) => one.chatId === message.chatId && one.createdAt === message.createdAt,
        );
        if (!known) some.push(message);
      }
    }
    return { found: some.slice(0, limit), allWords: false };
  },
});
