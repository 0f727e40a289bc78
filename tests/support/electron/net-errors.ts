/** Chromium's numbers for why something could not be loaded; of its hundreds, those that tests bring about. */
const NUMBERS: Record<string, number> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_FILE_NOT_FOUND: -6,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_CONNECTION_CLOSED: -100,
  ERR_CONNECTION_RESET: -101,
  ERR_CONNECTION_REFUSED: -102,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INVALID_URL: -300,
  ERR_EMPTY_RESPONSE: -324,
};

/** What `loadURL` rejects with. */
export interface LoadFailure extends Error {
  errno: number;
  code: string;
  url: string;
}

export function loadFailure(errorText: string, url: string): LoadFailure {
  const code = errorText.replace('net::', '');
  const errno = NUMBERS[code] ?? -2;
  return Object.assign(new Error(`${code} (${errno}) loading '${url}'`), { errno, code, url });
}
