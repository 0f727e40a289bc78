import type { Chat } from '../../../shared/api/chat.ts';
import type {
  Backup,
  DataInfo,
  FileFindings,
  ImportPreview,
  ImportResult,
} from '../../../shared/api/data.ts';
import { MAX_PAGE_SIZE } from '../../../shared/limits.ts';
import type { ApiClient } from '../../api/client.ts';
import { importArchive, previewArchive } from '../../api/files.ts';
import { readExport, sendParts, type ImportProgress } from './split-import.ts';

type DataApi = Pick<
  ApiClient,
  | 'open'
  | 'findImportProgress'
  | 'findChat'
  | 'findDataInfo'
  | 'importChats'
  | 'listBackups'
  | 'createBackup'
  | 'restoreBackup'
  | 'deleteBackup'
  | 'listChats'
  | 'restoreChat'
  | 'deleteChat'
>;

const PROGRESS_INTERVAL_MS = 400;
/** Chats that came in to which the way is shown. */
const MAX_LINKS = 5;

/** What is kept, and what was deleted, as the settings show it. All methods reject as the API does. */
export class Data {
  info = $state.raw<DataInfo | null>(null);
  /** Newest first; null until the first answer. */
  backups = $state.raw<readonly Backup[] | null>(null);
  /** Deleted chats that can still be restored, newest deletion first; null until the first answer. */
  deleted = $state.raw<readonly Chat[] | null>(null);
  /** How many of them there are, listed or not. */
  deletedTotal = $state(0);
  /** How far the import under way has come; null when none is. */
  progress = $state.raw<ImportProgress | null>(null);
  readonly #api: DataApi;
  readonly #onChats: () => void;

  /** `onChats` is called when chats or workspaces may have come in. */
  constructor(api: DataApi, onChats: () => void) {
    this.#api = api;
    this.#onChats = onChats;
  }

  async refreshInfo(): Promise<void> {
    this.info = await this.#api.findDataInfo();
  }

  async refreshBackups(): Promise<void> {
    this.backups = await this.#api.listBackups();
  }

  /** Lists as many pages of the deleted chats as are listed already. */
  refreshDeleted(): Promise<void> {
    return this.#listDeleted(Math.max(1, Math.ceil((this.deleted?.length ?? 0) / MAX_PAGE_SIZE)));
  }

  /** Lists more of the deleted chats. */
  moreDeleted(): Promise<void> {
    return this.#listDeleted(Math.floor((this.deleted?.length ?? 0) / MAX_PAGE_SIZE) + 1);
  }

  async #listDeleted(pages: number): Promise<void> {
    const found: Chat[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const { data, total } = await this.#api.listChats(page, MAX_PAGE_SIZE, { deleted: 'true' });
      found.push(...data.filter(({ id }) => !found.some((chat) => chat.id === id)));
      this.deletedTotal = total;
    }
    this.deleted = found;
  }

  /** Brings in an export file. Rejects with UnfitFile or ImportStopped, too. */
  async importFile(file: Blob): Promise<ImportResult> {
    this.progress = { done: 0, total: 0 };
    try {
      return await sendParts(this.#api, await readExport(file), (progress) => (this.progress = progress));
    } finally {
      this.progress = null;
      this.#noteChats();
    }
  }

  /** What an export of another app holds. */
  previewArchive(file: Blob, signal: AbortSignal): Promise<ImportPreview> {
    return previewArchive(this.#api, file, signal);
  }

  /** Brings it in; `total` is how many chats it holds. */
  async importArchive(file: Blob, total: number): Promise<ImportResult> {
    this.progress = { done: 0, total };
    const timer = setInterval(() => void this.#followImport(total), PROGRESS_INTERVAL_MS);
    try {
      return await importArchive(this.#api, file);
    } finally {
      clearInterval(timer);
      this.progress = null;
      this.#noteChats();
    }
  }

  /** The first of the chats that came in, as far as they are still there. */
  async findImported({ chatIds }: ImportResult): Promise<Chat[]> {
    const found = await Promise.allSettled(chatIds.slice(0, MAX_LINKS).map((id) => this.#api.findChat(id)));
    return found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  }

  async #followImport(total: number): Promise<void> {
    const done = await this.#api.findImportProgress().catch(() => null);
    if (done !== null && this.progress !== null) this.progress = { done: Math.min(done, total), total };
  }

  /** Makes a backup; resolves with what a restore of it would put right or leave out. */
  async backUp(): Promise<FileFindings> {
    const { backup, ...findings } = await this.#api.createBackup();
    this.backups = [backup, ...(this.backups ?? [])];
    this.#noteSizes();
    return findings;
  }

  async restoreBackup(name: string): Promise<ImportResult> {
    try {
      return await this.#api.restoreBackup(name);
    } finally {
      this.#noteChats();
    }
  }

  async deleteBackup(name: string): Promise<void> {
    await this.#api.deleteBackup(name);
    this.backups = this.backups?.filter((backup) => backup.name !== name) ?? null;
    this.#noteSizes();
  }

  async restoreChat(chat: Chat): Promise<void> {
    await this.#api.restoreChat(chat.id);
    this.#dropDeleted(chat);
    this.#noteChats();
  }

  async eraseChat(chat: Chat): Promise<void> {
    await this.#api.deleteChat(chat.id, true);
    this.#dropDeleted(chat);
    this.#noteSizes();
  }

  #dropDeleted(chat: Chat): void {
    this.deleted = this.deleted?.filter(({ id }) => id !== chat.id) ?? null;
    this.deletedTotal = Math.max(0, this.deletedTotal - 1);
  }

  #noteChats(): void {
    this.#onChats();
    this.#noteSizes();
  }

  #noteSizes(): void {
    if (this.info !== null) void this.refreshInfo().catch(() => undefined);
  }
}
