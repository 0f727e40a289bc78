/** Which models there are to choose from: the built-in ones, and what the connections' servers listed. */
import type { Model } from '../../shared/api/catalog.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { factsOf, type Provider } from '../../shared/providers.ts';
import { invalidField } from '../errors.ts';
import { MODEL_NAMES, isModelName } from './model-names.ts';
import { findAgentOfType } from '../store/agent-repository.ts';
import { findConnectionBySlug, listConnections, type ListedModel } from '../store/connection-repository.ts';
import { RECORDS } from './providers/index.ts';
import { seesByName } from './sees-pictures.ts';
import { findProjectOf } from '../store/project-repository.ts';
import type { Reader } from '../store/types.ts';
import { findWorkspace } from '../store/workspace-repository.ts';
import { splitModelName } from '../lib/slug.ts';

/** All models, the built-in ones first, then each connection's as its server orders them. */
export function listModels(reader: Reader): Model[] {
  const builtIn = MODEL_NAMES.map((name): Model => ({
    name,
    offline: true,
    connection: null,
    contextTokens: null,
    pictures: false,
    parameters: [],
  }));
  const connected = listConnections(reader).flatMap(({ slug, name, provider, models }) =>
    models.map(({ id, ...model }): Model => {
      const pictures = seesPictures(provider, { id, ...model });
      return {
        ...model,
        name: `${slug}/${id}`,
        offline: false,
        connection: name,
        ...(pictures !== null && { pictures }),
        parameters: [...factsOf(provider).parameters],
      };
    }),
  );
  return [...builtIn, ...connected];
}

/** The model of that name at its connection's server; `listed` if that lists it. Null: there is no such connection. */
function findConnected(reader: Reader, name: string) {
  const parts = splitModelName(name);
  const connection = parts && findConnectionBySlug(reader, parts.slug);
  if (parts === null || connection === null) return null;
  const { modelId } = parts;
  return { ...connection, modelId, listed: connection.models.find(({ id }) => id === modelId) };
}

/** Context size of the model of that name, in tokens; null: it is built in, or its server doesn't say. */
export const contextTokensOf = (reader: Reader, name: string): number | null =>
  isModelName(name) ? null : (findConnected(reader, name)?.listed?.contextTokens ?? null);

/** How many tokens the model of that name reads: what its server lists, else what its provider makes likely. */
export function readingLimit(reader: Reader, name: string): number {
  const model = isModelName(name) ? null : findConnected(reader, name);
  const assumed = RECORDS[model?.provider ?? 'openai_compatible'].assumedContextTokens;
  return model?.listed?.contextTokens ?? assumed;
}

const seesPictures = (
  provider: Provider,
  { id, pictures }: Pick<ListedModel, 'id' | 'pictures'>,
): boolean | null => pictures ?? seesByName(provider, id);

/** Whether the model of that name sees pictures; null: unknown. */
export function takesPictures(reader: Reader, name: string): boolean | null {
  if (isModelName(name)) return false;
  const model = findConnected(reader, name);
  return model && seesPictures(model.provider, model.listed ?? { id: model.modelId });
}

/** Whether a chat can be given the model of that name: one that is listed, or any of a server that lists none. */
export function isKnownModel(reader: Reader, name: string): boolean {
  if (isModelName(name)) return true;
  const model = findConnected(reader, name);
  return model !== null && (model.models.length === 0 || model.listed !== undefined);
}

/** The error for a field `model` that names no model. */
export const NO_SUCH_MODEL = '"model" must be the name of a model that GET /api/v1/models lists.';

/** Throws AppError `invalid_request` about that field for an unknown model; null (no model) passes. */
export function requireKnownModel(reader: Reader, field: string, name: string | null): void {
  if (name === null || isKnownModel(reader, name)) return;
  throw invalidField(field, `"${field}" must be the name of a model that GET /api/v1/models lists, or null.`);
}

/** The model of new chats: the agent's, project's or workspace's, in this order, that still exists; else the built-in one. */
export function modelOfNewChats(
  reader: Reader,
  workspaceId: string,
  agentType: string,
  projectId: string | null = null,
): string {
  const wanted = [
    findAgentOfType(reader, agentType)?.model,
    findProjectOf(reader, { workspaceId, projectId })?.defaultModel,
    findWorkspace(reader, workspaceId)?.defaultModel,
  ];
  return (
    wanted.find((model) => typeof model === 'string' && isKnownModel(reader, model)) ?? OFFLINE_MODEL_NAME
  );
}
