/** The response, cut off with an error where it gets larger than that; `onTooLarge` is called then. */
export function bounded(response: Response, maxBytes: number, onTooLarge?: () => void): Response {
  if (response.body === null) return response;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      size += piece.byteLength;
      if (size <= maxBytes) {
        controller.enqueue(piece);
        return;
      }
      onTooLarge?.();
      controller.error(new Error('The answer is too large.'));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}
