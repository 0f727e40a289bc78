import type { ApiErrorCode } from '../../shared/errors.ts';

/** The service answered with an error. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** HTTP status of the answer. */
  readonly status: number;
  /** The body's code; null when the body was not one of the service's. */
  readonly code: ApiErrorCode | null;
  /** One entry for each thing that is wrong with the request, where there can be several. */
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

/** No answer: the service isn't there, is going away, or took too long. The request may have been carried out. */
export class ConnectionProblem extends Error {
  override readonly name = 'ConnectionProblem';
}

/** Whoever answers has not proved to be the service that this browser knows. To what waits, that is no answer. */
export class StrangerProblem extends ConnectionProblem {
  constructor() {
    super('Another program answers at this address.');
  }
}

/** Waits for something to be taken away; it is as well if it was gone already, which the service says by that code. */
export async function unlessGone(work: Promise<unknown>, code: ApiErrorCode): Promise<void> {
  await work.catch((problem: unknown) => {
    if (!(problem instanceof ApiProblem && problem.code === code)) throw problem;
  });
}
