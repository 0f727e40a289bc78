import type { TurnErrorCode } from '../../shared/errors.ts';

/** What a server says about a request that was too long for its model. */
export interface TooLong {
  /** In its own words, cleaned and bounded; empty: none. */
  quoted: string;
  /** How many tokens the model reads; null: it doesn't say. */
  readsTokens: number | null;
  /** How many tokens the request was; null: it doesn't say. */
  hadTokens: number | null;
}

/** Why a model gives no reply, or no more of it. Its message is shown to the reader as it is; retrying doesn't help. */
export class ModelError extends Error {
  override name = 'ModelError';
  readonly code: TurnErrorCode;
  /** Only when the request was too long for the model: a shorter one may pass. */
  readonly tooLong: TooLong | undefined;

  constructor(code: TurnErrorCode, message: string, tooLong?: TooLong) {
    super(message);
    this.code = code;
    this.tooLong = tooLong;
  }
}
