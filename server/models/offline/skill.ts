import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Step } from '../../../shared/api/message.ts';

/** An earlier exchange of the conversation; what "that" and "and in feet?" refer to. */
export interface EarlierExchange {
  /** What the person wrote. */
  question: string;
  /** What was answered, as Markdown. */
  answer: string;
  /** The tool calls the answer came from; empty when it needed none. */
  steps: Step[];
}

/** One thing the person asked for, as a skill sees it. */
export interface Request {
  /** The words of this request, trimmed; empty only when a form's result is formatted. Other requests of the same message are not in it. */
  text: string;
  /**
   * The material the request is about, apart from the words that ask: a code block, quoted text, or the lines after
   * the first when that ends in a colon. Null when there is none: then the earlier conversation may hold it.
   * Blocks and lines are no longer in `text`; quoted text is in both, `text` with its quotation marks. What follows an
   * instruction on the same line ("sort: b, a") stays in `text` alone.
   */
  material: string | null;
  /** The whole message, unsplit. */
  message: string;
  /** Earlier exchanges, oldest first. */
  history: EarlierExchange[];
  now: Date;
  /** IANA zone of the person, e.g. `Europe/Paris`. */
  timeZone: string;
}

/** A tool call that a skill reads out of a request. */
export interface ToolRequest {
  /** Name of the tool. */
  tool: string;
  /** Its input, valid under the tool's schema. */
  input: Record<string, unknown>;
  /** Words of the request that the call doesn’t cover: if there are any, nothing is called and the answer names them. */
  unused?: string;
}

/** A subject the offline assistant knows: how requests are parsed and results formatted. One file or folder each in `skills/`. */
export interface OfflineSkill {
  /** What it works with, as a person would call it: "the calculator". */
  needs: string;
  /** One line for the help text, in the words of a person: "calculate and convert units". */
  summary: string;
  /** Phrases that work, with bars between them, for the help text and for tests. */
  examples: string;
  /** Names of the tools whose results it formats, and whose follow-ups it parses first. */
  tools: readonly string[];
  /**
   * What the request asks of this skill, or null. It reads the whole request: words with a meaning that it doesn't use are `unused`.
   * Pure, quick (well under 1 ms for ordinary text), never throws.
   */
  parse(request: Request): ToolRequest | null;
  /** Formats a result as Markdown: a sentence or a block, with no greeting and no filler. Pure, never throws. */
  format(tool: string, input: Record<string, unknown>, output: unknown, request: Request): string;
}

/** A skill without a tool: it answers from the conversation, as Markdown; null: it has nothing to say. Never throws. */
export type SkillReply = (request: Request, chat: AssistantContext) => string | null;

/** The conversation, as far as talking about it needs. */
export interface AssistantContext {
  /** Whether any tool is offered for this message (mode `agent`). */
  hasTools: boolean;
  /** What stands for the part of it that is not told any more; null: all of it is. */
  summary: string | null;
}

/** The tools offered for a message. */
export type Offered = NonNullable<LanguageModelV4CallOptions['tools']>;

/** What the assistant does next: call tools, all at once, or say something. */
export type Move =
  | { type: 'calls'; calls: { tool: string; input: Record<string, unknown> }[] }
  | {
      type: 'text';
      text: string;
      /** Nothing could be done: nothing was understood, or what was needs tools that are not offered. */
      isUnanswered?: boolean;
    };
