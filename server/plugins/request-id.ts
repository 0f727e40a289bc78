import { randomBytes } from 'node:crypto';

/** Makes the ids of requests: a random prefix for the process and a count, cheap and unique enough to find one in a log. */
export function createRequestIds(): () => string {
  const prefix = `req-${randomBytes(5).toString('hex')}-`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count.toString(36);
  };
}
