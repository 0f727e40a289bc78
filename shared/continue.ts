import type { Message } from './api/message.ts';

/** What a model is asked so that it goes on with a reply that was cut off; it is sent as a user message. */
export const CONTINUE_REQUEST =
  'Go on exactly where your last message ended. Repeat nothing of it, and write no introduction.';

/** Whether a reply has text and was cut off: by a limit, by somebody who stopped it, or by a failure. */
export const isCutOff = ({
  role,
  status,
  content,
  stopReason,
}: Pick<Message, 'role' | 'status' | 'content'> & { stopReason?: Message['stopReason'] | null }): boolean =>
  role === 'assistant' &&
  content !== '' &&
  (status === 'error' ||
    (status === 'complete' &&
      (stopReason === 'length' || stopReason === 'step_limit' || stopReason === 'stopped')));
