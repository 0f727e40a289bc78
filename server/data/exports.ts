import { EXPORT_VERSION, type ExportFormat } from '../../shared/api/data.ts';
import { MAX_EXPORTED_FILES_CHARACTERS } from '../../shared/limits.ts';
import { EXPORT_FORMAT } from '../../shared/choices.ts';
import { findChatIn } from '../store/chat-repository.ts';
import { listChatIds } from '../store/export-repository.ts';
import { findProjectOf, listProjects, toProject, type StoredProject } from '../store/project-repository.ts';
import { listSchedules, toKept, type StoredSchedule } from '../store/schedule-repository.ts';
import { chatLines, type LineSource } from './chat-lines.ts';
import { fileNameFrom } from './file-names.ts';
import { chatDocument, chatsDocument } from './markdown.ts';

/** A file on its way to a client. */
export interface Download {
  fileName: string;
  contentType: string;
  /** Its text, in pieces; each chat is written as it is when its turn comes. */
  text: AsyncIterable<string>;
}

const download = (name: string, format: ExportFormat, text: AsyncIterable<string>): Download =>
  format === 'json'
    ? { fileName: `${name}.json`, contentType: 'application/json; charset=utf-8', text }
    : { fileName: `${name}.md`, contentType: 'text/markdown; charset=utf-8', text };

/** One chat; null when there is none of that id in that workspace (null: any), or it was deleted. */
export function exportChat(
  source: LineSource,
  chatId: string,
  workspaceId: string | null,
  format: ExportFormat,
  now: string,
): Download | null {
  const { store } = source;
  const chat = store.read((reader) => findChatIn(reader, chatId, workspaceId));
  if (chat === null) return null;
  const project = store.read((reader) => findProjectOf(reader, chat));
  const text =
    format === 'json'
      ? exportFile(source, [chatId], project === null ? [] : [project], [], now)
      : chatDocument(store, chatId);
  return download(fileNameFrom(chat.title), format, text);
}

/** All chats of a workspace, archived ones too. */
export function exportWorkspace(
  source: LineSource,
  workspaceId: string,
  format: ExportFormat,
  now: string,
): Download {
  const { store } = source;
  const { chatIds, projects, schedules } = store.read((reader) => ({
    chatIds: listChatIds(reader, workspaceId),
    projects: listProjects(reader, workspaceId),
    schedules: listSchedules(reader, workspaceId),
  }));
  const text =
    format === 'json'
      ? exportFile(source, chatIds, projects, schedules, now)
      : chatsDocument(store, chatIds, now);
  return download(`Parley chats ${now.slice(0, 10)}`, format, text);
}

async function* exportFile(
  source: LineSource,
  chatIds: string[],
  projects: readonly StoredProject[],
  schedules: readonly StoredSchedule[],
  exportedAt: string,
): AsyncGenerator<string> {
  const head = JSON.stringify({ format: EXPORT_FORMAT, version: EXPORT_VERSION, exportedAt });
  yield `${head.slice(0, -1)},`;
  if (projects.length > 0) yield `"projects":${JSON.stringify(projects.map(toProject))},\n`;
  if (schedules.length > 0) yield `"schedules":${JSON.stringify(schedules.map(toKept))},\n`;
  yield '"chats":[';
  yield* chatLines(source, chatIds, { characters: MAX_EXPORTED_FILES_CHARACTERS });
  yield ']}\n';
}
