/**
 * Saving a reply while it is written. Every save goes to the log, so writing the whole text each time would make the
 * log grow with the square of the reply's length: as long as only text was added, a save appends the new part.
 */
import { markOf, updateSince, type Growth, type GrowthMark } from '../../shared/growth.ts';
import { updateReplyProgress } from './message-repository.ts';
import { needsJson, reasoningText } from './message-text.ts';
import type { Writer } from './types.ts';

/** Saves the reply so far; false, without a change, when it is final. */
export type ReplySaver = (writer: Writer, growth: Growth) => boolean;

/** What the row holds if nobody else changed it and the disk lost nothing. */
interface Saved {
  mark: GrowthMark;
  /** Size of the column, like {@link reasoningBytes}. */
  bytes: number;
  reasoningBytes: number;
  /** See `content_json` in message-text.ts. */
  isJson: boolean;
}

// A row changed by someone else has a different size: then the whole text is written.
const AS_LEFT = `id = ? AND status = 'streaming' AND octet_length(content) = ?
  AND coalesce(octet_length(reasoning), 0) = ?`;
const APPEND_TEXT = `UPDATE messages SET content = content || ? WHERE ${AS_LEFT} AND content_json = 0`;
const APPEND_JSON = `UPDATE messages SET content = substr(content, 1, length(content) - 1) || ? || '"'
  WHERE ${AS_LEFT} AND content_json = 1`;

const APPEND_REASONING = `UPDATE messages SET reasoning = concat(reasoning, ?) WHERE ${AS_LEFT}`;

/** A saver for one attempt at the unfinished reply of that id. */
export function createReplySaver(replyId: string): ReplySaver {
  let saved: Saved | null = null;

  function append(writer: Writer, before: Saved, text: string): boolean {
    const piece = before.isJson ? JSON.stringify(text).slice(1, -1) : text;
    const params = [piece, replyId, before.bytes, before.reasoningBytes];
    if (writer.run(before.isJson ? APPEND_JSON : APPEND_TEXT, params) === 0) return false;
    before.bytes += Buffer.byteLength(piece);
    return true;
  }

  function appendReasoning(writer: Writer, before: Saved, text: string): boolean {
    const piece = reasoningText(text) ?? '';
    if (writer.run(APPEND_REASONING, [piece, replyId, before.bytes, before.reasoningBytes]) === 0)
      return false;
    before.reasoningBytes += Buffer.byteLength(piece);
    return true;
  }

  function saveWhole(writer: Writer, growth: Growth): boolean {
    saved = null;
    const { content, reasoning, steps, rounds = null } = growth;
    if (!updateReplyProgress(writer, replyId, { content, steps, reasoning, rounds, status: 'streaming' }))
      return false;
    const isJson = needsJson(content);
    saved = {
      mark: markOf(growth),
      bytes: Buffer.byteLength(isJson ? JSON.stringify(content) : content),
      reasoningBytes: Buffer.byteLength(reasoningText(reasoning) ?? ''),
      isJson,
    };
    return true;
  }

  /** Appends the new part; false when that isn't possible and the whole has to be written. */
  function saveGrowth(writer: Writer, before: Saved, growth: Growth): boolean {
    const { text, reasoning, steps } = updateSince(before.mark, growth);
    if (steps !== undefined || (!before.isJson && needsJson(text))) return false;
    if (reasoning !== undefined && !appendReasoning(writer, before, reasoning)) return false;
    // Even with nothing new, this has to find out whether the reply is still being written.
    if ((text !== '' || reasoning === undefined) && !append(writer, before, text)) return false;
    before.mark = markOf(growth);
    return true;
  }

  return (writer, growth) => {
    const whole: Growth = {
      content: wholeCharacters(growth.content),
      reasoning: wholeCharacters(growth.reasoning),
      steps: growth.steps,
      ...(growth.rounds && { rounds: growth.rounds }),
    };
    return (saved !== null && saveGrowth(writer, saved, whole)) || saveWhole(writer, whole);
  };
}

/** The text without half a surrogate pair at its end, of which the other half is yet to come. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
