/** What an owner says of itself, and what of that is believed. */

/** Who owns a data folder, as far as it says. */
export interface Owner {
  pid: number | null;
  /** `http://127.0.0.1:<port>`; null while it is starting. */
  baseUrl: string | null;
}

/** More than an owner ever says. */
export const MAX_OWNER_TEXT = 1_024;

const ADDRESS = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})$/;
const MAX_PORT = 65_535;

/** Whether it is an address that Parley can have, and nothing else. */
export function isOwnAddress(text: unknown): text is string {
  const port = typeof text === 'string' ? ADDRESS.exec(text)?.[1] : undefined;
  return port !== undefined && Number(port) <= MAX_PORT;
}

/** Reads what an owner said; whatever makes no sense counts as not said. */
export function parseOwner(text: string): Owner {
  const { pid, baseUrl } = fieldsOf(text);
  return {
    pid: typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 ? pid : null,
    baseUrl: isOwnAddress(baseUrl) ? baseUrl : null,
  };
}

function fieldsOf(text: string): Partial<Record<keyof Owner, unknown>> {
  try {
    return text.length <= MAX_OWNER_TEXT ? ((JSON.parse(text) as object | null) ?? {}) : {};
  } catch {
    // Cut short, or not ours.
    return {};
  }
}
