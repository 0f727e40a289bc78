import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Axe, to find violations on a page: all of its rules. It judges them in the page itself, where it would else open another
 * window each time for the sake of frames from elsewhere, and describes nothing that is well.
 */
export const axe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
