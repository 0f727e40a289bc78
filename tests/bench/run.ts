/**
 * `npm run bench`: Parley against (a) a bare Fastify server that returns constants and (b) a plain Fastify and SQLite
 * server, all in one run and in turn, so that a slow moment of the machine affects all of them. Medians of the rounds.
 */
import { cpus } from 'node:os';
import { rm } from 'node:fs/promises';
import {
  firstReplyMs,
  idleMemoryMb,
  listsPerSecond,
  median,
  pollsPerSecond,
  sendsPerSecond,
  startUpMs,
  tripsPerSecond,
  turnLatencyMs,
  turnPace,
  turnsPerSecond,
  GREETING,
  QUESTION,
  type Pace,
} from './scenarios.ts';
import { measureStreams } from './streams.ts';
import { prepareParley, type ServerName } from './servers.ts';
import { measureCompactions } from './compactions.ts';
import { GOAL_MS, longestOf, measureDrawing } from './drawing.ts';
import { measureDesktop } from './desktop.ts';
import { measureAnswers, measureWaiting, sendsThatWaitPerSecond, type AnswerFigures } from './waits.ts';
import { measurePictures } from './pictures.ts';
import { measureStalls } from './stalls.ts';
import { measureWindow } from './window.ts';

const ROUNDS = 3;
const IDLE_SECONDS = 60;
const only = process.argv[2];
const format = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

/** Measures the servers in turn, round after round, and returns each one's median. */
async function compare(
  names: readonly ServerName[],
  measure: (name: ServerName) => Promise<number>,
  rounds = ROUNDS,
): Promise<Record<ServerName, number>> {
  const values: Record<ServerName, number[]> = { parley: [], bare: [], plain: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) values[name].push(await measure(name));
  }
  return { parley: median(values.parley), bare: median(values.bare), plain: median(values.plain) };
}

interface Goal {
  text: string;
  met: boolean;
}

function report(title: string, figures: string, goals: Goal[]): void {
  console.log(`\n${title}\n  ${figures}`);
  for (const goal of goals) console.log(`  ${goal.met ? 'met   ' : 'MISSED'}  ${goal.text}`);
}

const atLeast = (what: string, ratio: number, goal: number): Goal => ({
  text: `${what}: ${ratio.toFixed(2)} (wanted: at least ${goal})`,
  met: ratio >= goal,
});
const below = (what: string, value: number, goal: number): Goal => ({
  text: `${what}: ${format(value)} (wanted: below ${goal})`,
  met: value < goal,
});

const SECTIONS: Record<string, () => Promise<void>> = {
  sends: async () => {
    const { parley, plain } = await compare(['parley', 'plain'], sendsPerSecond);
    report(
      'Sends per second in a burst of 800, all durable',
      `Parley ${format(parley)} · (b) ${format(plain)}`,
      [atLeast('× (b)', parley / plain, 2.5)],
    );
  },
  overload: async () => {
    const plain: number[] = [];
    const replies: Pace[] = [];
    const tools: Pace[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      plain.push((await turnPace('plain', GREETING)).underFlood);
      replies.push(await turnPace('parley', GREETING));
      tools.push(await turnPace('parley', QUESTION));
    }
    const one = median(plain);
    const show = (title: string, paces: Pace[], goal: number): void => {
      const underFlood = median(paces.map((pace) => pace.underFlood));
      const share = median(paces.map((pace) => pace.underFlood / pace.unhurried));
      report(
        `Turns per second while 16 clients send without pause, ${title}`,
        `Parley ${format(underFlood)} · (b) ${format(one)}`,
        [atLeast('of the unhurried pace', share, 0.8), atLeast('× (b)', underFlood / one, goal)],
      );
    };
    show('a greeting', replies, 0.6);
    show('through a tool (a calculation)', tools, 0.35);
  },
  trips: async () => {
    const { parley, plain } = await compare(['parley', 'plain'], tripsPerSecond);
    report(
      'Send → poll every 5 ms → read, 16 clients, trips per second',
      `Parley ${format(parley)} · (b) ${format(plain)}`,
      [atLeast('× (b)', parley / plain, 0.6)],
    );
  },
  turns: async () => {
    const { parley, plain } = await compare(['parley', 'plain'], turnsPerSecond);
    report(
      'Whole turns per second, through the agent and a tool (a calculation)',
      `Parley ${format(parley)} · (b) ${format(plain)}`,
      [atLeast('× (b)', parley / plain, 0.7)],
    );
    const talk = await compare(['parley'], (name) => turnsPerSecond(name, GREETING));
    report('The same without a tool (a greeting)', `Parley ${format(talk.parley)}`, [
      atLeast('× (b)', talk.parley / plain, 0.7),
    ]);
  },
  latency: async () => {
    const { parley, plain } = await compare(['parley', 'plain'], turnLatencyMs);
    report(
      'Send → poll every 5 ms → read, one client, median ms',
      `Parley ${format(parley)} · (b) ${format(plain)} · ratio ${(parley / plain).toFixed(2)}`,
      [below('ms', parley, 6)],
    );
  },
  polls: async () => {
    const { parley, bare } = await compare(['bare', 'parley'], pollsPerSecond);
    report('Polls per second', `Parley ${format(parley)} · (a) ${format(bare)}`, [
      atLeast('of (a)', parley / bare, 0.8),
    ]);
  },
  lists: async () => {
    const { parley, plain } = await compare(['parley', 'plain'], listsPerSecond);
    report('Lists of a 200-message chat per second', `Parley ${format(parley)} · (b) ${format(plain)}`, [
      atLeast('× (b)', parley / plain, 1),
    ]);
  },
  start: async () => {
    const { parley, plain } = await compare(['parley', 'plain'], startUpMs, 5);
    report('Start to first answer, empty store, ms', `Parley ${format(parley)} · (b) ${format(plain)}`, [
      below('× (b)', parley / plain, 1.5),
    ]);
    const reply = await compare(['parley', 'plain'], firstReplyMs, 5);
    report('Start to first reply, ms', `Parley ${format(reply.parley)} · (b) ${format(reply.plain)}`, []);
    const prepared = await prepareParley({ workspaces: 1, chatsPerWorkspace: 500, messagesPerChat: 200 });
    const workspaceId = prepared.chats[0]?.workspaceId ?? '';
    const large = await compare(['parley'], () => startUpMs('parley', { ...prepared, workspaceId }));
    await rm(prepared.folder, { recursive: true, force: true });
    report('Start to first answer with 100,000 messages, ms', `Parley ${format(large.parley)}`, [
      below('ms', large.parley, 2_000),
    ]);
  },
  window: async () => {
    const { empty, full, scriptKb, longChatMs, typing } = await measureWindow();
    report(
      'The window: from the link to the first paint / to the list of chats, ms',
      `10,000 chats ${format(full.firstPaintMs)} / ${format(full.listMs)} · empty store ${format(empty.firstPaintMs)} / ${format(empty.listMs)}`,
      [
        below('ms to the list of 10,000 chats', full.listMs, 1_000),
        below('kB of compressed JavaScript until then', scriptKb, 250),
      ],
    );
    report('Opening a chat of 5,000 messages, ms', format(longChatMs), []);
    report(
      'Typing: from a key to its paint, ms, one in twenty is slower',
      `while a reply streams at 200 words/s ${format(typing.streamingMs)} · at rest ${format(typing.atRestMs)} · ratio ${(typing.streamingMs / typing.atRestMs).toFixed(2)}`,
      [below('ms while streaming', typing.streamingMs, 50)],
    );
  },
  pictures: async () => {
    const { photos, none } = await measurePictures();
    report(
      'A chat of 200 messages with a photo each, beside one without: opening it / until its last photo is there, ms',
      `${format(photos.openMs)} / ${format(photos.shownMs)} · without ${format(none.openMs)} · from the end of a fast scroll to the first photo ${format(photos.thereMs)}`,
      [
        below('ms for a frame while it is scrolled through, one in twenty is slower', photos.frameMs, 50),
        below('of layout shift', photos.shift, 0.01),
        below(
          'ms from a key to its paint while a reply streams, one in twenty is slower',
          photos.typingMs,
          50,
        ),
      ],
    );
  },
  drawing: async () => {
    for await (const { name, longestMs } of measureDrawing(process.argv[3])) {
      report(
        `The page’s longest task with 100 kB, ms of its processor time: ${name}`,
        Object.entries(longestMs)
          .map(([action, ms]) => `${action} ${format(ms)}`)
          .join(' · '),
        [below('ms', longestOf(longestMs), GOAL_MS)],
      );
    }
  },
  streams: async () => {
    const { pace, cpuUs, readerCpuUs, bytes, pollMs, slowPollMs } = await measureStreams();
    report(
      '20 chats that stream at 100 tokens/s each, while one client polls',
      `${format(cpuUs)} µs of processor a token · (c) ${format(readerCpuUs)} · ratio ${(cpuUs / readerCpuUs).toFixed(2)} · ${format(bytes)} bytes on disk a token · a poll ${format(pollMs)} ms`,
      [
        below('× the streams’ own time', pace, 1.05),
        below('ms for a poll, one in twenty is slower', slowPollMs, 20),
      ],
    );
  },
  waits: async () => {
    const { idleShare, waitingShare } = await measureWaiting();
    report(
      '1,000 clients that wait with "wait="',
      `${format(waitingShare * 100)} % of a processor · ${format(idleShare * 100)} % without them`,
      [below('% of a processor more', (waitingShare - idleShare) * 100, 0.5)],
    );
    for (const chats of [1, 1_000]) {
      const figures: Record<'parley' | 'bare', AnswerFigures[]> = { parley: [], bare: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const name of ['bare', 'parley'] as const) figures[name].push(await measureAnswers(name, chats));
      }
      const of = (name: 'parley' | 'bare', figure: keyof AnswerFigures): number =>
        median(figures[name].map((one) => one[figure]));
      const show = (name: 'parley' | 'bare'): string =>
        `${format(of(name, 'firstMs'))} / ${format(of(name, 'medianMs'))} / ${format(of(name, 'lastMs'))} ms, ${format(of(name, 'cpuMs'))} ms of processor`;
      report(
        `The same for ${chats === 1 ? 'one chat' : '1,000 chats'}: from the change of its chat to the first / median / last client’s answer`,
        `Parley ${show('parley')} · (a) ${show('bare')} · ratio ${(of('parley', 'lastMs') / of('bare', 'lastMs')).toFixed(2)}`,
        [below('ms to the last answer', of('parley', 'lastMs'), 50)],
      );
    }
    const { parley } = await compare(['parley'], () => sendsThatWaitPerSecond());
    report('Turns per second when 1,000 clients send and wait at once', `Parley ${format(parley)}`, []);
  },
  desktop: async () => {
    const { runtime, readyMs, paintedMs, emptyMs } = await measureDesktop();
    report(
      `The desktop app on ${runtime}: from its start to the service / to the painted window, ms`,
      `${format(readyMs)} / ${format(paintedMs)} · a window with one word ${format(emptyMs)} · ratio ${(paintedMs / emptyMs).toFixed(2)}`,
      [],
    );
  },
  compactions: async () => {
    const isLarge = process.argv.includes('--million');
    const figures = await measureCompactions(isLarge ? 1_000_000 : 100_000);
    const { restMs, compactingMs, erasingMs, eraseOneMs, eraseManyMs, startAfterKillMs } = figures;
    report(
      `Compacting and deleting for good with ${isLarge ? '1,000,000' : '100,000'} messages: a poll, one in a hundred is slower, ms`,
      `at rest ${format(restMs)} · while drafts fill the log ${format(compactingMs)} · while 80 chats are deleted ${format(erasingMs)} · ` +
        `deleting one ${format(eraseOneMs)}, 80 ${format(eraseManyMs)} · MB before ${format(figures.memoryBeforeMb)}, after ${format(figures.memoryAfterMb)}`,
      [
        below('ms while compacting', compactingMs, isLarge ? 50 : 20),
        below('ms while deleting', erasingMs, isLarge ? 50 : 20),
        below('ms to start after a kill', startAfterKillMs, isLarge ? 6_000 : 2_000),
      ],
    );
  },
  stalls: async () => {
    const isLarge = process.argv.includes('--million');
    const stalls = await measureStalls(isLarge ? 1_000_000 : 100_000);
    report(
      `The longest block of the service’s event loop with ${isLarge ? '1,000,000' : '100,000'} messages, 50,000 of them in one chat, ms of its processor time`,
      stalls.map(({ operation, longestMs }) => `${operation} ${format(longestMs)}`).join(' · '),
      [below('ms', Math.max(...stalls.map(({ longestMs }) => longestMs)), isLarge ? 100 : 50)],
    );
  },
  memory: async () => {
    const { parley, plain } = await compare(
      ['parley', 'plain'],
      (name) => idleMemoryMb(name, IDLE_SECONDS),
      1,
    );
    report(
      `Resident memory, MB, ${IDLE_SECONDS} s after some turns`,
      `Parley ${format(parley)} · (b) ${format(plain)} · ratio ${(parley / plain).toFixed(2)}`,
      [below('MB', parley, 130)],
    );
  },
};

console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`);
for (const [name, section] of Object.entries(SECTIONS)) {
  if (only === undefined || only === name) await section();
}
