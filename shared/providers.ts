/**
 * The kinds of model servers that can be connected, in display order: what both the service and its clients know about
 * them. How to talk to each is in its record in `server/connections/providers/`.
 */
import type { ParameterName } from './api/parameters.ts';

/** What is known about a kind of model server. */
export interface ProviderFacts {
  /** Its display name. */
  title: string;
  /** In a few words, what it is or needs. */
  about: string;
  /** Its base address; null: each server has its own. */
  address: string | null;
  /** A hint for entering an address. */
  addressHint: string;
  /** An example of an address to enter; absent if there is a default one. */
  addressExample?: string;
  /** A cloud service, which needs a key. */
  isService: boolean;
  /** The parameters that it supports, for all its models. */
  parameters: readonly ParameterName[];
  /** A format that many kinds of servers speak: a connection is named after its host. */
  isFormat?: true;
}

const USUAL_PARAMETERS = ['temperature', 'topP', 'maxOutputTokens', 'stopSequences', 'reasoning'] as const;
const ALL_PARAMETERS = [...USUAL_PARAMETERS, 'seed', 'presencePenalty', 'frequencyPenalty'] as const;

const NEEDS_KEY = 'Needs a key';
const FOR_GATEWAYS = 'Change it only for a gateway of your own.';

export const PROVIDERS = {
  ollama: {
    title: 'Ollama',
    about: 'Models on this computer, or on another of yours',
    address: 'http://127.0.0.1:11434',
    addressHint: 'Where Ollama listens; this is its usual place.',
    isService: false,
    parameters: [...USUAL_PARAMETERS, 'seed'],
  },
  openai_compatible: {
    title: 'OpenAI-compatible',
    about: 'LM Studio, llama.cpp, vLLM and others',
    address: null,
    addressHint:
      'With its /v1 as a rule: http://127.0.0.1:8080/v1 for llama.cpp, http://127.0.0.1:1234/v1 for LM Studio.',
    addressExample: 'http://127.0.0.1:8080/v1',
    isService: false,
    parameters: ALL_PARAMETERS,
    isFormat: true,
  },
  openai: {
    title: 'OpenAI',
    about: NEEDS_KEY,
    address: 'https://api.openai.com/v1',
    addressHint: FOR_GATEWAYS,
    isService: true,
    parameters: ALL_PARAMETERS,
  },
  anthropic: {
    title: 'Anthropic',
    about: NEEDS_KEY,
    address: 'https://api.anthropic.com/v1',
    addressHint: FOR_GATEWAYS,
    isService: true,
    parameters: USUAL_PARAMETERS,
  },
  google: {
    title: 'Google',
    about: NEEDS_KEY,
    address: 'https://generativelanguage.googleapis.com/v1beta',
    addressHint: FOR_GATEWAYS,
    isService: true,
    parameters: ALL_PARAMETERS,
  },
  mistral: {
    title: 'Mistral',
    about: NEEDS_KEY,
    address: 'https://api.mistral.ai/v1',
    addressHint: FOR_GATEWAYS,
    isService: true,
    parameters: ALL_PARAMETERS,
  },
  azure_openai: {
    title: 'Azure OpenAI',
    about: 'Needs a key; its models go by the names of your deployments',
    address: null,
    addressHint: 'The endpoint of your resource, with /openai/v1 at its end.',
    addressExample: 'https://my-resource.openai.azure.com/openai/v1',
    isService: true,
    parameters: ALL_PARAMETERS,
  },
} as const satisfies Record<string, ProviderFacts>;

/** Their names in the API. */
export type Provider = keyof typeof PROVIDERS;

/** The names of {@link PROVIDERS}, in their order. */
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as Provider[];

/** The facts about that kind. */
export const factsOf = (provider: Provider): ProviderFacts => PROVIDERS[provider];
