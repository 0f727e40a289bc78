/** Masks what must not be in a log: keys, tokens and what looks like one. */

const MASK = '…';

/** Each keeps the part that shows the kind of secret. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // Our own: API keys and session keys, tokens of links, what browsers sign to come back.
  [/\b(parley_|page_)[A-Za-z0-9_-]{6,}/g, `$1${MASK}`],
  [/\b(back_)[A-Za-z0-9_-]{43}\.[A-Za-z0-9_.-]+/g, `$1${MASK}`],
  // The fragment of a page link, also percent-encoded or in a query.
  [
    /([#?&]|%23|%3F|%26)((?:access_|refresh_|id_)?token|api_?key|key|secret|password)(=|%3D)[^\s&"'<>)]+/gi,
    `$1$2$3${MASK}`,
  ],
  // Credentials of HTTP.
  [/\b(Bearer|Basic)(\s+|%20)[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${MASK}`],
  [
    /((?:x-)?(?:api-key|goog-api-key)|authorization)("?\s*[:=]\s*"?)(?!Bearer|Basic)[^\s",;]{6,}/gi,
    `$1$2${MASK}`,
  ],
  [/(:\/\/)[^\s/:@]+:[^\s/@]+@/g, `$1${MASK}@`],
  // Keys of model providers: "sk-…", "sk-ant-…", "pk-…", "gsk_…", "xai-…", "AIza…", "hf_…", "r8_…".
  [/\b(sk|pk|rk|xai|gsk|hf|r8|pplx|nvapi|key|tgp)([-_])[A-Za-z0-9_-]{12,}/g, `$1$2${MASK}`],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, `AIza${MASK}`],
  // JSON web tokens.
  [/\beyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+){0,2}/g, `eyJ${MASK}`],
];

/** The text with everything masked that looks like a key or a token. */
export function redact(text: string): string {
  let masked = text;
  for (const [pattern, replacement] of SECRETS) masked = masked.replace(pattern, replacement);
  return masked;
}
