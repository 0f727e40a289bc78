/** Services that speak OpenAI's format, by the name that a person chooses them by. All need a key. */
export const PRESETS = {
  openrouter: { title: 'OpenRouter', address: 'https://openrouter.ai/api/v1' },
  deepseek: { title: 'DeepSeek', address: 'https://api.deepseek.com/v1' },
  groq: { title: 'Groq', address: 'https://api.groq.com/openai/v1' },
  xai: { title: 'xAI', address: 'https://api.x.ai/v1' },
  together: { title: 'Together', address: 'https://api.together.xyz/v1' },
  fireworks: { title: 'Fireworks', address: 'https://api.fireworks.ai/inference/v1' },
} as const;

/** A name in {@link PRESETS}. */
export type PresetName = keyof typeof PRESETS;

/** All names, in their order. */
export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[];
