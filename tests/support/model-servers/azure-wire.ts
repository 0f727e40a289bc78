import { head, openAiWireAt, sse } from './openai-wire.ts';
import type { Wire } from './wire.ts';

const CODES: Readonly<Record<number, string>> = { 404: 'DeploymentNotFound', 400: 'content_filter' };
const FORMAT = openAiWireAt('/openai/v1');

/** What could be deployed, whatever is. */
const baseModel = (id: string, chats: boolean): object => ({
  id,
  object: 'model',
  status: 'succeeded',
  lifecycle_status: 'generally-available',
  capabilities: { inference: true, chat_completion: chats, embeddings: !chats },
});

/** OpenAI's format as a resource of Azure's speaks it: models are deployments, filters tell what they found. */
export const AZURE_WIRE: Wire = {
  ...FORMAT,
  describe: (path) =>
    path === '/openai/v1/models'
      ? { object: 'list', data: [baseModel('gpt-4o-2024-11-20', true), baseModel('text-embedding-3', false)] }
      : null,
  pieces(asked, answer) {
    const { pieces, end } = FORMAT.pieces(asked, answer);
    const found = [
      { prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } },
    ];
    const first = { ...head(asked, ''), id: '', model: '', choices: [], prompt_filter_results: found };
    return { pieces: [sse(first), ...pieces], end };
  },
  refusal: (status, message) => ({ error: { code: CODES[status] ?? String(status), message } }),
  noModel: () => ({ status: 404, message: 'The API deployment for this resource does not exist.' }),
};
