import { words } from './words/index.ts';

/** What people call a model; its own name where there is no other. */
export function modelName(model: string): string {
  const names: Readonly<Record<string, string>> = words.composer.modelNames;
  return names[model] ?? model;
}
