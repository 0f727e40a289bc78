/** Which addresses are this service's own: that stops a name that was rebound to loopback, and foreign web pages. */

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
const DEFAULT_HTTP_PORT = 80;

/** Whether a `Host` header, or the authority of a URL, names a loopback address and this port. */
export function createHostCheck(): (host: string | undefined, port: number | undefined) => boolean {
  let ownPort: number | undefined;
  let own = new Set<string>();
  return (host, port) => {
    if (host === undefined || port === undefined) return false;
    if (port !== ownPort) {
      ownPort = port;
      own = new Set(LOOPBACK_HOSTS.map((name) => `${name}:${port}`));
      if (port === DEFAULT_HTTP_PORT) for (const name of LOOPBACK_HOSTS) own.add(name);
    }
    return own.has(host) || own.has(host.toLowerCase());
  };
}
