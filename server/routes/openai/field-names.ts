/** What the two endpoints call the fields that they both have, for errors to name. */
export interface FieldNames {
  conversation: 'messages' | 'input';
  /** Where what else the model is told stands. */
  instructions: 'messages' | 'instructions';
  responseFormat: 'response_format' | 'text.format';
  effort: 'reasoning_effort' | 'reasoning.effort';
  maxTokens: 'max_tokens' | 'max_completion_tokens' | 'max_output_tokens';
}

export const CHAT_FIELDS: FieldNames = {
  conversation: 'messages',
  instructions: 'messages',
  responseFormat: 'response_format',
  effort: 'reasoning_effort',
  maxTokens: 'max_tokens',
};

export const RESPONSE_FIELDS: FieldNames = {
  conversation: 'input',
  instructions: 'instructions',
  responseFormat: 'text.format',
  effort: 'reasoning.effort',
  maxTokens: 'max_output_tokens',
};
