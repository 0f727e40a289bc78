import { describe, expect, it } from 'vitest';
import { AppError, ERRORS } from '../../server/errors.ts';
import { API_ERROR_CODES } from '../../shared/errors.ts';

describe('error table', () => {
  it.each(API_ERROR_CODES)('gives %s a status and one sentence to act on', (code) => {
    const { status, message } = ERRORS[code];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(message).toMatch(/^[A-Z].{30,}\.$/);
    expect(message).not.toContain('\n');
  });

  it('says when to come back with every 429 and 503', () => {
    for (const code of API_ERROR_CODES) {
      const { status } = ERRORS[code];
      if (status !== 429 && status !== 503) continue;
      expect([code, new AppError(code).retryAfterSeconds]).toEqual([code, expect.any(Number)]);
    }
  });

  it('has no code that clients are not told of', () => {
    expect(Object.keys(ERRORS).sort()).toEqual([...API_ERROR_CODES].sort());
  });

  it('gives an error the status and the sentence of its code unless told otherwise', () => {
    const plain = new AppError('queue_full');
    expect([plain.status, plain.message]).toEqual([429, ERRORS.queue_full.message]);
    const cause = new Error('disk');
    const own = new AppError('storage_full', 'No room.', { cause, retryAfterSeconds: 5 });
    expect([own.status, own.message, own.cause, own.retryAfterSeconds]).toEqual([507, 'No room.', cause, 5]);
  });
});
