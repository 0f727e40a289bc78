import { ConnectionProblem } from './problem.ts';

/** What {@link untilAnswered} needs to know of the connection. */
export interface Reachability {
  whenOnline(): Promise<void>;
}

/**
 * Asks until there is an answer, waiting for the connection in between; for questions that may be repeated. `onWay` is told
 * whether the service can be reached, and says whether the answer is still wanted; null when it isn't. Rejects with what the
 * service refuses.
 */
export async function untilAnswered<T>(
  connection: Reachability,
  ask: () => Promise<T>,
  onWay: (online: boolean) => boolean,
): Promise<T | null> {
  for (;;) {
    try {
      return await ask();
    } catch (problem) {
      if (!(problem instanceof ConnectionProblem)) throw problem;
      onWay(false);
      await connection.whenOnline();
      if (!onWay(true)) return null;
    }
  }
}
