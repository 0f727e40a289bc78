/** Checks of messages, models and projects. Each throws AppError `invalid_request` if the check fails. */
import type { Attachment } from '../../shared/api/attachment.ts';
import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import { withThousands } from '../../shared/numbers.ts';
import { isKnownModel, NO_SUCH_MODEL, takesPictures } from '../connections/known-models.ts';
import { isModelName } from '../connections/model-names.ts';
import { invalidField } from '../errors.ts';
import { hasProject } from '../store/project-repository.ts';
import type { Reader } from '../store/types.ts';

const NO_WORDS = `"content" must be text of 1 to ${withThousands(MAX_CONTENT_CHARACTERS)} characters that is not only white space, unless files go along.`;

/** The message has text or files. */
export function requireWords(content: string, files: number): void {
  if (files === 0 && !/\S/.test(content)) throw invalidField('content', NO_WORDS);
}

/** The model exists, if one is named. */
export function requireModel(reader: Reader, model: string | null | undefined): void {
  if (model !== undefined && model !== null && !isKnownModel(reader, model))
    throw invalidField('model', NO_SUCH_MODEL);
}

/** The workspace has this project; null (none) passes. */
export function requireProject(reader: Reader, workspaceId: string, projectId: string | null): void {
  if (projectId === null || hasProject(reader, workspaceId, projectId)) return;
  throw invalidField('projectId', '"projectId" must be the id of a project of the workspace, or null.');
}

/** The message has no pictures for a model that is known not to see them. The built-in models accept any. */
export function requireSight(reader: Reader, model: string, attachments: readonly Attachment[]): void {
  const pictures = attachments.filter(({ kind }) => kind === 'image').map(({ name }) => `“${name}”`);
  if (pictures.length === 0 || isModelName(model) || takesPictures(reader, model) !== false) return;
  const words = `The model “${model}” can’t look at pictures (${pictures.join(', ')}). Choose one that can, or send the message without them.`;
  throw invalidField('attachments', words);
}
