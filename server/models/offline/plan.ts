import { cutAlongside, type ToolOf } from './alongside.ts';
import { asDirectQuestion, isElliptical, leansBack, looksLikeAsk, stripCourtesy } from './asks.ts';
import type { Knows } from './joined.ts';
import { longestQuotation } from './marks.ts';
import type { Conversation } from './prompt.ts';
import { splitMessage, type RequestPart } from './requests.ts';
import { previousText, TRANSFORMING_TOOLS } from './skills/text-history.ts';
import { withText, type Exchange, type Intent, type Request, type Skill } from './skill.ts';
import type { Chat, Talk } from './talk/talk.ts';
import { mendTypos } from './typos.ts';
import { unheededPhrase } from './unheeded.ts';
import { tellUnheeded } from './wording.ts';

/** What is to be done about one request of a message. */
export type PlanItem = { part: RequestPart; request: Request } &
  /** `feeds`: the next request works on the result of this one, which then is not told by itself. */
  (
    | { kind: 'call'; skill: Skill; intent: Intent; feeds?: boolean }
    | { kind: 'say'; text: string }
    /** A skill knows it, but its tool is not offered. */
    | { kind: 'needs-tool'; skill: Skill }
    | { kind: 'unknown' }
  );

/** What the assistant knows and may use. */
export interface Abilities {
  skills: readonly Skill[];
  talks: readonly Talk[];
  /** Skills that call a tool of this name. */
  skillsOfTool(tool: string): Skill[];
  /** Names of the tools offered for this message. */
  tools: ReadonlySet<string>;
  now: Date;
  timeZone: string;
}

const MIN_CONFIDENCE = 0.3;
/** For a text that is understood only with its spelling mended. */
const MIN_MENDED_CONFIDENCE = 0.7;
/** Texts tried while a message is taken apart; after that the rest is taken as it stands. */
const MAX_TRIES = 48;
const MAX_TRIES_LATER = 8;

type Found = { confidence: number } & ({ skill: Skill; intent: Intent } | { say: string });

/** Decides what to do about a message: one item for each of its requests, in their order, chatter left out. */
export function makePlan(conversation: Conversation, abilities: Abilities): PlanItem[] {
  const chat: Chat = {
    hasTools: abilities.tools.size > 0,
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
    now: abilities.now,
    timeZone: abilities.timeZone,
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
            abilities,
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
      abilities,
      chat,
    );
  };
  const knows: Knows = (text, material, atLeast = MIN_CONFIDENCE) => {
    const own = material ?? longestQuotation(text);
    const found = findAlone(text, own) ?? null;
    if (found) return found.confidence >= atLeast;
    return own === null && leansBack(text) && (findLater(text)?.confidence ?? 0) >= atLeast;
  };

  const items: PlanItem[] = [];
  const toolOf: ToolOf = (text, material) => {
    const found = findAlone(text, material);
    return found && 'intent' in found ? found.intent.tool : null;
  };
  const parts = splitMessage(conversation.message, knows).flatMap((part) => cutAlongside(part, toolOf));
  for (const part of parts) {
    let request = toRequest(part.text, part.material, () => conversation.history());
    // A remark among other sentences asks nothing, whatever was said before: its own meaning is all there is to know.
    const isRemark = parts.length > 1 && !looksLikeAsk(part.text) && !isElliptical(part.text);
    const isAlone = isRemark || conversation.history().length === 0;
    const alone = isAlone ? findAlone(part.text, part.material) : undefined;
    let found = alone === undefined ? find(request, abilities, chat) : alone;
    const previous = items.at(-1);
    if (previous?.kind === 'call') {
      const later = (material: string | null) =>
        toRequest(part.text, material, () => [...conversation.history(), asExchange(previous)]);
      // "Double it" is about the sum in the same message, whatever was said before.
      const leans = !isRemark && part.material === null && leansBack(part.text);
      const isStep = mayWorkOn(part, previous, found);
      const next = leans || isStep ? find(later(null), abilities, chat) : null;
      if (next && 'intent' in next) {
        const feeds = isStep && TRANSFORMING_TOOLS.has(next.intent.tool);
        if (leans || feeds || !found) [request, found, previous.feeds] = [later(null), next, feeds];
      }
    }
    items.push(toItem(part, request, found, abilities));
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
    return isLimited ? { ...item, kind: 'say', text: tellUnheeded(next.part.text) } : item;
  });
}

function toItem(part: RequestPart, request: Request, found: Found | null, { tools }: Abilities): PlanItem {
  if (!found) return { part, request, kind: 'unknown' };
  if ('say' in found) return { part, request, kind: 'say', text: found.say };
  const { skill, intent } = found;
  return tools.has(intent.tool)
    ? { part, request, kind: 'call', skill, intent }
    : { part, request, kind: 'needs-tool', skill };
}

/** The surest of all skills and talks; as asked, else without the politeness around it, as a direct question, or with its spelling mended. */
function find(request: Request, abilities: Abilities, chat: Chat): Found | null {
  const found = findAsAsked(request, abilities, chat);
  if (found) return found;
  const again = (text: string) => findAsAsked(withText(request, text), abilities, chat);
  const bare = stripCourtesy(request.text);
  const direct = asDirectQuestion(bare);
  const politely = bare === request.text ? null : again(bare);
  if (politely) return politely;
  const directly = direct === null ? null : again(direct);
  if (directly) return directly;
  const mended = mendTypos(bare);
  const meant = mended === null ? null : again(asDirectQuestion(mended) ?? mended);
  return meant !== null && meant.confidence >= MIN_MENDED_CONFIDENCE ? meant : null;
}

function findAsAsked(request: Request, abilities: Abilities, chat: Chat): Found | null {
  // What brings its own material leans on nothing said before.
  const isFollowUp = request.material === null && isElliptical(request.text);
  const lastTool = isFollowUp ? request.history.at(-1)?.steps.at(-1)?.tool : undefined;
  const favoured = lastTool === undefined ? [] : abilities.skillsOfTool(lastTool);
  let best: Found | null = null;
  let bestConfidence = MIN_CONFIDENCE;
  const offer = (confidence: number, found: () => Found) => {
    if (confidence < bestConfidence || (best !== null && confidence === bestConfidence)) return;
    best = found();
    bestConfidence = confidence;
  };
  for (const skill of abilities.skills) {
    const intent = skill.recognise(request);
    if (!intent || intent.confidence < MIN_CONFIDENCE) continue;
    const sureness = intent.confidence + (favoured.includes(skill) ? 1 : 0);
    if (sureness < bestConfidence) continue;
    const unheeded =
      intent.unused ?? (skill.mayPassOver === true ? unheededPhrase(skill, request, intent) : null);
    if (unheeded !== null) {
      offer(intent.confidence, () => ({ say: tellUnheeded(unheeded), confidence: intent.confidence }));
      continue;
    }
    // A follow-up is for the skill that answered last, however sure another one is.
    offer(sureness, () => ({
      skill,
      intent,
      confidence: intent.confidence,
    }));
  }
  for (const talk of abilities.talks) {
    const answer = talk.answer(request, chat);
    if (answer) offer(answer.confidence, () => ({ say: answer.text, confidence: answer.confidence }));
  }
  return best;
}

/**
 * Whether a request may be about the result of the one before it in the same message: "sort these and number them",
 * "sort the lines and remove the duplicates: …".
 */
function mayWorkOn(part: RequestPart, previous: PlanItem & { kind: 'call' }, found: Found | null): boolean {
  const { intent, part: before } = previous;
  if (!TRANSFORMING_TOOLS.has(intent.tool) || part.number !== null) return false;
  if (found && 'intent' in found && found.intent.tool === intent.tool && part.material !== null) return false;
  if (longestQuotation(part.text) !== null || previousText([asExchange(previous)]) === null) return false;
  return part.material === null ? leansBack(part.text) : part.material === before.material;
}

/** An earlier request of the same message, for one that leans on it: its result is not known yet. */
function asExchange({ part, intent }: PlanItem & { kind: 'call' }): Exchange {
  const step = { id: '', tool: intent.tool, status: 'done' as const, input: intent.input };
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
