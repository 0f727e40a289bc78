/** Which model a chat starts with if none was chosen. */
import type { Workbench } from './workbench.svelte.ts';

type Parts = Pick<Workbench, 'catalog' | 'modelServers' | 'workspaces'>;

/** The workspace's default, unless that model is gone. */
export const usualModel = (parts: Parts): string =>
  unlessGone(parts, parts.workspaces.current?.defaultModel) ?? parts.catalog.defaultModel;

/** The agent's model, or that of the project of the next new chat, unless they are gone; else the usual one. */
export function newChatModel(parts: Parts & Pick<Workbench, 'newChatProject'>, agentType: string): string {
  const agent = parts.catalog.agents.find((each) => each.agentType === agentType);
  const model = unlessGone(parts, agent?.model) ?? unlessGone(parts, parts.newChatProject?.defaultModel);
  return model ?? usualModel(parts);
}

const unlessGone = ({ catalog, modelServers }: Parts, model: string | null = null): string | null =>
  model === null || modelServers.isGone(catalog, model) ? null : model;
