import type { Provider } from '../../../shared/providers.ts';
import { ANTHROPIC } from './anthropic.ts';
import { GOOGLE } from './google.ts';
import { OLLAMA } from './ollama.ts';
import { AZURE_OPENAI, MISTRAL, OPENAI } from './openai.ts';
import { OPENAI_COMPATIBLE } from './openai-compatible.ts';
import type { ProviderRecord } from './provider.ts';

/** How each kind of model server is spoken to. */
export const RECORDS: Readonly<Record<Provider, ProviderRecord>> = {
  ollama: OLLAMA,
  openai_compatible: OPENAI_COMPATIBLE,
  openai: OPENAI,
  anthropic: ANTHROPIC,
  google: GOOGLE,
  mistral: MISTRAL,
  azure_openai: AZURE_OPENAI,
};
