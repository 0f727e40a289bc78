/**
 * The API's reference: Scalar's page over `/openapi.json`, with everything turned off that would contact other servers; the page's policy
 * would refuse that, too. A browser that is signed in needs no key to try requests: it gets a separate session, which is kept in
 * memory. In any other browser a person enters a key, which is kept there, too.
 */
import { readBrowserKey } from '../api/browser-key.ts';
import { comeBack } from '../api/session.ts';

/** The part of Scalar's global that is used. */
interface Scalar {
  createApiReference: (selector: string, configuration: object) => unknown;
}

const BUNDLE = '/docs/scalar.js';

/** A key to try requests with; empty: this browser isn't signed in. */
async function findKey(): Promise<string> {
  const known = await readBrowserKey();
  const session = known && (await comeBack(known).catch(() => null));
  return session?.apiKey ?? '';
}

/** Loads Scalar's bundle, a script that defines a global. */
const loadScalar = (): Promise<Scalar> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = BUNDLE;
    script.onload = () => resolve((globalThis as unknown as { Scalar: Scalar }).Scalar);
    script.onerror = () => reject(new Error(`There is no ${BUNDLE}.`));
    document.head.append(script);
  });

/** The theme of the settings: light, dark, or the system's. */
function appearance(): object {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark'
    ? { forceDarkModeState: theme, hideDarkModeToggle: true }
    : { darkMode: matchMedia('(prefers-color-scheme: dark)').matches };
}

async function show(): Promise<void> {
  const [scalar, token] = await Promise.all([loadScalar(), findKey()]);
  scalar.createApiReference('#app', {
    url: '/openapi.json',
    authentication: { preferredSecurityScheme: 'key', securitySchemes: { key: { token } } },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    theme: 'default',
    ...appearance(),
    persistAuth: false,
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'direct',
  });
}

show().catch((problem: unknown) => {
  document.body.textContent = `The reference page could not be shown. ${String(problem)}`;
});
