import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { narrow } from '../../../../../server/models/offline/reading/narrow.ts';

const Result = Type.Object({ value: Type.String(), digits: Type.Optional(Type.Integer()) });

test('hands back a value that has the shape, itself', () => {
  const value: unknown = { value: '84', digits: 2 };
  expect(narrow(Result, value)).toBe(value);
});

test.each([null, undefined, 'text', {}, { value: 84 }, { value: '84', digits: 1.5 }])(
  'is null for %j, which has not',
  (value) => {
    expect(narrow(Result, value)).toBeNull();
  },
);
