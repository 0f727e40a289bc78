/** A model server that only streams: a fixed number of tokens per second for each request, by the clock, one event each. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const TOKENS_PER_SECOND = Number(process.argv[2]);
const TOKENS = Number(process.argv[3]);
const TICK_MS = 10;

const event = (choice: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, finish_reason: null, delta: {}, ...choice }] })}\n\n`;
const END = `${event({ finish_reason: 'stop' })}data: [DONE]\n\n`;

const server = createServer((request, response) => {
  request.resume();
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [{ id: 'm' }] }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(TOKENS, Math.floor(((performance.now() - startedAt) * TOKENS_PER_SECOND) / 1000));
    for (; sent < due; sent += 1) response.write(event({ delta: { content: `word${sent} ` } }));
    if (sent < TOKENS) return;
    clearInterval(timer);
    response.end(END);
  }, TICK_MS);
  response.on('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${port}/v1` }));
});
process.once('SIGTERM', () => process.exit(0));
