import fc from 'fast-check';
import { expect, it } from 'vitest';
import { convertChat } from '../../../server/data/archives/convert-chat.ts';
import type { SourceChat, SourceNode } from '../../../server/data/archives/source-chat.ts';
import { createFindings } from '../../../server/data/findings.ts';

const ROLES = ['user', 'assistant', 'none'] as const;

/** Trees of any shape: each node hangs on one before it, or on nothing. */
const anyTree = fc
  .array(
    fc.record({
      role: fc.constantFrom(...ROLES),
      parent: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    }),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((drawn): SourceChat => {
    const nodes = new Map<string, SourceNode>();
    for (const [index, { role, parent }] of drawn.entries()) {
      const before = Math.floor(parent * (index + 1)) - 1;
      nodes.set(`n${index}`, {
        parent: before < 0 ? null : `n${before}`,
        role,
        createdAt: null,
        model: null,
        parts: role === 'none' ? [] : [{ kind: 'text', text: `n${index}` }],
      });
    }
    return {
      id: 'chat',
      title: 'Tree',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: null,
      pinned: false,
      archived: false,
      model: null,
      nodes,
      current: null,
    };
  });

const bring = (source: SourceChat, findings = createFindings()) =>
  convertChat(source, 'chatgpt', 1, findings);

it('a tree of any shape becomes versions that hang together, and loses nobody’s words but greetings', () => {
  fc.assert(
    fc.property(anyTree, fc.nat(), (tree, chosen) => {
      const current = `n${chosen % tree.nodes.size}`;
      const findings = createFindings();
      const brought = bring({ ...tree, current }, findings);
      const said = [...tree.nodes].filter(([, { role }]) => role === 'user').map(([id]) => id);
      if (brought === null) {
        expect(said).toEqual([]);
        return;
      }
      const { messages, fileIds } = brought;
      expect(new Set(fileIds).size).toBe(messages.length);
      // Links that don't fit together would be dropped, and told of.
      expect(findings.found.problems.filter(({ what }) => what.includes('fit together'))).toEqual([]);
      const shown = messages.filter(({ hiddenBy }) => hiddenBy === null);
      const listed = shown.flatMap(({ content }) => content.split('\n\n'));
      // What was open last is listed, in its order, and nothing twice.
      const path: string[] = [];
      for (let id: string | null = current; id !== null; id = tree.nodes.get(id)?.parent ?? null)
        if (tree.nodes.get(id)?.role !== 'none') path.unshift(id);
      if (path.some((id) => tree.nodes.get(id)?.role === 'user'))
        expect(listed.filter((id) => path.includes(id))).toEqual(path);
      expect(new Set(listed).size).toBe(listed.length);
      const all = new Set(messages.flatMap(({ content }) => content.split('\n\n')));
      expect(said.filter((id) => !all.has(id))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it('of messages that are above each other in a circle the first of the file is the beginning', () => {
  const node = (role: 'user' | 'assistant', parent: string, text: string): SourceNode => ({
    ...{ role, parent, createdAt: null, model: null },
    parts: [{ kind: 'text', text }],
  });
  for (const [nodes, texts] of [
    [
      { a: node('user', 'c', 'a'), b: node('assistant', 'a', 'b'), c: node('user', 'b', 'c') },
      ['a', 'b', 'c'],
    ],
    [{ a: node('user', 'a', 'a'), b: node('assistant', 'a', 'b') }, ['a', 'b']],
    [{ a: node('assistant', 'b', 'a'), b: node('user', 'a', 'b') }, ['a', 'b']],
  ] as const)
    for (const current of [null, 'a', 'b']) {
      const [tree] = fc.sample(anyTree, 1);
      const brought = tree && bring({ ...tree, nodes: new Map(Object.entries(nodes)), current });
      expect(brought?.messages.map(({ content }) => content)).toEqual(texts);
    }
});

it('the same chat has the same ids, whatever has been added to it', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const [first, again] = [bring(tree), bring(tree)];
      expect(again).toEqual(first);
      const nodes = new Map(tree.nodes);
      nodes.set('late', {
        parent: [...nodes.keys()].at(-1) ?? null,
        role: 'user',
        createdAt: null,
        model: null,
        parts: [{ kind: 'text', text: 'late' }],
      });
      const ids = new Set(bring({ ...tree, nodes })?.messages.map(({ id }) => id));
      const questions = first?.messages.filter(({ role, versionOf }) => role === 'user' && !versionOf) ?? [];
      expect(questions.filter(({ id }) => !ids.has(id))).toEqual([]);
    }),
  );
});
