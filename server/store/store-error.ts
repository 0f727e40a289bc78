/** Why a store can't be opened. Its message is for a person; the files were left exactly as they were. */
export class StoreOpenError extends Error {
  override name = 'StoreOpenError';
  /** `newer`: written by a later version of Parley. `damaged`: no sound snapshot to start from, or a log that lies. */
  readonly reason: 'newer' | 'damaged';

  constructor(reason: 'newer' | 'damaged', message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The refusal of a file or schema that a later version of Parley wrote. */
export const newerFormat = (path: string, found: number, known: number): StoreOpenError =>
  new StoreOpenError(
    'newer',
    `${path} was written by a newer version of Parley (format ${found}, this version knows ${known}). ` +
      'Update Parley to open it; nothing was changed.',
  );
