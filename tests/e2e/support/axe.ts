import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe's answer depends on the colours for; the rest is the same in light and dark. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Axe itself, as the builder would load it. */
const SOURCE = (AxeBuilder.prototype as unknown as { script(): string }).script();

/** Loads axe once into a page: that takes longer than a check, and the builder does it twice for each. */
class Axe extends AxeBuilder {
  readonly #page: Page;
  readonly #isAlone: boolean;

  constructor(page: Page) {
    const isAlone = page.frames().length === 1;
    // With frames, each of them needs it.
    super({ page, ...(isAlone && { axeSource: '0' }) });
    this.#page = page;
    this.#isAlone = isAlone;
  }

  override async analyze(): ReturnType<AxeBuilder['analyze']> {
    // Transitions would be judged half way.
    await this.#page.evaluate(async () => {
      const isEnding = ({ effect }: Animation): boolean => effect?.getComputedTiming().endTime !== Infinity;
      await Promise.allSettled(
        document
          .getAnimations()
          .filter(isEnding)
          .map(({ finished }) => finished),
      );
    });
    if (this.#isAlone && !(await this.#page.evaluate(() => 'axe' in window)))
      await this.#page.evaluate(SOURCE);
    return super.analyze();
  }
}

/**
 * Finds violations of all of axe's rules on a page. Axe runs in the page itself, where it would otherwise open another
 * window each time for cross-origin frames, and reports only violations.
 */
export const axe = (page: Page): AxeBuilder =>
  new Axe(page).setLegacyMode().options({ resultTypes: ['violations'] });

/** Nothing that axe knows of is wrong with what is on the page now. */
export async function expectAccessible(
  page: Page,
  what = '',
  check: (page: Page) => AxeBuilder = axe,
): Promise<void> {
  const { violations } = await check(page).analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    at: nodes.map(({ html, target }) => `${target.join(' ')} ${html}`),
  }));
  expect(found, what).toEqual([]);
}

/** The same in light and in dark: the page stays as it is, and only its colours are checked again. */
export async function expectAccessibleInBoth(page: Page, what: string, check = axe): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, `${what}, in light`, check);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${what}, in dark`, (of) => check(of).withRules(RULES_OF_COLOURS));
}
