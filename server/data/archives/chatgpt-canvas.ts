/** ChatGPT's canvas: a call creates the document, later calls change it by expressions. */
import { fieldsOf, textOf, type Fields } from '../../lib/fields.ts';
import { documentPart, MAX_CHANGED_CHARACTERS, type WrittenDocument } from './markup.ts';
import { call, callInput, itemsIn, objects, stringIn, type SourcePart } from './source-chat.ts';

const CREATES = 'canmore.create_textdoc';
const CHANGES = 'canmore.update_textdoc';
/** How far back the document that a call changes is searched for, in messages. */
const MAX_DISTANCE = 1_000;
/** Expressions that stand for the whole text. */
const WHOLE = /^(?:\(\?s\))?(?:\.[*+]|\[\\s\\S\][*+])$/;

/** What a message writes to a tool. */
export const callText = (content: Fields): string =>
  textOf(content['text']) ?? itemsIn(content['parts']).map(stringIn).join('\n');

/** A document after a call; a text of null: what the calls so far made of it can't be known. */
type State = Omit<WrittenDocument, 'text'> & { text: string | null };

const UNKNOWN: State = { title: 'Canvas', language: '', text: null };

/** Reads the canvas calls of a chat by the ids of their messages: the call, and the document as it is then; null: it is no such call. */
export function createCanvasReader(mapping: Fields): (id: string) => SourcePart[] | null {
  const states = new Map<string, State>();
  let room = MAX_CHANGED_CHARACTERS;

  function after({ text: before, ...state }: State, updates: readonly Fields[]): State {
    const text = updates.reduce(changed, before);
    room -= text?.length ?? 0;
    return { ...state, text: room < 0 ? null : text };
  }
  function stateAt(id: string): State {
    const changes: { id: string; updates: Fields[] }[] = [];
    let state: State | undefined;
    let at = id;
    for (let distance = 0; state === undefined && distance < MAX_DISTANCE; distance += 1) {
      const entry = fieldsOf(mapping[at]);
      const { tool, input } = canvasCall(entry);
      state = states.get(at) ?? (tool === CREATES ? createdBy(input) : undefined);
      if (state === undefined && tool === CHANGES)
        changes.push({ id: at, updates: objects(input['updates']) });
      at = stringIn(entry['parent']);
    }
    state ??= UNKNOWN;
    for (const { id: changedBy, updates } of changes.toReversed())
      states.set(changedBy, (state = after(state, updates)));
    return state;
  }

  return (id) => {
    const { tool, input } = canvasCall(mapping[id]);
    if (tool === null) return null;
    const { text: whole, title, language } = stateAt(id);
    const { name, type, updates } = input;
    if (whole !== null) {
      const shown = tool === CREATES ? { name, type } : patternsOf(updates);
      return [call(null, tool, shown), ...documentPart({ title, language, text: whole })];
    }
    const put = objects(updates)
      .map(({ replacement }) => stringIn(replacement))
      .join('\n\n');
    return [call(null, tool, input), ...documentPart({ title: `${title} (changes)`, language, text: put })];
  };
}

const patternsOf = (updates: unknown): Fields => ({
  updates: objects(updates).map(({ pattern, multiple }) => ({ pattern, multiple })),
});

function canvasCall(entry: unknown): { tool: string | null; input: Fields } {
  const message = fieldsOf(fieldsOf(entry)['message']);
  const tool = stringIn(message['recipient']);
  if (tool !== CREATES && tool !== CHANGES) return { tool: null, input: {} };
  const input = fieldsOf(callInput(callText(fieldsOf(message['content']))));
  const isWhole = tool === CREATES ? typeof input['content'] === 'string' : Array.isArray(input['updates']);
  return { tool: isWhole ? tool : null, input };
}

function createdBy({ name, type, content }: Fields): State {
  const language = stringIn(type).replace(/^code\//, '');
  const named: Readonly<Record<string, string>> = { document: 'markdown', react: 'jsx' };
  return { title: textOf(name) ?? 'Canvas', language: named[language] ?? language, text: stringIn(content) };
}

/** The text with one change; null: its expression is more than plain text, or it gets too long. A stranger's expression could take forever. */
function changed(before: string | null, { pattern, replacement, multiple }: Fields): string | null {
  const put = stringIn(replacement);
  if (WHOLE.test(stringIn(pattern))) return put;
  const plain = plainPattern(stringIn(pattern));
  if (before === null || plain === '' || !before.includes(plain)) return null;
  if (multiple !== true) return before.replace(plain, () => put);
  const isTooLong = (before.length / plain.length) * put.length > MAX_CHANGED_CHARACTERS;
  return isTooLong ? null : before.replaceAll(plain, () => put);
}

/** The text that an expression stands for; empty: it stands for more than one. */
function plainPattern(pattern: string): string {
  const withoutEscapes = pattern.replace(/\\[^\w\s]/g, '');
  if (/[\\.*+?[\](){}|^$]/.test(withoutEscapes.replaceAll('\\n', ''))) return '';
  return pattern.replace(/\\(n|[^\w\s])/g, (_all, sign: string) => (sign === 'n' ? '\n' : sign));
}
