import { expect, test } from 'vitest';
import {
  draftText,
  keptDrafts,
  laterThan,
  reconcile,
  type DraftRecord,
} from '../../../renderer/chats/kept-drafts.ts';
import { lasting } from '../../../renderer/lib/storage.ts';
import { MAX_CONTENT_CHARACTERS } from '../../../shared/limits.ts';
import { useTestStorage } from '../support/browser.ts';

const storage = useTestStorage();

const EARLIER = '2026-11-20T10:00:00.000Z';
const LATER = '2026-11-20T10:00:00.001Z';
const ours = (updatedAt: string, storedAt: string | null = null): DraftRecord => ({
  text: 'ours',
  files: [],
  updatedAt,
  storedAt,
});
const theirs = (updatedAt: string) => ({ chatKey: 'c', text: 'theirs', updatedAt });

test('of two drafts the newer counts', () => {
  expect(reconcile(ours(EARLIER), theirs(LATER))).toBe('take');
  expect(reconcile(ours(LATER), theirs(EARLIER))).toBe('push');
  expect(reconcile(ours(LATER), theirs(LATER))).toBe('keep');
  // The service has ours, so theirs is newer, whatever a clock that was set back makes of it.
  expect(reconcile(ours(LATER, LATER), theirs(EARLIER))).toBe('take');
  expect(reconcile(undefined, theirs(EARLIER))).toBe('take');
});

test('one that the service had and has no more was sent elsewhere; one that it never had is ours to tell', () => {
  expect(reconcile(ours(LATER, LATER), undefined)).toBe('drop');
  expect(reconcile(ours(LATER, EARLIER), undefined)).toBe('push');
  expect(reconcile(ours(LATER), undefined)).toBe('push');
});

test('a draft is later than the one before it, also when the clock was set back', () => {
  const now = new Date(LATER);
  expect(laterThan(undefined, now)).toBe(LATER);
  expect(laterThan('2026-11-20T11:00:00.000Z', now)).toBe('2026-11-20T11:00:00.001Z');
  expect(laterThan('nonsense', now)).toBe(LATER);
});

test('the service is told as much of a text as it keeps', () => {
  const text = 'x'.repeat(MAX_CONTENT_CHARACTERS * 3);
  expect(draftText({ text, files: [] })).toHaveLength(MAX_CONTENT_CHARACTERS * 2);
});

test('drafts of one workspace are kept apart from those of another', () => {
  keptDrafts('w1').write('new', ours(EARLIER));
  keptDrafts('w2').write('new', { ...ours(EARLIER), text: 'other' });
  keptDrafts('w1').write('c', ours(LATER));
  expect(keptDrafts('w1').keys().sort()).toEqual(['c', 'new']);
  expect(keptDrafts('w1').read('new')?.text).toBe('ours');
  keptDrafts('w1').write('new', null);
  expect(keptDrafts('w1').read('new')).toBeNull();
  expect(keptDrafts('w2').read('new')?.text).toBe('other');
});

test('a storage that is full or holds nonsense does no harm', () => {
  lasting.write('draft.w1.c', '{"text":');
  expect(keptDrafts('w1').read('c')).toBeNull();
  storage.fill();
  expect(keptDrafts('w1').write('d', ours(EARLIER))).toBe(false);
  expect(storage.read('draft.w1.d')).toBeNull();
  // As long as the page lives, it has what was refused.
  expect(keptDrafts('w1').read('d')?.text).toBe('ours');
  expect(keptDrafts('w1').keys()).toContain('d');
  const endWatch = lasting.watch(() => undefined);
  storage.changeElsewhere('draft.w1.d', JSON.stringify({ text: 'theirs', updatedAt: EARLIER }));
  endWatch();
  expect(keptDrafts('w1').read('d')?.text).toBe('theirs');
});
