/** The part of the API about prompts that are kept. */
import type { CreatePromptBody, Prompt } from '../../shared/api/prompt.ts';
import type { Ask } from './http.ts';

/** What of a prompt people write. */
export type WrittenPrompt = Pick<CreatePromptBody, 'name' | 'text'>;

/** Prompts of the workspace. */
export type PromptApi = ReturnType<typeof promptApi>;

/** The part of a client that {@link PromptApi} is. */
export const promptApi = (ask: Ask) => ({
  /** By name. */
  listPrompts: (): Promise<Prompt[]> =>
    ask((api) => api.GET('/api/v1/prompts')).then(({ prompts }) => prompts),
  createPrompt: (prompt: WrittenPrompt): Promise<Prompt> =>
    ask((api) => api.POST('/api/v1/prompts', { body: prompt })).then(({ prompt: made }) => made),
  updatePrompt: (promptId: string, prompt: WrittenPrompt): Promise<Prompt> =>
    ask((api) =>
      api.PATCH('/api/v1/prompts/{promptId}', { params: { path: { promptId } }, body: prompt }),
    ).then(({ prompt: changed }) => changed),
  /** It can't be restored. */
  deletePrompt: (promptId: string): Promise<Prompt> =>
    ask((api) => api.DELETE('/api/v1/prompts/{promptId}', { params: { path: { promptId } } })).then(
      ({ prompt }) => prompt,
    ),
});
