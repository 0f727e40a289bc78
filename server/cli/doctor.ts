/** `parley doctor`: checks everything that Parley depends on, changes nothing, and says what to do. */
import { existsSync } from 'node:fs';
import { VERSION } from '../lib/version.ts';
import { findOwner } from '../process/owner/owner.ts';
import { lookAtFiles } from './doctor-files.ts';
import { lookAtPort, lookAtService } from './doctor-service.ts';
import { lookAtStore } from './doctor-store.ts';
import { EXIT } from './exit-codes.ts';
import { type Finding, findingsOf } from './finding.ts';
import { hint, proseColumns, say, sayJson, styled, withoutControls } from './terminal.ts';
import { wrap } from './text-width.ts';

/** Options of the command. */
export interface DoctorOptions {
  dataDir: string;
  json?: true;
}

/** Prints the findings; the exit code says whether there is a problem. */
export async function doctor({ dataDir, json }: DoctorOptions): Promise<void> {
  if (!json) hint(`Looking at ${dataDir}; nothing is changed.`);
  const findings = await examine(dataDir);
  const isSound = findings.every(({ state }) => state !== 'problem');
  if (json) sayJson({ dataDir, isSound, findings });
  else for (const finding of findings) sayFinding(finding);
  if (!isSound) process.exitCode = EXIT.failed;
}

async function examine(dataDir: string): Promise<Finding[]> {
  const { versions, platform, arch } = process;
  const program = findingsOf('Program').ok(`Parley ${VERSION}, Node ${versions.node}, ${platform} ${arch}`);
  const files = await lookAtFiles(dataDir);
  if (
    !existsSync(dataDir) ||
    files.some(({ check, state }) => check === 'Data folder' && state === 'problem')
  )
    return [program, ...files];
  const owner = await findOwner(dataDir);
  if (owner !== null) return [program, ...files, ...(await lookAtService(dataDir, owner))];
  const { findings, port } = await lookAtStore(dataDir);
  return [
    program,
    ...files,
    findingsOf('Service').ok(
      'No service is running with this data folder. Start it with parley serve or the app.',
    ),
    ...findings,
    await lookAtPort(port),
  ];
}

const LOOKS = { ok: 'green', warning: 'yellow', problem: 'red' } as const;
const MARKS = { ok: '✓', warning: '!', problem: '✗' } as const;
const INDENT = 17;

function sayFinding({ check, state, message, advice }: Finding): void {
  const mark = styled(LOOKS[state], MARKS[state]);
  const lines = [message, ...(advice === undefined ? [] : [`→ ${advice}`])].flatMap((text) =>
    wrap(withoutControls(text), Math.max(40, proseColumns() - INDENT)),
  );
  say(`${mark} ${check.padEnd(INDENT - 2)}${lines[0] ?? ''}`);
  for (const line of lines.slice(1)) say(' '.repeat(INDENT) + line);
}
