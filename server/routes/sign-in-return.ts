import type { McpService } from '../mcp/mcp-service.ts';
import type { App } from '../plugins/endpoints.ts';
import { escapeHtml } from '../../shared/escape-html.ts';

/** Where browsers come back to from a sign-in at a tool server. */
export const SIGN_IN_RETURN = '/oauth/callback';

/**
 * The page that ends a sign-in. It needs no key, since a browser comes from elsewhere; what it does depends on a state that only that
 * browser was given, and it shows nothing of what came with the request.
 */
export function setupSignInReturn(app: App, servers: Pick<McpService, 'finishSignIn'>): void {
  // A HEAD request would use the state up.
  const options = { schema: { hide: true }, exposeHeadRoute: false };
  app.get(SIGN_IN_RETURN, options, async (request, reply) => {
    const { server, problem } = await servers.finishSignIn(
      new URL(request.url, 'http://127.0.0.1').searchParams,
    );
    const text =
      problem ?? `Parley may use “${server?.name ?? ''}” now. You can close this page and go back to Parley.`;
    return reply
      .code(problem === null ? 200 : 400)
      .headers({
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(page(problem === null ? 'Signed in' : 'Not signed in', text));
  });
}

const page = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – Parley</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  main { max-width: 32rem; margin: 15vh auto; padding: 0 1.5rem; overflow-wrap: anywhere; }
</style>
<main><h1>${title}</h1><p>${escapeHtml(text)}</p></main>
</html>
`;
