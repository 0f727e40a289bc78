/**
 * The rehearsal model's scripts: Markdown that is streamed as it is, with directives at the start of lines
 * (models/README.md lists them). Calls are skipped where no tools are offered, and so is a part in which nothing happens.
 */
import type { Act, ScriptPart } from './acts.ts';
import { addAct, DIRECTIVES, refuse, ScriptError, type ScriptReading } from './directives.ts';

const DEFAULT_SPEED = 40;

const DIRECTIVE = /^::([A-Za-z][\w-]*)(?:[ \t]+([^ \t].*)?)?$/;

const emptyPart = (): ScriptPart => ({ rounds: [[]], usage: null });

/** The parts of a script, at least one; throws {@link ScriptError}. */
export function readScript(text: string): ScriptPart[] {
  const reading: ScriptReading = {
    parts: [],
    part: emptyPart(),
    lines: [],
    tokensPerSecond: DEFAULT_SPEED,
    thinkLine: null,
    ended: null,
    line: 0,
  };
  for (const line of text.split(/\r\n|[\r\n]/)) {
    reading.line += 1;
    readLine(reading, line);
  }
  endPart(reading);
  if (reading.parts.length === 0) throw new ScriptError('There is nothing in the script.');
  return reading.parts;
}

function readLine(reading: ScriptReading, line: string): void {
  if (/^---[ \t]*$/.test(line)) {
    endPart(reading);
    return;
  }
  const [, name, rest = ''] = DIRECTIVE.exec(line) ?? [];
  if (name === undefined) {
    if (line.trim() !== '') refuseAfterEnd(reading);
    reading.lines.push(/^\\(::|---)/.test(line) ? line.slice(1) : line);
    return;
  }
  const direct = Object.hasOwn(DIRECTIVES, name) ? DIRECTIVES[name] : undefined;
  if (direct === undefined) {
    const shown = name.slice(0, 40);
    refuse(
      reading,
      `there is no directive “::${shown}”. Write “\\::${shown}” for text that begins like this.`,
    );
  }
  refuseAfterEnd(reading);
  endText(reading);
  direct(reading, rest.trim());
}

function refuseAfterEnd(reading: ScriptReading): void {
  if (reading.ended !== null) {
    refuse(reading, `nothing comes after “${reading.ended}”. Put “---” before what the next message plays.`);
  }
}

function endText(reading: ScriptReading): void {
  const { lines, tokensPerSecond, thinkLine } = reading;
  if (lines.length === 0) return;
  reading.lines = [];
  const text = `${lines.join('\n')}\n`;
  const isAfterCalls = reading.part.rounds.at(-1)?.at(-1)?.act === 'call';
  // Blank lines between calls, or before text, make no round of their own.
  if (isAfterCalls && text.trim() === '') return;
  addAct(reading, { act: 'write', as: thinkLine === null ? 'text' : 'reasoning', text, tokensPerSecond });
}

function endPart(reading: ScriptReading): void {
  if (reading.thinkLine !== null) {
    refuse({ line: reading.thinkLine }, '“::think” has no “::end” in its part.');
  }
  endText(reading);
  const { part } = reading;
  part.rounds = part.rounds.map(withoutBlankEdges);
  if (part.rounds.some((round) => round.length > 0)) reading.parts.push(part);
  reading.part = emptyPart();
  reading.ended = null;
}

/** Blank lines before the first and after the last words of a round are layout of the script, not part of the reply. */
function withoutBlankEdges(round: Act[]): Act[] {
  const trimmed = round.map((act) => ({ ...act }));
  for (const as of ['text', 'reasoning'] as const) {
    const writes = trimmed.filter((act) => act.act === 'write').filter((act) => act.as === as);
    for (const write of writes) {
      write.text = write.text.replace(/^(?:[^\S\n]*\n)+/, '');
      if (write.text !== '') break;
    }
    for (const write of writes.reverse()) {
      write.text = write.text.trimEnd();
      if (write.text !== '') break;
    }
  }
  return trimmed.filter((act) => act.act !== 'write' || act.text !== '');
}

const SCRIPT =
  /^ {0,3}((`|~)\2{2,})[ \t]*rehearsal[ \t]*(?:\n([^]*?))??(?:\n[^\S\n]*\1\2*[^\S\n]*$|(?![^]))/m;

/**
 * The text of a message's first fenced block `rehearsal`, without its fence; null when it has none. As in Markdown, the
 * fence ends with one of its own kind that is at least as long, so that a script may hold shorter ones, or with the text.
 */
export function findScript(message: string): string | null {
  const found = SCRIPT.exec(message.replace(/\r\n?/g, '\n'));
  return found && (found[3] ?? '');
}
