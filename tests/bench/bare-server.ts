/** Reference (a): Fastify with the same routes returning constants, to show the limit set by HTTP itself. */
import Fastify from 'fastify';

const now = '2026-01-01T00:00:00.000Z';
const chat = {
  id: '00000000-0000-4000-8000-000000000000',
  title: 'What is 17 × 23?',
  status: 'pending',
  model: 'offline-assistant',
  createdAt: now,
  updatedAt: now,
};
const messages = Array.from({ length: 200 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${index}: what is 17 * 23?`,
  status: 'complete',
  createdAt: now,
}));

/** Callbacks that end waiting requests, by chat. */
const waiting = new Map<string, (() => void)[]>();

const app = Fastify();
app.post('/api/v1/chats', (_request, reply) => reply.code(201).send(chat));
app.get('/api/v1/chats', () => Promise.resolve({ data: [chat], total: 1 }));
app.get<{ Params: { chatId: string }; Querystring: { wait?: string } }>(
  '/api/v1/chats/:chatId',
  (request, reply) => {
    if (request.query.wait === undefined) return reply.send({ chat });
    const { chatId } = request.params;
    const ends = waiting.get(chatId) ?? [];
    ends.push(() => void reply.send({ chat }));
    waiting.set(chatId, ends);
    return undefined;
  },
);
app.patch<{ Params: { chatId: string } }>('/api/v1/chats/:chatId', (request, reply) => {
  const { chatId } = request.params;
  for (const end of waiting.get(chatId) ?? []) end();
  waiting.delete(chatId);
  return reply.send({ chat });
});
app.get('/api/v1/chats/:chatId/messages', (_request, reply) => reply.send({ messages }));
app.post('/api/v1/chats/:chatId/messages', (_request, reply) => reply.send({ chat }));
const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ baseUrl }));
process.once('SIGTERM', () => process.exit(0));
