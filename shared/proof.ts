/**
 * What is signed when the service and a browser prove to each other who they are, with ECDSA on P-256 over SHA-256. A
 * signature is `r` and `s` side by side, in base64url. Each text begins with its purpose, so that a signature is valid
 * for nothing else, and ends with the requested address, so that none can be relayed from another port.
 */

/** What the service signs, for the nonce in `GET /health?nonce=…`. `address` as in `http://127.0.0.1:4141`. */
export const serverProofText = (nonce: string, address: string): string =>
  `parley-server-1\n${nonce}\n${address}`;

/** What a returning browser signs, for the challenge in the service's response. */
export const browserProofText = (challenge: string, address: string): string =>
  `parley-browser-1\n${challenge}\n${address}`;
