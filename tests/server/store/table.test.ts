import { expect, expectTypeOf, it } from 'vitest';
import {
  defineTable,
  flag,
  json,
  plain,
  text,
  type NewRow,
  type RowOf,
} from '../../../server/store/table.ts';
import type { SqlValue, Writer } from '../../../server/store/types.ts';

const TOYS = defineTable('toys', {
  id: text(),
  madeAt: plain<string | null>(null),
  isSoft: flag(false),
  parts: json<string[]>([]),
});

/** Notes the statements, and gives the rows. */
function standIn(rows: Record<string, SqlValue>[] = []): { writer: Writer; ran: unknown[] } {
  const ran: unknown[] = [];
  const note = (sql: string, params: readonly SqlValue[] = []): void => void ran.push([sql, ...params]);
  const writer = {
    get: (sql: string, params?: readonly SqlValue[]) => (note(sql, params), rows[0] ?? null),
    all: (sql: string, params?: readonly SqlValue[]) => (note(sql, params), rows),
    run: (sql: string, params?: readonly SqlValue[]) => (note(sql, params), 1),
  };
  return { ran, writer: writer as Writer };
}

it('reads rows as their columns say, by names in camel case', () => {
  const row = { id: 'a', madeAt: null, isSoft: 1, parts: '["ear"]' };
  const { writer, ran } = standIn([{ ...row }]);
  const found = TOYS.first<[id: string]>('WHERE id = ?')(writer, 'a');
  expect(found).toEqual({ id: 'a', madeAt: null, isSoft: true, parts: ['ear'] });
  expect(ran).toEqual([
    ['SELECT id, made_at AS madeAt, is_soft AS isSoft, parts FROM toys WHERE id = ?', 'a'],
  ]);
  expect(TOYS.only('isSoft').list('')(standIn([{ isSoft: 0 }, { isSoft: 1 }]).writer)).toEqual([
    { isSoft: false },
    { isSoft: true },
  ]);
  expect(TOYS.first('')(standIn().writer)).toBeNull();
});

it('stores a row with what it doesn’t name as the columns have it', () => {
  const { writer, ran } = standIn();
  TOYS.insert(writer, { id: 'a' });
  TOYS.replace(writer, { id: 'b', isSoft: true, parts: ['ear'], madeAt: 'today' });
  TOYS.update(['isSoft', 'madeAt'], 'WHERE id = ?')(writer, { isSoft: true, madeAt: null }, 'a');
  expect(ran).toEqual([
    ['INSERT INTO toys (id, made_at, is_soft, parts) VALUES (?, ?, ?, ?)', 'a', null, 0, '[]'],
    [
      'INSERT OR REPLACE INTO toys (id, made_at, is_soft, parts) VALUES (?, ?, ?, ?)',
      'b',
      'today',
      1,
      '["ear"]',
    ],
    ['UPDATE toys SET is_soft = ?, made_at = ? WHERE id = ?', 1, null, 'a'],
  ]);
  expect(TOYS.delete<[id: string]>('WHERE id = ?')(writer, 'a')).toBe(true);
  expect(ran.at(-1)).toEqual(['DELETE FROM toys WHERE id = ?', 'a']);
  expect(TOYS.complete({ id: 'a' })).toEqual({ id: 'a', madeAt: null, isSoft: false, parts: [] });
});

it('types rows by their columns, and has only those named that lack a first value', () => {
  type Toy = RowOf<typeof TOYS.columns>;
  expectTypeOf<Toy>().toEqualTypeOf<{
    id: string;
    madeAt: string | null;
    isSoft: boolean;
    parts: string[];
  }>();
  expectTypeOf<{ id: string }>().toExtend<NewRow<typeof TOYS.columns>>();
  expectTypeOf<{ isSoft: true }>().not.toExtend<NewRow<typeof TOYS.columns>>();
});
