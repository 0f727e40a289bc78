import type {
  AuthorizationServerMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** Parley as an authorization server knows it. */
export interface Registration {
  /** The only address that the browser may be sent back to. */
  redirectUrl: string;
  client: StoredOAuthClientInformation;
  authorizationServerUrl: string;
  /** Absent: the server publishes none. */
  metadata?: AuthorizationServerMetadata;
  /** What tokens are asked for, as the tool server names itself; absent: it doesn't. */
  resource?: string;
}

/** A sign-in that the browser was opened for. */
export interface PendingSignIn {
  registration: Registration;
  /** Comes back from the browser once; only we know it. */
  state: string;
  verifier: string;
  /** The rights asked for; absent: whatever the server gives. */
  scope?: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** What is kept of the sign-in at a tool server, as a secret of its own. */
export interface KeptSignIn {
  /** The server's address; at another one, all this is as if it were not there. */
  url: string;
  registration?: Registration;
  tokens?: StoredOAuthTokens;
  /** There were tokens, and the server no longer takes them. */
  hasEnded?: true;
  pending?: PendingSignIn;
}

/** What a tool server answered when it asked for a sign-in. */
export interface SignInChallenge {
  /** The rights it wants, separated by spaces; absent: it doesn't say. */
  scope?: string | undefined;
  resourceMetadataUrl?: URL | undefined;
}
