import { expect, test } from 'vitest';
import {
  clampWidth,
  MAX_SIDEBAR_PX,
  MIN_SIDEBAR_PX,
  widestIn,
} from '../../../renderer/session/sidebar-width.ts';

test('the sidebar stays between its limits and leaves the conversation room', () => {
  expect(clampWidth(10, 1280)).toBe(MIN_SIDEBAR_PX);
  expect(clampWidth(5_000, 1280)).toBe(MAX_SIDEBAR_PX);
  expect(clampWidth(500, 800)).toBe(440);
  expect(clampWidth(300.4, 1280)).toBe(300);
  expect(widestIn(400)).toBe(MIN_SIDEBAR_PX);
});
