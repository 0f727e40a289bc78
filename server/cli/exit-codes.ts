/** Exit codes, as in `parley help`. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  owned: 3,
  noService: 4,
  keyRefused: 5,
  /** As shells report a program ended by Ctrl+C. */
  interrupted: 130,
} as const;

/** A command that can't go on; the message is a sentence for the person. */
export class CommandError extends Error {
  override name = 'CommandError';
  /** `EXIT.failed` unless given. */
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
