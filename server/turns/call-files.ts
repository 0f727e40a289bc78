/** The files that a turn's calls gave: kept in the store, each by itself, so that none holds up everybody else for long. */
import type { StepFile } from '../../shared/api/message.ts';
import { createStepFile, findStepFile, listCallFiles } from '../store/step-file-repository.ts';
import type { Store } from '../store/types.ts';
import { ToolError, type ToolFile } from '../tools/tool.ts';
import type { CallResult, Picture } from '../agents/host-port.ts';

/** What {@link createCallFiles} works with. */
export interface CallFilesDeps {
  store: Store;
  newId: () => string;
  chatId: string;
  replyId: string;
  /** Whether the turn's model can look at pictures that tools give. */
  takesPictures: boolean;
}

/** The files of a turn's calls. */
export interface CallFiles {
  /** Keeps what a call gave. Rejects with ToolError when the store takes no more. */
  keep(callId: string, files: readonly ToolFile[]): Promise<Omit<CallResult, 'output'>>;
  /** What was kept of a call. */
  find(callId: string): Omit<CallResult, 'output'>;
}

/** What models take as pictures, and how large: theirs is 5 MB of base64. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const MAX_PICTURE_BYTES = 3_500_000;

/** The files of one turn's calls. */
export function createCallFiles(deps: CallFilesDeps): CallFiles {
  const { store, newId, chatId, replyId, takesPictures } = deps;

  async function keepOne(callId: string, file: ToolFile, position: number): Promise<void> {
    const { name, mediaType, data } = file;
    const stored = { id: newId(), name, mediaType, bytes: data.length, chatId, callId, position };
    await store.write((writer) =>
      createStepFile(writer, { ...stored, messageId: replyId, data: data.toString('base64') }),
    );
  }

  function find(callId: string): Omit<CallResult, 'output'> {
    const files = store.read((reader) => listCallFiles(reader, callId, replyId));
    if (files.length === 0) return {};
    const pictures = takesPictures ? files.filter(isPicture).flatMap(readPicture) : [];
    return { files, ...(pictures.length > 0 && { pictures }) };
  }

  function readPicture({ id, mediaType }: StepFile): Picture[] {
    const found = store.read((reader) => findStepFile(reader, chatId, id));
    return found === null ? [] : [{ mediaType, data: found.data }];
  }

  return {
    async keep(callId, files) {
      try {
        for (const [position, file] of files.entries()) await keepOne(callId, file, position);
      } catch (error) {
        throw new ToolError('The tool did its work, but the files that it gave could not be kept.', {
          cause: error,
        });
      }
      return find(callId);
    },
    find,
  };
}

const isPicture = ({ mediaType, bytes }: StepFile): boolean =>
  PICTURES.has(mediaType) && bytes <= MAX_PICTURE_BYTES;
