import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowHeights, type Row } from '../../../renderer/conversation/row-heights.ts';
import { aFile } from '../support/conversations.ts';

const rowsOf = (ids: number[]): Row[] =>
  ids.map((id) => ({ id: `r${id}`, role: 'user', content: 'x'.repeat(id * 10) }));

test('rows stand where the heights before them add up to, whatever is measured, added or taken away', () => {
  const step = fc.oneof(
    fc.record({ measure: fc.nat(40), height: fc.integer({ min: 1, max: 500 }) }),
    fc.record({ ids: fc.uniqueArray(fc.nat(40), { maxLength: 40 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
      const heights = new RowHeights();
      const measured = new Map<string, number>();
      let rows: Row[] = [];
      for (const each of steps) {
        if ('ids' in each) heights.setRows((rows = rowsOf(each.ids)));
        else {
          heights.measure(`r${each.measure}`, each.height);
          measured.set(`r${each.measure}`, each.height);
        }
        const fresh = new RowHeights();
        for (const [id, height] of measured) fresh.measure(id, height);
        fresh.setRows(rows);
        for (let index = 0; index <= rows.length; index += 1) {
          expect(heights.offsetOf(index)).toBe(fresh.offsetOf(index));
        }
        rows.forEach((row, index) => {
          expect(heights.indexAt(heights.offsetOf(index))).toBe(index);
          const height = measured.get(row.id);
          if (height !== undefined)
            expect(heights.offsetOf(index + 1) - heights.offsetOf(index)).toBe(height);
        });
      }
    }),
    { numRuns: 300 },
  );
});

test('places outside the list are its first and last row', () => {
  const heights = new RowHeights();
  expect(heights.rangeOver(-100, 100)).toEqual({ start: 0, end: 0 });
  heights.setRows(rowsOf([1, 2, 3]));
  expect(heights.rangeOver(-1_000, 1e9)).toEqual({ start: 0, end: 3 });
});

test('a message with pictures is taken to be higher than one without, and one with many still higher', () => {
  const heightWith = (count: number): number => {
    const heights = new RowHeights();
    const attachments = Array.from({ length: count }, (_, index) => aFile(`f${index}`, { kind: 'image' }));
    heights.setRows([{ id: 'r', role: 'user', content: '', attachments }]);
    return heights.offsetOf(1);
  };
  const [none = 0, one = 0, ten = 0] = [0, 1, 10].map(heightWith);
  expect(one).toBeGreaterThan(none + 100);
  expect(ten).toBeGreaterThan(one + 100);
});
