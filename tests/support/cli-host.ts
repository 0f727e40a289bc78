/** A process that runs one command of `parley` at a time, as it is sent them: starting a process takes most of the time of a short command. */
import { Console } from 'node:console';
import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../server/cli/main.ts';
import type { Ended, HostedCommand } from './parley.ts';

/** A stream that keeps what is written to it. */
function keep(): { stream: Writable; text: () => string } {
  const pieces: Buffer[] = [];
  const write: Writable['_write'] = (piece: Buffer, _encoding, done) => {
    pieces.push(piece);
    done();
  };
  return { stream: new Writable({ write }), text: () => Buffer.concat(pieces).toString() };
}

/** Runs a command with its own standard streams and environment. */
async function run({ args, env }: HostedCommand): Promise<Ended> {
  const [output, errors] = [keep(), keep()];
  const own = { stdin: Readable.from([]), stdout: output.stream, stderr: errors.stream, env };
  for (const [name, value] of Object.entries(own))
    Object.defineProperty(process, name, { value, configurable: true });
  process.exitCode = undefined;
  globalThis.console = new Console(output.stream, errors.stream);
  const code = await runCommand(args, import.meta.url);
  return { code, stdout: output.text(), stderr: errors.text() };
}

process.on('message', (command: HostedCommand) => void run(command).then((ended) => process.send?.(ended)));
process.on('disconnect', () => process.exit());
