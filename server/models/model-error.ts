import type { TurnErrorCode } from '../../shared/errors.ts';

/** Why a model gives no reply, or no more of it. Its message is for the reader as it stands; trying again is no use. */
export class ModelError extends Error {
  override name = 'ModelError';
  readonly code: TurnErrorCode;

  constructor(code: TurnErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
