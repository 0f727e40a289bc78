/**
 * Saving a reply while it is written. Every save goes to the log, so writing the whole text each time would make the log
 * of a long reply grow with its square: as long as only text came, a save appends what is new.
 */
import type { Step } from '../../shared/api/message.ts';
import { updateReplyProgress } from './message-repository.ts';
import { needsJson, reasoningText } from './message-text.ts';
import type { Writer } from './types.ts';

/** A reply that is being written. */
export interface GrowingReply {
  content: string;
  /** All tool calls so far; another array whenever one changed. */
  steps: Step[];
  /** Empty: the model tells none. */
  reasoning: string;
  /** As long as this is the same, content and reasoning have only grown at their ends. */
  course: symbol;
}

/** Saves how far the reply has got; false, and nothing is changed, when it is final. */
export type ReplySaver = (writer: Writer, reply: GrowingReply) => boolean;

/** What the row holds, if nobody else has changed it and the disk has lost nothing. */
interface Saved {
  course: symbol;
  steps: Step[];
  /** In UTF-16 code units of the text. */
  length: number;
  /** In bytes of the column. */
  bytes: number;
  /** The same of the reasoning. */
  reasoningLength: number;
  reasoningBytes: number;
  /** See `content_json` in message-text.ts. */
  isJson: boolean;
}

// A row that is not as it was left doesn't have that many bytes: then the whole text is written.
const AS_LEFT = `id = ? AND status = 'streaming' AND octet_length(content) = ?
  AND coalesce(octet_length(reasoning), 0) = ?`;
const APPEND_TEXT = `UPDATE messages SET content = content || ? WHERE ${AS_LEFT} AND content_json = 0`;
const APPEND_JSON = `UPDATE messages SET content = substr(content, 1, length(content) - 1) || ? || '"'
  WHERE ${AS_LEFT} AND content_json = 1`;

const APPEND_REASONING = `UPDATE messages SET reasoning = concat(reasoning, ?) WHERE ${AS_LEFT}`;

/** A saver for the unfinished reply of that id. */
export function createReplySaver(replyId: string): ReplySaver {
  let saved: Saved | null = null;

  function append(writer: Writer, before: Saved, text: string): boolean {
    const piece = before.isJson ? JSON.stringify(text).slice(1, -1) : text;
    const params = [piece, replyId, before.bytes, before.reasoningBytes];
    if (writer.run(before.isJson ? APPEND_JSON : APPEND_TEXT, params) === 0) return false;
    before.length += text.length;
    before.bytes += Buffer.byteLength(piece);
    return true;
  }

  function appendReasoning(writer: Writer, before: Saved, text: string): boolean {
    const piece = reasoningText(text) ?? '';
    if (writer.run(APPEND_REASONING, [piece, replyId, before.bytes, before.reasoningBytes]) === 0)
      return false;
    before.reasoningLength += text.length;
    before.reasoningBytes += Buffer.byteLength(piece);
    return true;
  }

  function saveWhole(writer: Writer, reply: GrowingReply, content: string, reasoning: string): boolean {
    saved = null;
    const { steps, course } = reply;
    if (!updateReplyProgress(writer, replyId, { content, steps, reasoning, status: 'streaming' }))
      return false;
    const isJson = needsJson(content);
    saved = {
      course,
      steps,
      length: content.length,
      bytes: Buffer.byteLength(isJson ? JSON.stringify(content) : content),
      reasoningLength: reasoning.length,
      reasoningBytes: Buffer.byteLength(reasoningText(reasoning) ?? ''),
      isJson,
    };
    return true;
  }

  /** Appends what is new; false when that can't be done, and the whole is to be written. */
  function saveGrowth(writer: Writer, before: Saved, text: string, thought: string): boolean {
    if (!before.isJson && needsJson(text)) return false;
    if (thought !== '' && !appendReasoning(writer, before, thought)) return false;
    // Without anything new, too, it has to be found out whether the reply is still being written.
    return (text === '' && thought !== '') || append(writer, before, text);
  }

  return (writer, reply) => {
    const content = reply.content.slice(0, wholeCharacters(reply.content));
    const reasoning = reply.reasoning.slice(0, wholeCharacters(reply.reasoning));
    if (saved?.course === reply.course && saved.steps === reply.steps && saved.length <= content.length) {
      const text = content.slice(saved.length);
      if (saveGrowth(writer, saved, text, reasoning.slice(saved.reasoningLength))) return true;
    }
    return saveWhole(writer, reply, content, reasoning);
  };
}

/** The length of a text without half a surrogate pair at its end, of which the other half is yet to come. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
