import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLogFile } from '../../../server/process/log-file.ts';
import { eventually } from '../../support/eventually.ts';
import { modeOf, PRIVATE_FILE, PRIVATE_FOLDER } from '../../support/platform.ts';
import { createTempDir } from '../../support/service.ts';

const LINE = 'x'.repeat(1_900);

describe('a log file', () => {
  it('holds each line with its time, and adds to what is there', async () => {
    const dir = join(await createTempDir(), 'state', 'parley');
    for (const line of ['first', 'second']) {
      const log = openLogFile(dir);
      expect(log.path).toBe(join(dir, 'parley.log'));
      log.write(line);
      await log.close();
      log.write('too late');
    }
    const lines = (await readFile(join(dir, 'parley.log'), 'utf8')).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z first$/);
    expect(lines[1]).toMatch(/Z second$/);
  });

  it('is readable by its owner only, also where it was not before', async () => {
    const dir = join(await createTempDir(), 'logs');
    await mkdir(dir, { mode: 0o755 });
    await writeFile(join(dir, 'parley.log'), 'old\n');
    await chmod(join(dir, 'parley.log'), 0o644);
    const log = openLogFile(dir);
    log.write('new');
    await log.close();
    expect([await modeOf(dir), await modeOf(log.path)]).toEqual([PRIVATE_FOLDER, PRIVATE_FILE]);
    expect(await readFile(log.path, 'utf8')).toMatch(/^old\n.* new\n$/);
  });

  it('makes no folder and no file before there is something to write', async () => {
    const dir = join(await createTempDir(), 'logs');
    await openLogFile(dir).close();
    expect(existsSync(dir)).toBe(false);
  });

  it('is replaced at 1 MiB, and five old ones are kept', async () => {
    const dir = await createTempDir();
    const log = openLogFile(dir);
    for (let file = 0; file < 8; file += 1) {
      for (let line = 0; line < 560; line += 1) log.write(`${file} ${LINE}`);
      await eventually(async () => {
        log.write(`end of ${file}`);
        expect(await readFile(log.path, 'utf8').catch(() => '')).toContain(`end of ${file}`);
      });
    }
    await log.close();
    const files = (await readdir(dir)).sort();
    expect(files).toEqual(['parley.log', ...[1, 2, 3, 4, 5].map((index) => `parley.log.${index}`)]);
    for (const file of files) {
      expect((await stat(join(dir, file))).size).toBeLessThan(1.1 * 1024 * 1024);
      expect(await modeOf(join(dir, file))).toBe(PRIVATE_FILE);
    }
  });

  it('holds no keys, no control characters and no endless lines', async () => {
    const dir = await createTempDir();
    const log = openLogFile(dir);
    log.write(`at http://127.0.0.1:1/#token=page_${'a'.repeat(43)} \u001b[31m\r\nparley_${'b'.repeat(43)}`);
    log.write(`${'c'.repeat(1_990)} sk-${'d'.repeat(40)} ${'e'.repeat(5_000)}`);
    log.write('line\n'.repeat(1_000));
    await log.close();
    const text = await readFile(log.path, 'utf8');
    expect(text).not.toMatch(/aaa|bbb|ddd|e{20}|\u001b|\r/);
    expect(text).toContain('#token=… ?[31m\n  parley_…\n');
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(2_050);
    expect(text.split('\n').length).toBeLessThan(80);
    expect(text).toContain('more lines');
  });
});

describe('a disk that refuses', () => {
  it('costs lines, and nothing else; the log says how many when it goes on', async () => {
    const root = await createTempDir();
    const dir = join(root, 'logs');
    await writeFile(dir, 'a file where the folder should be');
    const log = openLogFile(dir, 0);
    for (const line of ['a', 'b', 'c']) log.write(line);
    await rm(dir);
    await eventually(async () => {
      log.write('after');
      expect(await readFile(log.path, 'utf8')).toContain('after');
    });
    await log.close();
    expect(await readFile(log.path, 'utf8')).toMatch(
      /^\S+ \(entries that could not be written: \d+\)\n\S+ after\n/,
    );
  });

  it('is not tried again for every line', async () => {
    const dir = join(await createTempDir(), 'logs');
    await writeFile(dir, '');
    const log = openLogFile(dir);
    log.write('a');
    await rm(dir);
    log.write('b');
    await log.close();
    expect(existsSync(dir)).toBe(false);
  });

  it('where the file is a folder keeps nobody waiting', async () => {
    const dir = await createTempDir();
    await mkdir(join(dir, 'parley.log'));
    const log = openLogFile(dir, 0);
    log.write('a');
    log.write('b');
    await log.close();
    expect(await readdir(dir)).toEqual(['parley.log']);
  });
});
