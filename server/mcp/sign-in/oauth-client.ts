/**
 * The parts of a sign-in that the MCP library does: discovery, registration, PKCE, the exchange of a code, refreshing. We keep
 * what it needs. Like the rest of the library, this is loaded when it is first needed.
 */
import {
  auth,
  exchangeAuthorization,
  isStrictScopeSuperset,
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  RegistrationRejectedError,
  selectClientAuthMethod,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { randomBytes } from 'node:crypto';
import type { McpSignInBody } from '../../../shared/api/mcp.ts';
import { invalidField } from '../../errors.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import type { PendingSignIn, Registration, SignInChallenge } from './kept-sign-in.ts';

/** How long the browser may take. */
const PENDING_MS = 10 * 60_000;

/** Where a sign-in begins. */
export interface BeginOptions {
  serverId: string;
  serverUrl: string;
  redirectUrl: string;
  /** As kept from an earlier sign-in; absent: Parley isn't registered yet. */
  registration?: Registration;
  /** A client that the person registered themselves. */
  given: McpSignInBody;
  challenge: SignInChallenge;
  guarded: GuardedFetch;
  now: Date;
}

/**
 * Prepares a sign-in up to the address that the browser opens. Rejects with AppError `invalid_request` when a client id is needed,
 * and as the library and the guard do.
 */
export async function beginSignIn(options: BeginOptions): Promise<{ address: URL; pending: PendingSignIn }> {
  const { serverId, serverUrl, redirectUrl, registration, given, challenge, guarded, now } = options;
  const { clientId, clientSecret } = given;
  const isDocument = clientSecret === undefined && clientId?.startsWith('https://') === true;
  const isKnown =
    registration?.redirectUrl === redirectUrl &&
    !exceeds(challenge.scope, (registration.client as { scope?: unknown }).scope);
  let client = clientId === undefined && isKnown ? registration.client : undefined;
  let address: URL | undefined;
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;
  let resource: string | undefined;
  // The id leads back to the server, the rest can't be guessed.
  const state = `${serverId}.${randomBytes(32).toString('base64url')}`;
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(isDocument && { clientMetadataUrl: clientId }),
    clientMetadata: {
      client_name: 'Parley',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: (context) => {
      if (clientId === undefined || isDocument) return client;
      return {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        ...context,
      };
    },
    saveClientInformation: (saved) => void (client = saved),
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: (url) => void (address = url),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    saveDiscoveryState(saved) {
      checkIssuer(saved, serverUrl);
      discovery = saved;
    },
    saveResourceUrl: (saved) => void (resource = saved),
  };
  try {
    const { scope, resourceMetadataUrl } = challenge;
    await auth(provider, {
      ...{ serverUrl, forceReauthorization: true, fetchFn: guarded.fetch },
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
      // `checkIssuer` checks it, before anything is registered.
      skipIssuerMetadataValidation: true,
    });
  } catch (error) {
    const metadata = discovery?.authorizationServerMetadata;
    const isClosed = metadata !== undefined && metadata.registration_endpoint === undefined;
    if (client === undefined && (isClosed || error instanceof RegistrationRejectedError)) {
      const why =
        discovery !== undefined && metadata === undefined
          ? 'doesn’t say how to sign in. If it wants a key, add a header instead. If it wants a sign-in, register'
          : 'doesn’t register apps by itself. Register';
      throw clientNeeded(discovery?.authorizationServerUrl ?? serverUrl, why, redirectUrl);
    }
    throw error;
  }
  const issuer = discovery?.authorizationServerMetadata?.issuer ?? discovery?.authorizationServerUrl ?? '';
  client = (await provider.clientInformation({ issuer })) ?? undefined;
  if (address === undefined || discovery === undefined || client === undefined) {
    throw new Error('The library began no sign-in.');
  }
  await guarded.check(address);
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = discovery;
  const scope = address.searchParams.get('scope');
  return {
    address,
    pending: {
      registration: {
        ...{ redirectUrl, client, authorizationServerUrl },
        ...(metadata !== undefined && { metadata }),
        ...(resource !== undefined && { resource }),
      },
      ...{ state, verifier },
      ...(scope !== null && { scope }),
      expiresAt: new Date(now.getTime() + PENDING_MS).toISOString(),
    },
  };
}

/** Whether more rights are asked for than the client was registered for. */
const exceeds = (scope: string | undefined, registered: unknown): boolean =>
  typeof registered === 'string' && isStrictScopeSuperset(scope, registered);

/**
 * An authorization server must name itself by the address that its metadata were found at. Servers of the MCP specification of March
 * 2025 have theirs at the root of their origin without saying so; such a server may name itself by any path there. Throws
 * IssuerMismatchError.
 */
function checkIssuer(
  { authorizationServerUrl, authorizationServerMetadata, resourceMetadata }: OAuthDiscoveryState,
  serverUrl: string,
): void {
  const { issuer = authorizationServerUrl } = authorizationServerMetadata ?? {};
  if (isIssuer(issuer, authorizationServerUrl)) return;
  if (resourceMetadata === undefined && URL.parse(issuer)?.origin === new URL(serverUrl).origin) return;
  throw new IssuerMismatchError('metadata', authorizationServerUrl, issuer);
}

/** Whether an issuer is the authorization server at that address. */
const isIssuer = (issuer: string, address: string): boolean => issuer === address || `${issuer}/` === address;

const clientNeeded = (address: string, why: string, redirectUrl: string): Error =>
  invalidField(
    'clientId',
    `${new URL(address).host} ${why} Parley there with the redirect address ${redirectUrl}, and give the client id that you get.`,
  );

/** What the library's requests for tokens have in common. */
const optionsOf = ({ client, metadata, resource }: Registration, fetchFn: FetchLike) => ({
  clientInformation: client,
  ...(metadata !== undefined && { metadata }),
  ...(resource !== undefined && { resource }),
  fetchFn,
});

/** Exchanges the code that the browser came back with. Rejects as the library does, also when it came from another server. */
export async function exchangeCode(
  { registration, verifier, scope }: PendingSignIn,
  { code, iss }: { code: string; iss: string | null },
  fetchFn: FetchLike,
): Promise<StoredOAuthTokens> {
  const { client, redirectUrl, authorizationServerUrl, metadata } = registration;
  // The library checks it against metadata only. A server without any could have sent the browser on to another one.
  if (metadata === undefined && iss !== null && !isIssuer(iss, authorizationServerUrl))
    throw new IssuerMismatchError('authorization_response', authorizationServerUrl, iss);
  const tokens = await exchangeAuthorization(authorizationServerUrl, {
    ...optionsOf(registration, fetchFn),
    authorizationCode: code,
    ...(iss !== null && { iss }),
    codeVerifier: verifier,
    redirectUri: redirectUrl,
  });
  return {
    // A server that gives all that was asked for need not say so.
    ...(scope !== undefined && { scope }),
    ...tokens,
    ...(client.issuer !== undefined && { issuer: client.issuer }),
  };
}

/** New tokens for the old; null: the server refuses, and only signing in again helps. Rejects when it can't be reached or fails. */
export async function refreshTokens(
  registration: Registration,
  tokens: StoredOAuthTokens,
  fetchFn: FetchLike,
): Promise<StoredOAuthTokens | null> {
  const { refresh_token: refreshToken } = tokens;
  if (refreshToken === undefined) return null;
  try {
    const options = { ...optionsOf(registration, fetchFn), refreshToken };
    return { ...tokens, ...(await refreshAuthorization(registration.authorizationServerUrl, options)) };
  } catch (error) {
    if (error instanceof OAuthError && !MAY_PASS.includes(error.code)) return null;
    throw error;
  }
}

/** Failures of an authorization server that don't concern the tokens. */
const MAY_PASS: readonly string[] = [
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
];

/** Asks the server to take the tokens back; false: it offers no way, or did not confirm. Never rejects. */
export async function revokeTokens(
  { client, metadata }: Registration,
  { refresh_token: refreshToken, access_token: accessToken }: StoredOAuthTokens,
  fetchFn: FetchLike,
): Promise<boolean> {
  if (metadata === undefined) return false;
  const { revocation_endpoint: endpoint } = metadata as { revocation_endpoint?: unknown };
  if (typeof endpoint !== 'string') return false;
  const { client_id: id, client_secret: secret } = client;
  const method = selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported ?? []);
  const isBasic = method === 'client_secret_basic' && secret !== undefined;
  const revoke = async (token: string): Promise<boolean> => {
    const { ok } = await fetchFn(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(isBasic && { authorization: `Basic ${btoa(`${id}:${secret}`)}` }),
      },
      body: new URLSearchParams({
        token,
        ...(!isBasic && { client_id: id, ...(secret !== undefined && { client_secret: secret }) }),
      }),
    });
    return ok;
  };
  try {
    // The access token too: not every server revokes it along with the other.
    const done = await Promise.all([refreshToken ?? [], accessToken].flat().map(revoke));
    return done.every(Boolean);
  } catch {
    return false;
  }
}
