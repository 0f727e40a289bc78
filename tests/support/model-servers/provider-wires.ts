import type { Provider } from '../../../shared/providers.ts';
import type { WireName } from './model-server.ts';

/** Which format the fake servers of each provider speak. */
const WIRE_OF: Readonly<Record<Provider, WireName>> = {
  openai_compatible: 'openai',
  openai: 'openai',
  ollama: 'ollama',
  anthropic: 'anthropic',
  google: 'google',
  mistral: 'mistral',
  azure_openai: 'azure',
};

/** All providers, each with its format. */
export const PROVIDER_WIRES = Object.entries(WIRE_OF) as [Provider, WireName][];
