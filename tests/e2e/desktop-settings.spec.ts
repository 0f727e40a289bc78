import { apiOf } from './support/desktop-api.ts';
import { expect, test } from './support/desktop.ts';

test('settings that another program changes reach the open window at once', async ({ launch }) => {
  const desktop = await launch();
  const { page } = await desktop.chat();
  const marks = (): Promise<(string | undefined)[]> =>
    page.evaluate(() => {
      const { theme, textSize } = document.documentElement.dataset;
      return [theme, textSize];
    });
  for (const [theme, textSize] of [
    ['dark', 'large'],
    ['light', 'small'],
  ] as const) {
    await apiOf(desktop).set({ theme, textSize });
    await expect.poll(marks).toEqual([theme, textSize]);
  }
});
