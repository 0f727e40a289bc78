/**
 * Saving a reply while it is written. Every save goes to the log, so writing the whole text each time would make the log
 * of a long reply grow with its square: as long as only text came, a save appends what is new.
 */
import type { Step } from '../../shared/api/message.ts';
import { needsJson, updateReplyProgress } from './message-repository.ts';
import type { Writer } from './types.ts';

/** A reply that is being written. */
export interface GrowingReply {
  content: string;
  /** All tool calls so far; another array whenever one changed. */
  steps: Step[];
  /** As long as this is the same, the content has only grown at its end. */
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
  /** See `content_json` in message-repository.ts. */
  isJson: boolean;
}

const APPEND_TEXT = `UPDATE messages SET content = content || ?
  WHERE id = ? AND status = 'streaming' AND content_json = 0 AND octet_length(content) = ?`;
const APPEND_JSON = `UPDATE messages SET content = substr(content, 1, length(content) - 1) || ? || '"'
  WHERE id = ? AND status = 'streaming' AND content_json = 1 AND octet_length(content) = ?`;

/** A saver for the unfinished reply of that id. */
export function createReplySaver(replyId: string): ReplySaver {
  let saved: Saved | null = null;

  function append(writer: Writer, before: Saved, text: string): boolean {
    const piece = before.isJson ? JSON.stringify(text).slice(1, -1) : text;
    // A row that is not as it was left doesn't have that many bytes: then the whole text is written.
    const params = [piece, replyId, before.bytes];
    if (writer.run(before.isJson ? APPEND_JSON : APPEND_TEXT, params) === 0) return false;
    before.length += text.length;
    before.bytes += Buffer.byteLength(piece);
    return true;
  }

  function saveWhole(writer: Writer, reply: GrowingReply, content: string): boolean {
    saved = null;
    if (!updateReplyProgress(writer, replyId, { content, steps: reply.steps, status: 'streaming' }))
      return false;
    const isJson = needsJson(content);
    saved = {
      course: reply.course,
      steps: reply.steps,
      length: content.length,
      bytes: Buffer.byteLength(isJson ? JSON.stringify(content) : content),
      isJson,
    };
    return true;
  }

  return (writer, reply) => {
    const end = wholeCharacters(reply.content);
    if (saved?.course === reply.course && saved.steps === reply.steps && saved.length <= end) {
      const text = reply.content.slice(saved.length, end);
      if ((saved.isJson || !needsJson(text)) && append(writer, saved, text)) return true;
    }
    return saveWhole(writer, reply, reply.content.slice(0, end));
  };
}

/** The length of a text without half a surrogate pair at its end, of which the other half is yet to come. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
