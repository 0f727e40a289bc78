import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Finds violations of all of axe's rules on a page. Axe runs in the page itself, where it would otherwise open another
 * window each time for cross-origin frames, and reports only violations.
 */
export const axe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
