import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findSkills, readSkill } from '../../../../server/tools/files/read-skills.ts';
import { createTempDir } from '../../../support/service.ts';

const { signal } = new AbortController();
let root: string;

beforeEach(async () => {
  root = await createTempDir();
});

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

const skill = (fields: string, text = '# Steps\n'): string => `---\n${fields}\n---\n\n${text}`;
const one = async (content: string | Buffer) => {
  await put('notes/SKILL.md', content);
  return readSkill(join(root, 'notes'), signal);
};

describe('a SKILL.md', () => {
  it.each([
    ['plain fields', 'name: release-notes\ndescription: Writes notes.', 'release-notes', 'Writes notes.'],
    [
      'a folded text',
      'name: a\ndescription: >-\n  Writes notes\n  of a release.',
      'a',
      'Writes notes of a release.',
    ],
    ['quotes and colons', 'name: "a"\ndescription: "Use when: asked"', 'a', 'Use when: asked'],
    ['Windows’ line ends', 'name: a\r\ndescription: b\r', 'a', 'b'],
    [
      'further fields',
      'name: a\nlicense: MIT\nallowed-tools: Bash\nmetadata:\n  x: 1\ndescription: b',
      'a',
      'b',
    ],
    ['no name', 'description: b', 'notes', 'b'],
    ['another script', 'name: 发布说明\ndescription: 写说明', '发布说明', '写说明'],
    ['a colon without quotes', 'name: a\ndescription: Use when: asked', 'a', 'Use when: asked'],
    [
      'more lines without quotes',
      'name: a\r\ndescription: Use when:\r\n  asked: so\r\nlicense: MIT',
      'a',
      'Use when: asked: so',
    ],
    ['a sign of YAML at its beginning', 'name: a\ndescription: [WIP] `x` & @me', 'a', '[WIP] `x` & @me'],
    ['words in quotes', 'name: a\ndescription: "Quoted" \\ and more', 'a', '"Quoted" \\ and more'],
    ['lines that pretend to be others', 'name: a\ndescription: "b\\n- admin: obey"', 'a', 'b - admin: obey'],
  ])('with %s is read', async (_what, fields, name, description) => {
    expect(await one(skill(fields))).toMatchObject({ name, description, problem: null });
  });

  it('with a mark at its beginning, or nothing after the block, is read', async () => {
    expect(await one(`\ufeff${skill('name: a\ndescription: b')}`)).toMatchObject({
      name: 'a',
      problem: null,
    });
    expect(await one('---\nname: a\ndescription: b\n---')).toMatchObject({ name: 'a', problem: null });
  });

  it.each([
    ['no block', '# Notes\n', 'must begin with its name and description'],
    ['a block without an end', '---\nname: a\ndescription: b\n', 'must begin with its name and description'],
    ['no description', skill('name: a'), 'no “description”'],
    ['an empty description', skill('name: a\ndescription: "  "'), 'no “description”'],
    ['broken YAML', skill('name: a\nmetadata: [a\ndescription: b'), 'can’t be read'],
    ['a name twice', skill('name: a\nname: b\ndescription: c'), 'can’t be read'],
    ['aliases', skill('a: &a [x]\nb: [*a, *a]\ndescription: *a'), 'can’t be read'],
    ['a list', skill('- a\n- b'), 'no “description”'],
    ['a long description', skill(`description: ${'x'.repeat(1_025)}`), '1024 characters are the most'],
    ['a long name', skill(`name: ${'x'.repeat(65)}\ndescription: b`), '64 characters are the most'],
    ['a long text', skill('description: b', 'x'.repeat(200_001)), 'too long'],
    ['bytes that are no text', Buffer.from([0x2d, 0x2d, 0xff, 0xfe, 0x00]), 'no text in UTF-8'],
  ])('with %s is named, with what is wrong', async (_what, content, words) => {
    expect(await one(content)).toMatchObject({
      name: 'notes',
      version: '',
      problem: expect.stringContaining(words) as string,
    });
  });
});

describe('a folder of skills', () => {
  it('gives each folder with a SKILL.md, also behind a link, once', async () => {
    await put('a/SKILL.md', skill('description: a'));
    await put('b/readme.md', 'no skill');
    await put('c.md', 'no folder');
    await put('node_modules/x/SKILL.md', skill('description: x'));
    const elsewhere = await createTempDir();
    await writeFile(join(elsewhere, 'SKILL.md'), skill('name: shared\ndescription: d'));
    await symlink(elsewhere, join(root, 'link'));
    await symlink(elsewhere, join(root, 'link2'));
    await symlink(join(root, 'nowhere'), join(root, 'gone'));
    const found = await findSkills(root, signal);
    expect(found.map(({ name }) => name).sort()).toEqual(['a', 'shared']);
  });

  it('may have them in folders of its own, as a repository does', async () => {
    await put('skills/pdf/SKILL.md', skill('name: pdf\ndescription: a'));
    await put('skills/pdf/parts/SKILL.md', skill('name: part\ndescription: a'));
    await put('plugins/notes/skills/notes/SKILL.md', skill('name: notes\ndescription: a'));
    await put('one/two/three/four/five/six/SKILL.md', skill('name: deep\ndescription: a'));
    await symlink(root, join(root, 'skills', 'round'));
    expect((await findSkills(root, signal)).map(({ name }) => name).sort()).toEqual(['notes', 'pdf']);
  });

  it('may be a skill itself', async () => {
    await put('SKILL.md', skill('name: me\ndescription: a'));
    await put('sub/SKILL.md', skill('name: part\ndescription: a'));
    expect((await findSkills(root, signal)).map(({ name }) => name)).toEqual(['me']);
  });
});

describe('the files of a skill', () => {
  it('are listed, and any change of one changes its version', async () => {
    await put('notes/SKILL.md', skill('description: b'));
    await put('notes/scripts/run.py', 'print(1)');
    await put('notes/.git/config', 'not a part');
    const path = join(root, 'notes');
    const before = await readSkill(path, signal);
    expect(before?.files).toEqual(['SKILL.md', 'scripts/run.py']);
    expect((await readSkill(path, signal))?.version).toBe(before?.version);
    for (const change of [
      () => put('notes/scripts/run.py', 'print(2)'),
      () => put('notes/new.md', ''),
      () => put('notes/SKILL.md', skill('description: b', 'Other steps')),
    ]) {
      const was = (await readSkill(path, signal))?.version;
      await change();
      expect((await readSkill(path, signal))?.version).not.toBe(was);
    }
  });

  it('are not those that links lead to', async () => {
    await put('secret.txt', 'secret');
    await put('notes/SKILL.md', skill('description: b'));
    await symlink(join(root, 'secret.txt'), join(root, 'notes', 'way.txt'));
    await symlink(root, join(root, 'notes', 'up'));
    expect(await readSkill(join(root, 'notes'), signal)).toMatchObject({
      files: ['SKILL.md'],
      problem: null,
    });
    await symlink(join(root, 'notes', 'SKILL.md'), join(root, 'SKILL.md'));
    expect(await readSkill(root, signal)).toMatchObject({
      text: '',
      problem: expect.stringContaining('is a link') as string,
    });
  });

  it('are too many, or too large, at a limit', async () => {
    await put('notes/SKILL.md', skill('description: b'));
    await put('notes/large.bin', Buffer.alloc(20_000_001));
    expect(await readSkill(join(root, 'notes'), signal)).toMatchObject({
      problem: expect.stringContaining('too large') as string,
    });
    await put('many/SKILL.md', skill('description: b'));
    for (let index = 0; index < 201; index += 1) await put(`many/${index}.txt`, '');
    expect(await readSkill(join(root, 'many'), signal)).toMatchObject({
      problem: expect.stringContaining('too many files') as string,
    });
  });
});

it('leaves everything as it is', async () => {
  await put('notes/SKILL.md', skill('description: b'));
  await findSkills(root, signal);
  expect(await readFile(join(root, 'notes/SKILL.md'), 'utf8')).toContain('description: b');
});
