/**
 * A report on the offline assistant: requests that were written before anybody looked at how its skills match, in two halves.
 * `node tests/held-out/run.ts` tells of `open.txt` what is false and what is refused, to be mended from; `unseen.txt` is only run
 * for its figures, and read by nobody who works on the skills.
 *
 * A line of those files is a request, ` => `, and what the answer holds: parts joined by ` && `, `!` for what it must not hold,
 * `/…/` for a pattern, ` || ` between alternatives, `refuse` for what can't be done. ` >> ` stands between messages of one chat,
 * of which the last is judged. `~` marks a request with one qualifier more, which may be refused, too.
 */
import { readFileSync } from 'node:fs';
import { startConversation } from '../support/converse.ts';

/** Friday, 11:00 in Paris. */
const NOW = new Date('2026-11-20T10:00:00Z');
const REFUSED =
  /(?<!Parley’s )(?:I’m the )offline assistant|needs the internet|I can['’]t |can’t help|I don’t (?:know|have)|couldn’t make out|I’d need|not sure|sorry|^There (?:is|are) no|can’t read|could not|couldn’t|No notes?|nothing noted|no earlier message/i;

interface Line {
  skill: string;
  isNear: boolean;
  messages: string[];
  wants: string;
}

type Outcome = 'right' | 'refused' | 'false';

function read(name: string): Line[] {
  let skill = '';
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) skill = line.slice(2);
      const [, near, asked = '', wants = ''] = /^(~ )?(.+?) => (.*)$/.exec(line) ?? [];
      if (asked === '') return [];
      const plain = asked.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
      return [{ skill, isNear: near !== undefined, messages: plain.split(' >> '), wants }];
    });
}

const isHeld = (part: string, text: string): boolean => {
  if (part.startsWith('!')) return !isHeld(part.slice(1), text);
  const [, pattern, flags] = /^\/(.+)\/(\w*)$/.exec(part) ?? [];
  if (pattern !== undefined) return new RegExp(pattern, flags).test(text);
  return (
    text.toLowerCase().includes(part.toLowerCase()) ||
    text.replace(/(?<=\d)[,\u00a0\u202f](?=\d{3})/g, '').includes(part)
  );
};

function judge({ wants, isNear }: Line, text: string): Outcome {
  const alternatives = wants.split(' || ');
  const isRefusal = REFUSED.test(text);
  if (isRefusal) return alternatives.includes('refuse') || isNear ? 'right' : 'refused';
  return alternatives.some(
    (each) => each !== 'refuse' && each.split(' && ').every((part) => isHeld(part, text)),
  )
    ? 'right'
    : 'false';
}

async function answer({ messages }: Line): Promise<string> {
  const chat = startConversation({ now: NOW });
  let text = '';
  try {
    for (const message of messages) ({ text } = await chat.say(message));
  } catch (error) {
    return `FAULT ${String(error)}`;
  }
  return text;
}

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

for (const [name, isShown] of [
  ['open.txt', true],
  ['unseen.txt', false],
] as const) {
  const counts = new Map<string, Record<Outcome, number>>();
  for (const line of read(name)) {
    const text = await answer(line);
    const outcome = judge(line, text);
    for (const group of [line.isNear ? 'near' : 'ordinary', line.skill]) {
      const count = counts.get(group) ?? { right: 0, refused: 0, false: 0 };
      count[outcome] += 1;
      counts.set(group, count);
    }
    if (!isShown || outcome === 'right') continue;
    print(
      `${outcome.toUpperCase()} ${line.messages.join(' >> ')}\n  wanted ${line.wants}\n  ${text.slice(0, 200).replaceAll('\n', '\n  ')}\n`,
    );
  }
  print(name);
  for (const [group, count] of counts) {
    const sum = count.right + count.refused + count.false;
    print(
      `  ${group}: ${sum} requests, ${count.right} right, ${count.refused} refused, ${count.false} false`,
    );
  }
}
