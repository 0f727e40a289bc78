/** Continues a reply that was cut off. */
import type { Chat } from '../../shared/api/chat.ts';
import { CONTINUE_REQUEST, isCutOff } from '../../shared/continue.ts';
import { isModelName } from '../connections/model-names.ts';
import { AppError, found } from '../errors.ts';
import { findMessage } from '../store/message-repository.ts';
import { findLastQuestion } from '../store/version-repository.ts';
import type { MessageInWorkspace } from './deps.ts';
import { fingerprintOf, type AcceptRequest, type ChatPartDeps } from './send-message.ts';
import { requireNotBusy } from './versions.ts';

type ContinueRequest = AcceptRequest & MessageInWorkspace;

const WHOLE = 'This message is no reply that was cut off with text in it, so there is nothing to go on with.';
const NOT_LAST = 'The chat has gone on since; only its last reply can be gone on with.';
const BUILT_IN = 'A built-in model wrote this reply, and writes none on; retry it instead.';

/**
 * Continues a reply by sending a user message that asks its model to go on; the reply to that is the rest. So a kill, a
 * stop or an edit needs nothing special. Rejects with AppError `chat_not_found`, `message_not_found`,
 * `chat_busy`, `conflict` when the reply is whole or not the last, and `invalid_request` for one of a built-in model.
 */
export const createContinuer =
  ({ newId, sender }: Pick<ChatPartDeps, 'newId' | 'sender'>) =>
  (request: ContinueRequest): Promise<Chat> => {
    const { messageId, toolReach, notifies } = request;
    const newMessageId = newId();
    const fingerprint = fingerprintOf(['continue', messageId], request);
    return sender.accept({ ...request, newMessageId }, fingerprint, (writer, chat, now) => {
      const reply = found(findMessage(writer, chat.id, messageId), 'message_not_found');
      requireNotBusy(writer, chat);
      if (!isCutOff(reply)) throw new AppError('conflict', WHOLE);
      const question = findLastQuestion(writer, chat.id);
      if (question === null || question.id !== reply.replyTo) throw new AppError('conflict', NOT_LAST);
      const { mode, parameters } = findMessage(writer, chat.id, question.id) ?? {};
      const model = reply.model ?? chat.model;
      if (isModelName(model)) throw new AppError('invalid_request', BUILT_IN);
      return sender.append(
        writer,
        chat,
        {
          id: newMessageId,
          content: CONTINUE_REQUEST,
          mode: mode ?? 'agent',
          ...(model !== chat.model && { model }),
          parameters,
          toolReach,
          notifies,
          files: [],
        },
        now,
      );
    });
  };
