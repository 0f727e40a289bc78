import type { ApiErrorCode } from '../../shared/errors.ts';

/** The service answered with an error. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** HTTP status of the answer. */
  readonly status: number;
  /** The body's code; null when the body isn't the service's. */
  readonly code: ApiErrorCode | null;
  /** One entry for each thing that is wrong with the request, if there can be several. */
  readonly details: readonly { path: string; message: string }[];

  constructor(
    status: number,
    code: ApiErrorCode | null,
    message: string,
    details: readonly { path: string; message: string }[] = [],
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** No answer: the service isn't running, is stopping, or took too long. The request may have been carried out. */
export class ConnectionProblem extends Error {
  override readonly name = 'ConnectionProblem';
}

/** The server that answers has not proved to be the service that this browser knows. Waiting requests treat it as no answer. */
export class StrangerProblem extends ConnectionProblem {
  constructor() {
    super('Another program answers at this address.');
  }
}

/** What the page finds wrong by itself; the message is in words a person can act on. */
export class WordedProblem extends Error {
  override readonly name = 'WordedProblem';
}

/** Waits for a deletion; if the thing was gone already, which the service reports by that code, that is fine. */
export async function unlessGone(work: Promise<unknown>, code: ApiErrorCode): Promise<void> {
  await work.catch((problem: unknown) => {
    if (!(problem instanceof ApiProblem && problem.code === code)) throw problem;
  });
}
