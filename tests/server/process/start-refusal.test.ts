import { describe, expect, it } from 'vitest';
import { messageOf } from '../../../server/lib/message-of.ts';
import { explainStart } from '../../../server/process/start-refusal.ts';

describe('a reason', () => {
  const reasonOf = (error: unknown): string => messageOf(explainStart(error, '/data'));
  const failure = (code: string, syscall = 'mkdir'): Error =>
    Object.assign(new Error(`${code}: no`), { code, path: '/data/window', syscall });

  it('says what can be done where that is known', () => {
    expect(reasonOf(failure('ENOSPC'))).toMatch(/disk with \/data is full/i);
    expect(reasonOf(failure('EACCES'))).toMatch(/\/data can't be written .* Make it writable/);
    expect(reasonOf(failure('EROFS'))).toContain('/data');
    expect(reasonOf(failure('EEXIST'))).toContain('/data/window');
    expect(reasonOf(failure('EISDIR', 'read'))).toContain('/data/window is not a file');
    expect(reasonOf(failure('ELOOP', 'open'))).toContain('leads back to itself. Remove it');
    expect(reasonOf(failure('ENOTDIR', 'stat'))).toContain('a file is in its way');
  });

  it('is the fault’s own words otherwise', () => {
    expect(reasonOf(new Error('The snapshot is from a newer Parley.'))).toBe(
      'The snapshot is from a newer Parley.',
    );
    expect(reasonOf('odd')).toBe('odd');
  });
});
