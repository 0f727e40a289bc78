/**
 * Plans the answer to a message: splits it into requests and offers each to the skills in a fixed order. The first that understands
 * all of a request takes it. If one understands all but a part, the answer names that part and nothing is called.
 */
import { fieldsOf } from '../../lib/fields.ts';
import { findNotes } from '../../tools/notes.ts';
import { ALL_TOOLS } from '../../tools/index.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { contentWords } from '../../tools/words.ts';
import { splitMessage, type Knows, type RequestPart } from './parts/requests.ts';
import type { ReadPrompt } from './reading/conversation.ts';
import { isElliptical, leansBack, looksLikeAsk, stripCourtesy } from './reading/courtesy.ts';
import { textIn } from './reading/history.ts';
import { longestQuotation } from './reading/marks.ts';
import { fixTypos } from './reading/typos.ts';
import type { AssistantContext, EarlierExchange, Request, OfflineSkill, ToolRequest } from './skill.ts';
import { ORDER, skillsOfTool } from './skills/index.ts';
import { lookUp, notesSkill } from './skills/notes/index.ts';
import { formatUnused } from './wording/refusals.ts';

/** What is to be done about one request of a message. */
export type PlanItem = { part: RequestPart; request: Request } & (
  | {
      kind: 'call';
      skill: OfflineSkill;
      toolRequest: ToolRequest;
      /** The next request works on the result of this one, which is then not shown by itself. */
      feeds?: true;
      /** Nothing else knows the request, and a note might. */
      isGuess?: true;
    }
  /** `isPart`: a skill understood all but a part of it, and the text says so. */
  | { kind: 'say'; text: string; isPart?: true }
  /** A skill knows it, but its tool is not offered. */
  | { kind: 'needs-tool'; skill: OfflineSkill }
  | { kind: 'unknown' }
);

/** What the assistant may use for a message. */
interface Means {
  /** Names of the tools offered. */
  tools: ReadonlySet<string>;
  now: Date;
  timeZone: string;
}

/** Tools that turn one text into another and depend only on their input. */
const CHANGING =
  'sort_list remove_duplicates change_case format_text replace_text reverse_text encode_text'.split(' ');

/** Most texts tried while a message is split; the rest is then left whole. */
const MAX_TRIES = 60;

type Found = { skill: OfflineSkill; toolRequest: ToolRequest } | { say: string };

/** Decides what to do about a message: one item for each of its requests, in their order, chatter left out. */
export function makePlan(conversation: ReadPrompt, { tools, now, timeZone }: Means): PlanItem[] {
  const { message, summary, history } = conversation;
  const chat: AssistantContext = { hasTools: tools.size > 0, summary };
  const items: PlanItem[] = [];
  const toRequest = (text: string, material: string | null, isAlone: boolean): Request => ({
    ...{ text, material, message, now, timeZone },
    history: isAlone ? [] : [...history, ...items.flatMap(asExchange)],
  });
  const tried = new Map<string, ReturnType<Knows>>();
  const knows: Knows = (text, material) => {
    const own = material ?? longestQuotation(text);
    const key = `${text}\n${own ?? ''}`;
    if (!tried.has(key) && tried.size < MAX_TRIES && text !== '') {
      const found = find(toRequest(text, own, own !== null || !leansBack(text)), chat);
      tried.set(key, found && (isPart(found) ? 'part' : 'whole'));
    }
    return tried.get(key) ?? null;
  };

  const parts = splitMessage(message, knows);
  for (const part of parts) {
    // A remark among other sentences is never a follow-up: it is read without the history.
    const isRemark = parts.length > 1 && !looksLikeAsk(part.text) && !isElliptical(part.text);
    const request = toRequest(part.text, part.material, isRemark);
    items.push(toItem(part, request, find(request, chat), tools));
  }
  inTurn(items, chat);
  return withoutChatter(heedRemarks(items));
}

/** Two changes to one text are made one after the other: the second works on the result of the first, which isn't shown by itself. */
function inTurn(items: PlanItem[], chat: AssistantContext): void {
  items.forEach((item, index) => {
    const before = items[index - 1];
    if (before?.kind !== 'call' || item.kind !== 'call') return;
    const { tool, input } = before.toolRequest;
    if (!CHANGING.includes(tool) || !CHANGING.includes(item.toolRequest.tool)) return;
    if (item.part.material === null || item.part.material !== before.part.material) return;
    const made = ALL_TOOLS.find(({ name }) => name === tool)?.run(input, {} as ToolContext);
    const found = find({ ...item.request, material: textIn(fieldsOf(made)), history: [] }, chat);
    if (found === null || !('toolRequest' in found)) return;
    items[index] = { ...item, ...found };
    items[index - 1] = { ...before, feeds: true };
  });
}

function toItem(part: RequestPart, request: Request, found: Found | null, tools: Means['tools']): PlanItem {
  if (found === null) {
    const query = tools.has(findNotes.name) ? lookUp(stripCourtesy(request.text)) : null;
    if (query === null) return { part, request, kind: 'unknown' };
    const toolRequest = { tool: findNotes.name, input: { query } };
    return { part, request, kind: 'call', skill: notesSkill, toolRequest, isGuess: true };
  }
  if ('say' in found) return { part, request, kind: 'say', text: found.say };
  const { skill, toolRequest } = found;
  if (toolRequest.unused !== undefined)
    return { part, request, kind: 'say', text: formatUnused(toolRequest.unused), isPart: true };
  return tools.has(toolRequest.tool)
    ? { part, request, kind: 'call', skill, toolRequest }
    : { part, request, kind: 'needs-tool', skill };
}

const isPart = (found: Found): boolean => 'toolRequest' in found && found.toolRequest.unused !== undefined;

/** Offers a request to the skills: as it is, without its politeness, then with its spelling corrected. */
function find(request: Request, chat: AssistantContext): Found | null {
  const bare = stripCourtesy(request.text);
  let second: Found | null = null;
  for (const text of new Set([request.text, bare, fixTypos(bare) ?? bare])) {
    const found = findAsAsked({ ...request, text }, chat);
    if (found !== null && !isPart(found)) return found;
    second ??= found;
  }
  return second;
}

/** The first skill that reads a request whole, else the first that reads a part. A follow-up is first for the skill that answered last. */
function findAsAsked(request: Request, chat: AssistantContext): Found | null {
  // A request with its own material is no follow-up.
  const isFollowUp = request.material === null && isElliptical(request.text);
  const lastTool = isFollowUp ? request.history.at(-1)?.steps.at(-1)?.tool : undefined;
  let second: Found | null = null;
  for (const skill of [...(lastTool === undefined ? [] : skillsOfTool(lastTool)), ...ORDER]) {
    if (typeof skill === 'function') {
      const say = skill(request, chat);
      if (say !== null) return { say };
      continue;
    }
    const toolRequest = skill.parse(request);
    if (toolRequest !== null && toolRequest.unused === undefined) return { skill, toolRequest };
    if (toolRequest !== null) second ??= { skill, toolRequest };
  }
  return second;
}

/** "But leave out the 4." after a request: a remark that limits it. */
const LIMITS =
  /^(?:and |but |now |then |please |also )*(?:but|except|only|just|not|without|excluding|ignor(?:e|ing)|skip|leave|omit|no|plus|minus|times|round(?:ed)?|don['’]t (?:count|include|use))\b/i;

/** Refuses a request if a remark after it limits it and isn't understood: the result would be wrong. */
const heedRemarks = (items: PlanItem[]): PlanItem[] =>
  items.map((item, index) => {
    const next = items[index + 1];
    const isUnread = next?.kind === 'unknown' || (next?.kind === 'say' && next.isPart);
    if (!isUnread || item.kind !== 'call') return item;
    const { text } = next.part;
    // "Rows marked refund count as negative": it speaks of what the request is about.
    const about = (next.part.material ?? '').toLowerCase();
    const isAbout = contentWords(text).some((word) => word.length > 3 && about.includes(word.toLowerCase()));
    return LIMITS.test(text) || isAbout ? { ...item, kind: 'say', text: formatUnused(text) } : item;
  });

/** An earlier request of the same message as history for the next; its result is not known yet. */
function asExchange(item: PlanItem): EarlierExchange[] {
  if (item.kind !== 'call') return [];
  const { tool, input } = item.toolRequest;
  return [{ question: item.part.text, answer: '', steps: [{ id: '', tool, status: 'done', input }] }];
}

/** Greetings, thanks and remarks need no answer beside one that does something. */
function withoutChatter(items: PlanItem[]): PlanItem[] {
  if (items.length < 2) return items;
  const isChatter = (item: PlanItem) =>
    (item.kind === 'unknown' || item.kind === 'say') && !looksLikeAsk(item.part.text);
  const asking = items.filter((item) => !isChatter(item));
  if (asking.length > 0) return asking;
  const answered = items.filter((item) => item.kind !== 'unknown');
  return answered.length > 0 ? answered : items;
}
