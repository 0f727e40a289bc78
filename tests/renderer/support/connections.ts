import type { Connection, ConnectionTest } from '../../../shared/api/connection.ts';

/** A connection to Ollama on this computer with two models, with these fields changed. */
export const aConnection = (changes: Partial<Connection> = {}): Connection => ({
  id: 'connection',
  provider: 'ollama',
  name: 'Ollama',
  slug: 'ollama',
  baseUrl: null,
  key: 'none',
  headerNames: [],
  headers: 'none',
  createdAt: '2026-11-20T12:00:00.000Z',
  models: ['llama3.2', 'qwen3'].map((id) => ({ name: `ollama/${id}`, id, contextTokens: null })),
  modelsListedAt: '2026-11-20T12:00:00.000Z',
  ...changes,
});

/** A test that found nothing wrong, with these fields changed. */
export const aTest = (changes: Partial<ConnectionTest> = {}): ConnectionTest => ({
  finding: 'ok',
  message: 'It answers.',
  tookMs: 12,
  models: ['llama3.2'],
  ...changes,
});
