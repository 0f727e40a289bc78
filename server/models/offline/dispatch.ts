import { cutAlongside, type ToolOf } from './parts/alongside.ts';
import {
  asDirectQuestion,
  isElliptical,
  leansBack,
  looksLikeAsk,
  stripCourtesy,
} from './reading/courtesy.ts';
import type { Knows } from './parts/joined.ts';
import { longestQuotation } from './reading/marks.ts';
import type { Conversation } from './reading/conversation.ts';
import { splitMessage, type RequestPart } from './parts/requests.ts';
import { previousText, TRANSFORMING_TOOLS } from './reading/history.ts';
import {
  withText,
  type Chat,
  type Exchange,
  type Request,
  type Skill,
  type Talk,
  type Wish,
} from './skill.ts';
import { ORDER, skillsOfTool } from './skills/index.ts';
import { mendTypos } from './reading/typos.ts';
import { unheededPhrase } from './reading/unheeded.ts';
import { tellUnheeded } from './wording/refusals.ts';

/** What is to be done about one request of a message. */
export type PlanItem = { part: RequestPart; request: Request } &
  /** `feeds`: the next request works on the result of this one, which then is not told by itself. */
  (
    | { kind: 'call'; skill: Skill; wish: Wish; feeds?: boolean }
    | { kind: 'say'; text: string }
    /** A skill knows it, but its tool is not offered. */
    | { kind: 'needs-tool'; skill: Skill }
    | { kind: 'unknown' }
  );

/** What the assistant may use for a message. */
export interface Means {
  /** Names of the tools offered. */
  tools: ReadonlySet<string>;
  now: Date;
  timeZone: string;
}

/** Texts tried while a message is taken apart; after that the rest is taken as it stands. */
const MAX_TRIES = 48;
const MAX_TRIES_LATER = 8;

type Found = { skill: Skill; wish: Wish } | { say: string };

/** Decides what to do about a message: one item for each of its requests, in their order, chatter left out. */
export function makePlan(conversation: Conversation, means: Means): PlanItem[] {
  const chat: Chat = {
    hasTools: means.tools.size > 0,
    first: (worked) => conversation.first(worked),
    summary: conversation.summary,
  };
  const toRequest = (text: string, material: string | null, history: () => Exchange[]): Request => ({
    text,
    material,
    message: conversation.message,
    get history() {
      return history();
    },
    now: means.now,
    timeZone: means.timeZone,
  });

  const tried: { text: string; material: string | null; found: Found | null }[] = [];
  /** What a text asks by itself, with nothing said before; undefined when too many texts were tried. */
  const findAlone = (text: string, material: string | null): Found | null | undefined => {
    const known = tried.find((one) => one.text === text && one.material === material);
    if (known || tried.length >= MAX_TRIES) return known?.found;
    const found =
      text === ''
        ? null
        : find(
            toRequest(text, material, () => []),
            chat,
          );
    tried.push({ text, material, found });
    return found;
  };
  let triedLater = 0;
  /** What a text that leans on something asks, after all that was said before. */
  const findLater = (text: string): Found | null => {
    triedLater += 1;
    if (triedLater > MAX_TRIES_LATER || conversation.history().length === 0) return null;
    return find(
      toRequest(text, null, () => conversation.history()),
      chat,
    );
  };
  const knows: Knows = (text, material, surely = false) => {
    const own = material ?? longestQuotation(text);
    const found = findAlone(text, own) ?? (own === null && leansBack(text) ? findLater(text) : null);
    return found !== null && (!surely || isSure(found));
  };

  const items: PlanItem[] = [];
  const toolOf: ToolOf = (text, material) => {
    const found = findAlone(text, material);
    return found && 'wish' in found ? found.wish.tool : null;
  };
  const parts = splitMessage(conversation.message, knows).flatMap((part) => cutAlongside(part, toolOf));
  for (const part of parts) {
    let request = toRequest(part.text, part.material, () => conversation.history());
    // A remark among other sentences asks nothing, whatever was said before: its own meaning is all there is to know.
    const isRemark = parts.length > 1 && !looksLikeAsk(part.text) && !isElliptical(part.text);
    const isAlone = isRemark || conversation.history().length === 0;
    const alone = isAlone ? findAlone(part.text, part.material) : undefined;
    let found = alone === undefined ? find(request, chat) : alone;
    const previous = items.at(-1);
    if (previous?.kind === 'call') {
      const later = (material: string | null) =>
        toRequest(part.text, material, () => [...conversation.history(), asExchange(previous)]);
      // "Double it" is about the sum in the same message, whatever was said before.
      const leans = !isRemark && part.material === null && leansBack(part.text);
      const isStep = mayWorkOn(part, previous, found);
      const next = leans || isStep ? find(later(null), chat) : null;
      if (next && 'wish' in next) {
        const feeds = isStep && TRANSFORMING_TOOLS.has(next.wish.tool);
        if (leans || feeds || !found) [request, found, previous.feeds] = [later(null), next, feeds];
      }
    }
    items.push(toItem(part, request, found, means));
  }
  return withoutChatter(heedRemarks(items));
}

/** "But leave out the 4." after a request: a remark that limits it. */
const LIMITS =
  /^(?:and |but |now |then |please |also )*(?:but|except|only|just|not|without|excluding|ignor(?:e|ing)|skip|leave|omit|no|plus|minus|times|round(?:ed)?|don['’]t (?:count|include|use))\b/i;

/** A request isn't done where a remark after it limits it and isn't understood: what came of it would be something else. */
function heedRemarks(items: PlanItem[]): PlanItem[] {
  return items.map((item, index) => {
    const next = items[index + 1];
    const isLimited = next?.kind === 'unknown' && item.kind === 'call' && LIMITS.test(next.part.text);
    return isLimited ? { ...item, kind: 'say', text: tellUnheeded(next.part.text, item.wish.tool) } : item;
  });
}

function toItem(part: RequestPart, request: Request, found: Found | null, { tools }: Means): PlanItem {
  if (!found) return { part, request, kind: 'unknown' };
  if ('say' in found) return { part, request, kind: 'say', text: found.say };
  const { skill, wish } = found;
  if (wish.isLastResort && !tools.has(wish.tool)) return { part, request, kind: 'unknown' };
  return tools.has(wish.tool)
    ? { part, request, kind: 'call', skill, wish }
    : { part, request, kind: 'needs-tool', skill };
}

/** The skill for a request; as asked, else without the politeness around it, as a direct question, or with its spelling mended. */
function find(request: Request, chat: Chat): Found | null {
  const again = (text: string | null) => (text === null ? null : findAsAsked(withText(request, text), chat));
  const bare = stripCourtesy(request.text);
  const found =
    findAsAsked(request, chat) ?? again(bare === request.text ? null : bare) ?? again(asDirectQuestion(bare));
  if (found) return found;
  const mended = mendTypos(bare);
  const meant = again(mended === null ? null : (asDirectQuestion(mended) ?? mended));
  return meant !== null && isSure(meant) ? meant : null;
}

/** The first skill that is sure of a request, else the first that guesses. A follow-up is first for the skill that answered last. */
function findAsAsked(request: Request, chat: Chat): Found | null {
  // What brings its own material leans on nothing said before.
  const isFollowUp = request.material === null && isElliptical(request.text);
  const lastTool = isFollowUp ? request.history.at(-1)?.steps.at(-1)?.tool : undefined;
  const favoured = lastTool === undefined ? [] : skillsOfTool(lastTool);
  let guess: Found | null = null;
  for (const skill of [...favoured, ...ORDER]) {
    const found = readBy(skill, request, chat);
    if (found && (isSure(found) || favoured.some((each) => each === skill))) return found;
    guess ??= found;
  }
  return guess;
}

const isSure = (found: Found): boolean =>
  !('wish' in found) || (found.wish.isGuess !== true && found.wish.isLastResort !== true);

/** What a skill makes of a request; a refusal where it would pass over a part of it. */
function readBy(skill: Skill | Talk, request: Request, chat: Chat): Found | null {
  if ('says' in skill) {
    const say = skill.says(request, chat);
    return say === null ? null : { say };
  }
  const wish = skill.reads(request);
  if (wish === null) return null;
  const unused = wish.unused ?? (skill.mayPassOver === true ? unheededPhrase(skill, request, wish) : null);
  return unused === null ? { skill, wish } : { say: tellUnheeded(unused, wish.tool) };
}

/**
 * Whether a request may be about the result of the one before it in the same message: "sort these and number them",
 * "sort the lines and remove the duplicates: …".
 */
function mayWorkOn(part: RequestPart, previous: PlanItem & { kind: 'call' }, found: Found | null): boolean {
  const { wish, part: before } = previous;
  if (!TRANSFORMING_TOOLS.has(wish.tool) || part.number !== null) return false;
  if (found && 'wish' in found && found.wish.tool === wish.tool && part.material !== null) return false;
  if (longestQuotation(part.text) !== null || previousText([asExchange(previous)]) === null) return false;
  return part.material === null ? leansBack(part.text) : part.material === before.material;
}

/** An earlier request of the same message, for one that leans on it: its result is not known yet. */
function asExchange({ part, wish }: PlanItem & { kind: 'call' }): Exchange {
  const step = { id: '', tool: wish.tool, status: 'done' as const, input: wish.input };
  return { question: part.text, answer: '', steps: [step] };
}

/** Greetings, thanks and remarks need no answer beside one that does something. */
function withoutChatter(items: PlanItem[]): PlanItem[] {
  if (items.length < 2) return items;
  const isChatter = (item: PlanItem) =>
    (item.kind === 'unknown' || item.kind === 'say') && !looksLikeAsk(item.part.text);
  const said = items.filter((item) => !isChatter(item));
  if (said.length > 0) return said;
  const answered = items.filter((item) => item.kind !== 'unknown');
  return answered.length > 0 ? answered : items;
}
