/** A host of this computer or of the network around it: such servers rarely have certificates. */
const NEARBY =
  /^(?:localhost|[^.:/]+|[^:/]+\.(?:local|lan|home|internal)|\d+(?:\.\d+){3}|\[[^\]]*\])(?::\d*)?(?:\/|$)/i;

/** An address as people type it, with the scheme that they left out: `http` nearby, else `https`. */
export function completeAddress(typed: string): string {
  const address = typed.trim();
  if (address === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address;
  return `${NEARBY.test(address) ? 'http' : 'https'}://${address}`;
}
