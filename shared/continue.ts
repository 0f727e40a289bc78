import type { Message } from './api/message.ts';

/** The user message that asks a model to continue a reply that was cut off. */
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
