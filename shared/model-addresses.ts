/** Whether an address is on this computer, so that nothing leaves it. */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? '';
  return /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/.test(host);
}
