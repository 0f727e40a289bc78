/** The sign-in of one connection to a tool server: its token, and what to make of refusals. */
import {
  computeScopeUnion,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  SdkHttpError,
  type AuthProvider,
} from '@modelcontextprotocol/client';
import { McpFault } from '../connection.ts';
import type { SecretValues } from '../../secrets/mask.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import type { KeptSignIn } from './kept-sign-in.ts';
import { refreshTokens } from './oauth-client.ts';
import type { SignedServer, SignIns } from './sign-ins.ts';

/** What a connection asks of its server's sign-in. */
export interface ServerAuth extends AuthProvider {
  onUnauthorized: NonNullable<AuthProvider['onUnauthorized']>;
  /** What an error of the connection means, if the sign-in is why; else null. */
  faultOf(error: unknown): McpFault | null;
  /** What must not be shown of it: the same object until that changes. */
  secrets(): SecretValues;
}

/** The sign-in at that server, for one connection. `signIns`: where it is kept. */
export function createServerAuth(
  server: SignedServer,
  signIns: Pick<SignIns, 'read' | 'renew' | 'noteNeed'>,
  guarded: GuardedFetch,
): ServerAuth {
  const host = new URL(server.url).host;
  let kept: KeptSignIn | null | undefined;
  let secrets: SecretValues = {};

  function take(now: KeptSignIn | null): void {
    kept = now;
    const { tokens, registration } = now ?? {};
    secrets = {
      token: tokens?.access_token ?? '',
      refresh_token: tokens?.refresh_token ?? '',
      client_secret: registration?.client.client_secret ?? '',
    };
  }

  async function token(): Promise<string | undefined> {
    // What can't be read only matters if the server asks for it: it is read again then.
    if (kept === undefined) take(await signIns.read(server).catch(() => null));
    return kept?.tokens?.access_token;
  }

  /** Whether the server has a sign-in at all; others just want a key. */
  async function offersSignIn(): Promise<boolean> {
    try {
      // Who issues tokens is checked when a sign-in begins.
      const found = await discoverOAuthServerInfo(server.url, {
        fetchFn: guarded.fetch,
        skipIssuerMetadataValidation: true,
      });
      return found.resourceMetadata !== undefined || found.authorizationServerMetadata !== undefined;
    } catch {
      return false;
    }
  }

  function needed(challenge: Parameters<SignIns['noteNeed']>[1], what = 'a sign-in'): McpFault {
    signIns.noteNeed(server, challenge);
    if (server.id === '') return fault(`${host} asks for ${what}. To sign in, save it first.`);
    const hadOne = kept?.hasEnded === true || kept?.tokens !== undefined;
    return fault(hadOne ? `The sign-in at ${host} has ended. Sign in again.` : `${host} asks for ${what}.`);
  }

  return {
    token,
    async onUnauthorized({ response }) {
      const challenge = extractWWWAuthenticateParams(response);
      const used = await token();
      take(
        await signIns.renew(server, used, ({ registration, tokens }) =>
          registration === undefined || tokens === undefined
            ? Promise.resolve(null)
            : refreshTokens(registration, tokens, guarded.fetch),
        ),
      );
      if (kept?.tokens !== undefined) return;
      const isOffered =
        kept !== null || challenge.resourceMetadataUrl !== undefined || (await offersSignIn());
      // Servers of March 2025 may have a sign-in without a word about it, and look like those that want a key.
      const isPossible = /^bearer\b/i.test(response.headers.get('www-authenticate') ?? '');
      // Otherwise it is asked once more, and the refusal is reported as one of a key.
      if (!isOffered && !isPossible) return;
      throw needed(challenge, isOffered ? undefined : 'a sign-in, or for a key in a header');
    },
    faultOf(error) {
      if (error instanceof McpFault) return error;
      if (error instanceof InsufficientScopeError) {
        const scope = computeScopeUnion(kept?.tokens?.scope, error.requiredScope);
        signIns.noteNeed(server, { scope, resourceMetadataUrl: error.resourceMetadataUrl });
        return fault(`${host} asks for more rights than it was given. Sign in again to give them.`);
      }
      if (!(error instanceof SdkHttpError) || kept?.tokens === undefined) return null;
      if (error.status === 401) return needed({});
      const words = `${host} does not let the account that signed in do this.`;
      return error.status === 403 ? new McpFault('key_refused', words, error) : null;
    },
    secrets: () => secrets,
  };
}

const fault = (message: string): McpFault => new McpFault('sign_in_needed', message);
