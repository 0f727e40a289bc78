/**
 * Turns the tree of another app's chat into Parley's versions: each user message with each of its replies is a version,
 * and of several exactly one is chosen (see repair-links.ts). Trees come from files: they may be as deep as a chat is
 * long, and contain cycles.
 */
import type { SourceChat, SourceNode } from './source-chat.ts';

/** A user message with one of its replies. */
export interface SourceTurn {
  /** Id of the user message; null: what came before the first one. */
  question: string | null;
  /** The messages that the reply was made of, in order. */
  reply: string[];
  /** Key of the turn that it is a version of, itself for the first; null: there is only one version. */
  versionOf: string | null;
  /** Key of the first turn with the same user message; null: it is that one. */
  retryOf: string | null;
  /** The turn that has to be chosen for this one to be shown; null: it is shown. */
  hiddenBy: string | null;
  /** Identifies it in the chat. */
  key: string;
}

/** A turn with what comes after it. */
interface Ending {
  question: string | null;
  end: string | null;
  depth: number;
  /** Of its messages, in characters. */
  size: number;
  next: string[];
}

/** How many characters hidden versions may add: a long message with a thousand replies would be there a thousand times. */
const MAX_HIDDEN_CHARACTERS = 4 * 1024 ** 2;
/** What a message counts for besides its text. */
const MESSAGE_CHARACTERS = 80;

/** Yields the turns of a chat, each after the one before it. Calls `onTooMany` if hidden versions are left out. */
export function* turnsOf(chat: SourceChat, onTooMany: () => void): Generator<SourceTurn> {
  const tree = plant(chat);
  let room = MAX_HIDDEN_CHARACTERS;
  const points: { questions: (string | null)[]; hiddenBy: string | null }[] = [
    { questions: [null], hiddenBy: null },
  ];
  for (let point = points.pop(); point !== undefined; point = points.pop()) {
    const { hiddenBy } = point;
    const endings = point.questions.flatMap((question) => endingsOf(tree, question));
    const chosen = chooseFrom(endings, tree.shown);
    const kept = endings.filter((ending) => {
      if (ending === chosen) return true;
      room -= ending.size;
      return room >= 0;
    });
    if (kept.length < endings.length) onTooMany();
    const seen = new Set<string>();
    const turns = kept.map((ending): SourceTurn => {
      const firstKey = `${ending.question ?? ''}\n`;
      const isFirst = !seen.has(firstKey);
      seen.add(firstKey);
      const key = isFirst ? firstKey : `${firstKey}${ending.end ?? ''}`;
      return {
        question: ending.question,
        reply: chainTo(tree, ending),
        versionOf: null,
        retryOf: isFirst ? null : firstKey,
        hiddenBy: ending === chosen ? hiddenBy : key,
        key,
      };
    });
    const first = turns[0];
    if (first?.question === null) {
      // Without a user message there can't be versions: one beginning is taken, with everything that follows any of them.
      const turn = turns[chosen === undefined ? 0 : kept.indexOf(chosen)] ?? first;
      const isShown = (id: string): boolean => tree.nodes.get(id)?.role !== 'none';
      const isLost = (ending: Ending): boolean =>
        ending !== chosen && ending.next.length === 0 && chainTo(tree, ending).some(isShown);
      if (kept.some(isLost)) onTooMany();
      yield { ...turn, hiddenBy: null };
      const questions = kept.flatMap(({ next }) => next);
      if (questions.length > 0) points.push({ questions, hiddenBy: null });
      continue;
    }
    for (const turn of turns) yield turns.length > 1 ? { ...turn, versionOf: first?.key ?? null } : turn;
    for (const [index, { next }] of kept.entries())
      if (next.length > 0) points.push({ questions: next, hiddenBy: turns[index]?.hiddenBy ?? null });
  }
}

interface Tree {
  nodes: ReadonlyMap<string, SourceNode>;
  children: Map<string | null, string[]>;
  /** The path to the message that was open last. */
  shown: Set<string>;
}

function plant({ nodes: read, current }: SourceChat): Tree {
  const nodes = withoutLoops(read);
  const parentOf = (id: string): string | null => {
    const { parent = null } = nodes.get(id) ?? {};
    return parent !== null && nodes.has(parent) ? parent : null;
  };
  const children = Map.groupBy(nodes.keys(), parentOf);
  // An app may list versions in any order.
  const begun = beginnings(nodes);
  const timeOf = (id: string): string => begun.get(id) ?? '';
  for (const siblings of children.values())
    if (siblings.every((id) => begun.has(id)))
      siblings.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : Number(timeOf(a) > timeOf(b))));
  const shown = new Set<string>();
  for (let id = current ?? null; id !== null; id = nodes.get(id)?.parent ?? null) shown.add(id);
  return { nodes, children, shown };
}

/** The nodes, of which none is above itself: of those in a circle, the one that comes first in the file has nothing above it. */
function withoutLoops(nodes: SourceChat['nodes']): Map<string, SourceNode> {
  const found = new Map(nodes);
  const seenFrom = new Map<string, string>();
  for (const first of nodes.keys()) {
    let id = first;
    for (; !seenFrom.has(id); id = nodes.get(id)?.parent ?? id) seenFrom.set(id, first);
    const node = found.get(id);
    if (node && node.parent !== null && seenFrom.get(id) === first) found.set(id, { ...node, parent: null });
  }
  return found;
}

/** When each message, or the first one after it that has a time, was written. */
function beginnings(nodes: SourceChat['nodes']): Map<string, string> {
  const timed = [...nodes].flatMap(([id, { createdAt }]) => (createdAt === null ? [] : [{ id, createdAt }]));
  timed.sort((a, b) => (a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt)));
  const begun = new Map(timed.map(({ id, createdAt }) => [id, createdAt]));
  for (const { id, createdAt } of timed) {
    let at = nodes.get(id)?.parent ?? null;
    for (; at !== null && !begun.has(at); at = nodes.get(at)?.parent ?? null) begun.set(at, createdAt);
  }
  return begun;
}

/** All paths from a user message to the next one, or to the end. */
function endingsOf({ nodes, children }: Tree, question: string | null): Ending[] {
  const endings: Ending[] = [];
  const open: Omit<Ending, 'question' | 'next'>[] = [{ end: question, depth: 0, size: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { end: id, depth } = at;
    const size = at.size + sizeOf(nodes.get(id ?? ''));
    const below = children.get(id) ?? [];
    const next = below.filter((child) => nodes.get(child)?.role === 'user');
    const rest = below.filter((child) => nodes.get(child)?.role !== 'user');
    if (next.length > 0 || rest.length === 0) endings.push({ question, end: id, depth, size, next });
    for (const child of rest.toReversed()) open.push({ end: child, depth: depth + 1, size });
  }
  return endings;
}

const sizeOf = (node: SourceNode | undefined): number =>
  (node?.parts ?? []).reduce(
    (sum, part) => sum + ('text' in part ? part.text.length : 0),
    MESSAGE_CHARACTERS,
  );

/** The one that was open last, else the newest. */
function chooseFrom(endings: readonly Ending[], shown: ReadonlySet<string>): Ending | undefined {
  const isShown = (id: string | null): boolean => id === null || shown.has(id);
  const asked = endings.filter(({ question }) => isShown(question));
  const goesOn = asked.find(({ next }) => next.some((id) => shown.has(id)));
  const deepest = asked.reduce<Ending | undefined>(
    (best, ending) => (ending.depth > (best?.depth ?? 0) && isShown(ending.end) ? ending : best),
    undefined,
  );
  return goesOn ?? deepest ?? asked.at(-1) ?? endings.at(-1);
}

function chainTo({ nodes }: Tree, { question, end }: Ending): string[] {
  const chain: string[] = [];
  for (let id = end; id !== null && id !== question && nodes.has(id); id = nodes.get(id)?.parent ?? null)
    chain.push(id);
  return chain.reverse();
}
