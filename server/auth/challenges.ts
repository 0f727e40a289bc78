/**
 * What browsers sign to come back. Challenges carry their own proof (an HMAC), so unanswered ones take no memory; only used ones are
 * remembered, until they would have expired.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME_MS = 60_000;
const TIME_BYTES = 8;
const RANDOM_BYTES = 16;
const HEAD_BYTES = TIME_BYTES + RANDOM_BYTES;

export type Challenges = ReturnType<typeof createChallenges>;

/** The challenges of one process. `clock` gives the time in milliseconds. */
export function createChallenges(clock: () => number) {
  const secret = randomBytes(32);
  /** When each would have ended. */
  const used = new Map<string, number>();
  const seal = (head: Buffer, address: string): Buffer =>
    createHmac('sha256', secret).update(head).update(address).digest();
  return {
    /** A new one, for a browser that asked at this address. */
    issue(address: string): string {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeDoubleBE(clock() + LIFETIME_MS);
      const head = Buffer.concat([time, randomBytes(RANDOM_BYTES)]);
      return Buffer.concat([head, seal(head, address)]).toString('base64url');
    },
    /** Whether it was issued for that address, is less than a minute old and wasn't used. */
    isOpen(challenge: string, address: string): boolean {
      const bytes = Buffer.from(challenge, 'base64url');
      const head = bytes.subarray(0, HEAD_BYTES);
      const sealed = bytes.subarray(HEAD_BYTES);
      const expected = seal(head, address);
      if (sealed.length !== expected.length || !timingSafeEqual(sealed, expected)) return false;
      return clock() < head.readDoubleBE(0) && !used.has(bytes.toString('base64url'));
    },
    /** Uses it up. */
    use(challenge: string): void {
      const nowMs = clock();
      for (const [other, endsMs] of used) if (endsMs <= nowMs) used.delete(other);
      used.set(Buffer.from(challenge, 'base64url').toString('base64url'), nowMs + LIFETIME_MS);
    },
  };
}
