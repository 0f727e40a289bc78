/** What servers in use say when they refuse a request, word for word, and what each of it means. */
import { describe, expect, it } from 'vitest';
import { exceedsPace, saysLoading, saysNoTools, saysTooLong } from '../../../server/models/refusal-words.ts';

const TOO_LONG: readonly [server: string, said: string][] = [
  [
    'OpenAI',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. Please reduce the length of the messages.",
  ],
  ['OpenAI', 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
  [
    'OpenAI',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens. Please reduce the length of the messages.',
  ],
  ['Anthropic', 'prompt is too long: 205000 tokens > 200000 maximum'],
  [
    'Anthropic',
    'input length and `max_tokens` exceed context limit: 190000 + 21333 > 204698, decrease input length or `max_tokens` and try again',
  ],
  ['Google', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
  ['Google', 'The input token count exceeds the maximum number of tokens allowed 1048576.'],
  [
    'Vertex',
    'Unable to submit request because the input token count is 40000 but model only supports up to 32768. Reduce the input token count and try again.',
  ],
  [
    'Mistral',
    'Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
  ],
  ['Groq', 'Please reduce the length of the messages or completion.'],
  [
    'Groq',
    'Request too large for model `llama-3.1-8b-instant` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 8000, please reduce your message size and try again.',
  ],
  [
    'Together',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`',
  ],
  ['TGI', 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000'],
  [
    'OpenRouter',
    'This endpoint\'s maximum context length is 32768 tokens. However, you requested about 40000 tokens (38000 of text input, 2000 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
  ],
  [
    'vLLM',
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
  ],
  [
    'vLLM',
    'The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens.',
  ],
  [
    'vLLM',
    "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 8192 tokens and your request has 6000 input tokens (4096 > 8192 - 6000).",
  ],
  [
    'vLLM',
    "You passed 9001 input tokens and requested 0 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 8192 tokens. Please reduce the length of the input prompt.",
  ],
  ['SGLang', "The input (9000 tokens) is longer than the model's context length (8192 tokens)."],
  [
    'SGLang',
    'Input length (40016 tokens) exceeds the maximum allowed length (32763 tokens). Use a shorter input or enable --allow-auto-truncate.',
  ],
  [
    'SGLang',
    "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens: 8000 tokens from the input messages and 1000 tokens for the completion.",
  ],
  ['llama.cpp', 'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it'],
  [
    'llama.cpp',
    'the request exceeds the available context size. try increasing the context size or enable context shift',
  ],
  ['llama.cpp', 'Context size has been exceeded.'],
  ['llama.cpp', 'input is too large to process. increase the physical batch size'],
  [
    'LM Studio',
    'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input',
  ],
  [
    'LM Studio',
    'The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input',
  ],
  ['LM Studio', 'Cannot truncate prompt with n_keep (9000) >= n_ctx (4096)'],
  ['Ollama', 'the input length exceeds the context length'],
  ['Ollama', 'prompt too long; exceeded max context length by 100 tokens'],
  ['Bedrock', 'Input is too long for requested model.'],
  [
    'Bedrock',
    'The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
  ],
  [
    'Bedrock',
    'Malformed input request: expected maxLength: 200000, actual: 300000, please reformat your input and try again.',
  ],
  ['Bedrock', 'Too many input tokens. Max input tokens: 300000, request input token count: 400000'],
  [
    'Cohere',
    'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt, or enabling prompt truncating.',
  ],
  [
    'Cohere',
    "too many tokens: size limit exceeded by 1234 tokens. Try using shorter or fewer inputs, or setting prompt_truncation='AUTO'.",
  ],
  [
    'DeepSeek',
    "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion).",
  ],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ['Moonshot', 'Invalid request: Your request exceeded model token limit: 8192'],
  ['Zhipu', 'Prompt 超长'],
  ['Zhipu', 'tokens in request more than max tokens allowed'],
  ['Qwen', '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]'],
  ['MiniMax', 'invalid params, context window exceeds limit (2013)'],
  ['Fireworks', 'The prompt is too long: 9000, model maximum context length: 8191'],
  [
    'Cerebras',
    'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
  ],
  ['Copilot', 'prompt token count of 130000 exceeds the limit of 128000'],
  ['TabbyAPI', 'Prompt length 9000 is greater than max_seq_len 8192'],
  ['LiteLLM', 'litellm.ContextWindowExceededError: the prompt was longer than the model reads'],
  [
    'Azure',
    "This model's maximum context length is 16385 tokens. However, you requested 17000 tokens (15000 in the messages, 2000 in the completion).",
  ],
  ['Databricks', 'Input length 9000 exceeds maximum allowed input length 8192'],
  ['Hugging Face', 'Input is too long. The total number of tokens must be at most 4096.'],
  ['Bedrock', 'too many total text bytes: 9000000 > 8000000'],
  ['Zhipu', 'Prompt exceeds max length'],
  ['Volcengine', 'Total tokens of image and text exceed max message tokens. Request id: 021'],
  ['Qianfan', 'the length of messages exceeds the limit: max input characters is 20000'],
  ['Jan', 'context shift is disabled: prompt does not fit'],
];

const NO_TOOLS: readonly [server: string, said: string][] = [
  ['Ollama', 'registry.ollama.ai/library/gemma:2b does not support tools'],
  ['vLLM', '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  [
    'OpenRouter',
    'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing',
  ],
  ['llama.cpp', 'tools param requires --jinja flag'],
  ['SGLang', 'Please set --tool-call-parser to use tools'],
  ['NIM', 'has not been implemented: tools'],
  ['LM Studio', 'This model does not have a chat template that supports tool use'],
  [
    'OpenRouter',
    "No endpoints found that support the provided 'tool_choice' value. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing",
  ],
  ['llama.cpp', 'Cannot use tools with stream'],
  ['Groq', '`tool calling` is not supported with this model'],
  ['DeepSeek', 'deepseek-reasoner does not support Function Calling'],
  ['Google', 'Function calling is not enabled for models/gemma-3-27b-it'],
  ['Google', 'Tool use with function calling is unsupported'],
  ['Bedrock', "This model doesn't support tool use."],
  ['Bedrock', "This model doesn't support tool use in streaming mode."],
  ['Mistral', 'Function calling is not enabled for this model'],
  ['OpenAI', "Unsupported parameter: 'tools' is not supported with this model."],
  [
    'OpenAI',
    'tools is not supported in this model. For a list of supported models, refer to https://platform.openai.com/docs/guides/function-calling#models-supporting-function-calling.',
  ],
  ['Azure', 'Unrecognized request argument supplied: tools'],
  ['Cohere', 'tools are not supported in this model'],
  ['Perplexity', 'Tool calling is not supported for this model'],
  ['Together', 'This model does not currently support function calling'],
  ['Hugging Face', 'The provider has no support for tool calls'],
  ['LM Studio', 'This model can’t use tools: it lacks tool support'],
];

const NEITHER: readonly string[] = [
  'temperature must be below 2',
  'max_tokens is too large: 5000. This model supports at most 4096 completion tokens, whereas you provided 5000.',
  'max_tokens must be less than or equal to 8192, the maximum value for max_tokens is less than the context_window for this model',
  "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 250 instead.",
  "Invalid schema for function 'search': array schema missing items.",
  "Invalid 'tools[3].function.name': string does not match pattern.",
  "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
  "Unsupported value: 'temperature' does not support 0.7 with this model.",
  'messages.1.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes',
  'The image is too large for this model.',
  "Invalid 'messages[1].name': string too long. Expected a string with maximum length 64, but got a string with length 70 instead.",
  "'max_tokens' is too large: 100000. This model's maximum context length is 8192 tokens and your request has 300 input tokens (100000 > 8192 - 300).",
  "Invalid 'stop': array too long. Expected an array with maximum length 4.",
  "Unexpected role 'user' after role 'tool'",
  'The response was filtered due to the prompt triggering our content management policy.',
  'stream_options is only allowed when stream is true',
  'System role not supported',
  'Incorrect API key provided.',
];

describe('too long', () => {
  it.each(TOO_LONG)('%s: %s', (_server, said) => {
    expect(saysTooLong(said)).toBe(true);
    expect(saysNoTools(said)).toBe(false);
    expect(saysLoading(said)).toBe(false);
  });
});

describe('no tools', () => {
  it.each(NO_TOOLS)('%s: %s', (_server, said) => {
    expect(saysNoTools(said)).toBe(true);
    expect(saysTooLong(said)).toBe(false);
  });
});

it.each(NEITHER)('neither: %s', (said) => {
  expect([saysTooLong(said), saysNoTools(said), saysLoading(said)]).toEqual([false, false, false]);
});

it.each([
  'Loading model',
  'The model is loading',
  'Model mistralai/Mistral-7B-Instruct-v0.2 is currently loading',
  'Model is still being loaded, try again later',
  'The model is not ready yet',
  'The model is warming up',
  'model is being downloaded',
])('loading: %s', (said) => {
  expect(saysLoading(said)).toBe(true);
  expect(saysTooLong(said)).toBe(false);
});

it.each([
  'error loading model: unable to allocate CUDA0 buffer',
  'failed to load model',
  'Model could not be loaded: loading model timed out',
  'llama runner process has terminated: error loading model',
])('not loading any more: %s', (said) => {
  expect(saysLoading(said)).toBe(false);
});

it('knows a request that alone takes more than a minute allows', () => {
  expect(
    exceedsPace(
      '… on tokens per min (TPM): Limit 30000, Requested 35000. The input or output tokens must be reduced.',
    ),
  ).toBe(true);
  expect(
    exceedsPace('… on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Try again in 2s.'),
  ).toBe(false);
  expect(exceedsPace('… on requests per min: Limit 3, Requested 5')).toBe(false);
});
