/** An error like the network's own. */
export const networkError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });
