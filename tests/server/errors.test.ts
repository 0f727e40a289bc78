import { describe, expect, it } from 'vitest';
import { AppError } from '../../server/errors.ts';
import { API_ERROR_CODES, ERROR_SENTENCES } from '../../shared/errors.ts';

describe('error table', () => {
  it.each(API_ERROR_CODES)('gives %s a status and one sentence to act on', (code) => {
    const { status, message } = new AppError(code);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(message).toMatch(/^[A-Z].{30,}\.$/);
    expect(message).not.toContain('\n');
  });

  it('says when to come back with every 429 and 503', () => {
    for (const code of API_ERROR_CODES) {
      const { status, retryAfterSeconds } = new AppError(code);
      if (status !== 429 && status !== 503) continue;
      expect([code, retryAfterSeconds]).toEqual([code, expect.any(Number)]);
    }
  });

  it('makes a 404 of everything that is not there', () => {
    const missing = API_ERROR_CODES.filter((code) => new AppError(code).status === 404);
    expect(missing).toEqual(API_ERROR_CODES.filter((code) => code.endsWith('not_found')));
  });

  it('gives an error the status and the sentence of its code unless told otherwise', () => {
    const plain = new AppError('queue_full');
    expect([plain.status, plain.message]).toEqual([429, ERROR_SENTENCES.queue_full]);
    const cause = new Error('disk');
    const own = new AppError('storage_full', 'No room.', { cause, retryAfterSeconds: 5 });
    expect([own.status, own.message, own.cause, own.retryAfterSeconds]).toEqual([507, 'No room.', cause, 5]);
  });
});
