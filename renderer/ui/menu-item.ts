import type { IconName } from './icons.ts';

/** One line of a menu. */
export interface MenuItem {
  label: string;
  icon?: IconName;
  danger?: boolean;
  disabled?: boolean;
  /** Set for items of which one is chosen. */
  checked?: boolean;
  /** A line below, in small. */
  hint?: string;
  /** A rule above it. */
  separated?: boolean;
  run: () => void;
}
