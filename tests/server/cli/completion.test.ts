import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostedParley } from '../../support/parley.ts';
import { CLI } from '../../support/service-process.ts';
import { createTempDir } from '../../support/service.ts';

const NODE = process.execPath;
/** Shells, as nobody has configured them; zsh outside of its line editor, whose functions print what they are given. */
const SHELLS = {
  bash: { args: ['--norc'], check: ['-n'], prelude: `parley() { "${NODE}" "${CLI}" "$@"; }` },
  zsh: {
    args: ['-f'],
    check: ['-n'],
    prelude: `parley() { "${NODE}" "${CLI}" "$@" }; compdef() { : }; compset() { : }
      _describe() { print -rl -- "\${(@P)2}" }; _files() { print files }`,
  },
  fish: {
    args: ['--no-config'],
    check: ['--no-execute'],
    prelude: `function parley; "${NODE}" "${CLI}" $argv; end`,
  },
} as const;
type Shell = keyof typeof SHELLS;

/** What a shell that has the script prints for some lines; null where that shell isn't installed. */
async function inShell(shell: Shell, lines: string): Promise<string | null> {
  const file = join(await createTempDir(), 'script');
  await writeFile(file, (await hostedParley(['completion', shell])).stdout);
  const { args, prelude } = SHELLS[shell];
  const script = `${prelude}\nsource "${file}"\n${lines}`;
  const { stdout, error } = spawnSync(shell, [...args, '-c', script], { encoding: 'utf8' });
  return error === undefined ? stdout.trim() : null;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
const quotedForFish = (text: string): string => `'${text.replace(/['\\]/g, String.raw`\$&`)}'`;

/** Lines that print what a shell completes the last word to, without what it tells of each. */
function completing(shell: Shell, ...words: string[]): string {
  const typed = ['parley', ...words].map(quoted).join(' ');
  const last = words.length;
  if (shell === 'bash')
    return `COMP_WORDS=(${typed}); COMP_CWORD=${last}; __parley_complete; echo "\${COMPREPLY[*]}"`;
  if (shell === 'zsh')
    return `words=(${typed}); CURRENT=${last + 1}; PREFIX=$words[CURRENT]; print -r -- $(_parley | cut -d: -f1)`;
  return `echo (complete -C ${quotedForFish(`parley ${words.join(' ')}`)} | cut -f1)`;
}

const complete = (shell: Shell, ...words: string[]): Promise<string | null> =>
  inShell(shell, completing(shell, ...words));

it('has a script for each shell, which those that are here can read', async () => {
  const dir = await createTempDir();
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { code, stdout } = await hostedParley(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/parley complete '?--/);
    const file = join(dir, shell);
    await writeFile(file, stdout);
    if (shell === 'powershell') continue;
    const { status, error, stderr } = spawnSync(shell, [...SHELLS[shell as Shell].check, file]);
    if (error === undefined) expect([status, stderr.toString()]).toEqual([0, '']);
  }
  expect(await hostedParley(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
});

it('has shells complete commands, options and their values, and files where those fit', async () => {
  const answers: [expected: string, answer: string | null][] = [
    ['agent chat', await complete('bash', 'ask', '--mode', '')],
    ['agent', await complete('bash', 'ask', '--mode', '=', 'ag')],
    ['agent chat', await complete('bash', 'ask', '--mode', '=')],
    ['--mode --model', await complete('bash', 'ask', 'Why?', '--mo')],
    ['', await complete('bash', 'import', '')],
    ['agent', await complete('zsh', 'ask', '--mode', 'ag')],
    ['--mode --model', await complete('zsh', 'ask', '--mo')],
    ['files', await complete('zsh', 'import', '')],
    ['agent', await complete('fish', 'ask', '--mode', 'ag')],
    ['--mode=agent', await complete('fish', 'ask', '--mode=ag')],
    ['--mode --model', await complete('fish', 'ask', '--mo')],
  ];
  for (const [expected, answer] of answers) if (answer !== null) expect(answer).toBe(expected);
});

it('runs nothing of what was typed', async () => {
  const file = join(await createTempDir(), 'touched');
  const attacks = [
    `$(touch ${file})`,
    `'$(touch ${file})'`,
    `\`touch ${file}\``,
    `a[$(touch ${file})]`,
    `--x$(touch\${IFS}${file})=`,
    `;touch ${file};`,
    `'; touch ${file}; '`,
  ];
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const lines = attacks.flatMap((attack) => [
      completing(shell, 'ask', attack),
      completing(shell, 'ask', attack, ''),
    ]);
    await inShell(shell, lines.join('\n'));
    expect([shell, existsSync(file)]).toEqual([shell, false]);
  }
});

it('answers with commands, options and their values', async () => {
  const [commands, options, values] = await Promise.all([
    hostedParley(['complete', '--', '']),
    hostedParley(['complete', '--', 'ask', '--mo']),
    hostedParley(['complete', '--', 'ask', '--mode', '']),
  ]);
  expect(commands.stdout).toContain('ask\tsend a message');
  expect(commands.stdout).not.toContain('complete\t');
  expect(options.stdout).toMatch(/--mode\t[^]*--model\t/);
  expect(values.stdout).toMatch(/^agent\t?\nchat/);
});
