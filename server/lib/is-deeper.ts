/** Whether lists and objects lie within one another in more levels than that. It looks no deeper itself. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((each) => isDeeper(each, levels - 1));
}
