/** The words for an order, as patterns: "largest first", "z to a", "in reverse order". */
const LARGE =
  '(?:high(?:est)?|larg(?:e|est)|big(?:gest)?|greatest|long(?:est)?|new(?:est)?|latest|most(?: expensive)?|z)';
const SMALL = '(?:low(?:est)?|small(?:est)?|short(?:est)?|old(?:est)?|cheapest|least(?: expensive)?|a)';
const FIRST = '(?: (?:one|number|\\S+))? first';

/** The largest, last or latest first. */
export const DESCENDING = `(?:in )?(?:descending(?:ly)?|desc|decreasing|(?<=in )reverse|reversed?(?= order| alphabetical)(?: alphabetical(?:ly)?)?|reversed|${LARGE}\\s?(?:-|–|to)\\s?${SMALL}|${LARGE}${FIRST})(?: order)?`;

/** The smallest or first first, which is usual. */
export const ASCENDING = `(?:in )?(?:ascending(?:ly)?|asc|increasing|${SMALL}\\s?(?:-|–|to)\\s?${LARGE}|${SMALL}${FIRST})(?: order)?`;
