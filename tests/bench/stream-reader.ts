/** Reference (c): a program that only reads such streams and joins their texts. Prints the processor time. */
import { argv, cpuUsage } from 'node:process';

const [, , baseUrl = '', streams = '1'] = argv;

async function read(): Promise<number> {
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: '{}' });
  if (response.body === null) throw new Error('There is nothing to read.');
  let text = '';
  let tokens = 0;
  let rest = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      if (event === 'data: [DONE]') continue;
      const { choices } = JSON.parse(event.slice('data: '.length)) as {
        choices: { delta: { content?: string } }[];
      };
      text += choices[0]?.delta.content ?? '';
      tokens += 1;
    }
  }
  if (text === '') throw new Error('Nothing was read.');
  return tokens;
}

const before = cpuUsage();
const counts = await Promise.all(Array.from({ length: Number(streams) }, read));
const { user, system } = cpuUsage(before);
console.log(
  JSON.stringify({ tokens: counts.reduce((sum, count) => sum + count, 0), cpuMs: (user + system) / 1000 }),
);
