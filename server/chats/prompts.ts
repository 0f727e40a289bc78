import type { CreatePromptBody, Prompt, UpdatePromptBody } from '../../shared/api/prompt.ts';
import { MAX_PROMPTS } from '../../shared/limits.ts';
import { AppError, found } from '../errors.ts';
import {
  countPrompts,
  createPrompt,
  deletePrompt,
  findPrompt,
  listPrompts,
  toPrompt,
  updatePrompt,
} from '../store/prompt-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { ServiceDeps } from './deps.ts';

/**
 * The prompts of a workspace. Results are on disk before they are returned. All but `list` and `create` reject with AppError `prompt_not_found`.
 */
export type PromptService = ReturnType<typeof createPromptService>;

/** Makes the prompt service of a store. */
export function createPromptService({ store, clock, newId }: ServiceDeps) {
  return {
    /** By name. */
    list: async (workspaceId: string): Promise<Prompt[]> =>
      (await readSettled(store, (reader) => listPrompts(reader, workspaceId))).map(toPrompt),
    /** Rejects with AppError `conflict` if there are too many. */
    create: (workspaceId: string, { name, text }: Pick<CreatePromptBody, 'name' | 'text'>): Promise<Prompt> =>
      store.write((writer) => {
        if (countPrompts(writer, workspaceId) >= MAX_PROMPTS) throw new AppError('conflict', TOO_MANY);
        const now = clock().toISOString();
        const prompt = { id: newId(), workspaceId, name: name.trim(), text, createdAt: now, updatedAt: now };
        createPrompt(writer, prompt);
        return toPrompt(prompt);
      }),
    update: (
      workspaceId: string,
      id: string,
      { name, text }: Pick<UpdatePromptBody, 'name' | 'text'>,
    ): Promise<Prompt> =>
      store.write((writer) => {
        const before = found(findPrompt(writer, workspaceId, id), 'prompt_not_found');
        const prompt = {
          ...before,
          name: name?.trim() ?? before.name,
          text: text ?? before.text,
          updatedAt: clock().toISOString(),
        };
        updatePrompt(writer, prompt, id);
        return toPrompt(prompt);
      }),
    remove: (workspaceId: string, id: string): Promise<Prompt> =>
      store.write((writer) => {
        const prompt = found(findPrompt(writer, workspaceId, id), 'prompt_not_found');
        deletePrompt(writer, id);
        return toPrompt(prompt);
      }),
  };
}

const TOO_MANY = `There are ${MAX_PROMPTS} prompts in this workspace already, which is the most there can be; delete one first.`;
