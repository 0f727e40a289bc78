/** The attributes of what scrolls by itself, also by keyboard, with its name for screen readers. */
export const scrolls = (label: string, role: 'region' | 'group' | 'document' = 'region') => ({
  role,
  'aria-label': label,
  tabindex: 0,
});
