/** Makes calls of the service's tools and stores the files they return. */
import type { StepFile } from '../../shared/api/message.ts';
import { isPictureType } from '../../shared/pictures.ts';
import type { CallResult, Picture } from '../agents/host-port.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { createStepFile, findStepFile, listCallFiles } from '../store/step-file-repository.ts';
import { boundOutput } from '../tools/bound-output.ts';
import {
  CALL_TIMEOUT_MS,
  DOUBT_WORDS,
  DoubtError,
  LONGEST_CALL_MS,
  OutputWithFiles,
  ToolError,
  type Tool,
  type ToolContext,
  type ToolFile,
} from '../tools/tool.ts';
import type { TurnScope } from './call-journal.ts';

/** A call that may be made. */
interface ReadyCall {
  input: unknown;
  /** The state that the person's approval was based on; null: nothing that could change. */
  basis: string | null;
  /** Where it is always allowed; null: a person was asked, or it never asks. */
  place: string | null;
}

/** Dependencies of making a call. */
export interface CallDeps {
  context: Pick<ToolContext, 'workspace' | 'now' | 'timeZone'>;
  /** Fires when the turn is stopped, times out, or the service stops. */
  signal: AbortSignal;
  /** Called whenever a call makes progress. */
  onProgress: () => void;
  /** Called with internal errors. */
  onFault: (tool: string, error: unknown) => void;
}

/**
 * Makes a call of a tool of the service, limited in time and size. Rejects with ToolError, or with whatever the tool threw when
 * the signal fired.
 */
export async function makeCall(
  tool: Tool,
  { input, basis, place }: ReadyCall,
  deps: CallDeps,
): Promise<OutputWithFiles> {
  const { signal } = deps;
  const { name, timeoutMs = CALL_TIMEOUT_MS, longestMs = LONGEST_CALL_MS } = tool;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(`gave no answer within ${secondsOf(timeoutMs)}`), timeoutMs);
  const longest = setTimeout(
    () => late.abort(`was not done within ${secondsOf(longestMs)}, though it reported progress`),
    longestMs,
  );
  const both = AbortSignal.any([signal, late.signal]);
  try {
    const running = tool.run(input as Record<string, unknown>, {
      ...deps.context,
      signal: both,
      ...(basis !== null && { basis }),
      ...(place !== null && { place }),
      onProgress: () => {
        if (both.aborted) return;
        timer.refresh();
        deps.onProgress();
      },
    });
    const result = await unlessAborted(both, Promise.resolve(running));
    const { output, files } = result instanceof OutputWithFiles ? result : new OutputWithFiles(result, []);
    return new OutputWithFiles(boundOutput(output), files);
  } catch (error) {
    if (late.signal.aborted && !signal.aborted) throw lateError(tool, String(late.signal.reason));
    if (error instanceof ToolError || signal.aborted) throw error;
    deps.onFault(name, error);
    throw new ToolError(`The tool “${name}” failed because of a bug in it.`);
  } finally {
    clearTimeout(timer);
    clearTimeout(longest);
  }
}

const secondsOf = (milliseconds: number): string => `${Math.max(1, Math.round(milliseconds / 1000))} seconds`;

const lateError = ({ name, changes }: Tool, why: string): ToolError => {
  const words = `The tool “${name}” ${why}, so it was given up.`;
  return changes ? new DoubtError(`${words} ${DOUBT_WORDS}`) : new ToolError(words);
};

/** The limit of models is 5 MB of Base64. */
const MAX_PICTURE_BYTES = 3_500_000;

/** Dependencies of storing the files of calls. */
export interface FileDeps extends TurnScope {
  /** Whether the turn's model can see pictures that tools return. */
  takesPictures: boolean;
}

/**
 * Stores the files that a call returned, each in its own transaction, so that none blocks others for long. Rejects with ToolError
 * if the store refuses.
 */
export async function keepFiles(
  deps: FileDeps,
  callId: string,
  files: readonly ToolFile[],
): Promise<Omit<CallResult, 'output'>> {
  const { store, newId, chatId, replyId } = deps;
  try {
    for (const [position, { name, mediaType, data }] of files.entries()) {
      const stored = { id: newId(), name, mediaType, bytes: data.length, chatId, callId, position };
      await store.write((writer) =>
        createStepFile(writer, { ...stored, messageId: replyId, data: data.toString('base64') }),
      );
    }
  } catch (error) {
    throw new ToolError('The tool did its work, but its files could not be stored.', {
      cause: error,
    });
  }
  return keptFiles(deps, callId);
}

/** The stored files of a call, and those of its pictures that the turn's model can see. */
export function keptFiles(
  { store, chatId, replyId, takesPictures }: FileDeps,
  callId: string,
): Omit<CallResult, 'output'> {
  const files = store.read((reader) => listCallFiles(reader, callId, replyId));
  if (files.length === 0) return {};
  const pictures = (takesPictures ? files.filter(isPicture) : []).flatMap(({ id, mediaType }): Picture[] => {
    const found = store.read((reader) => findStepFile(reader, chatId, id));
    return found === null ? [] : [{ mediaType, data: found.data }];
  });
  return { files, ...(pictures.length > 0 && { pictures }) };
}

const isPicture = ({ mediaType, bytes }: StepFile): boolean =>
  isPictureType(mediaType) && bytes <= MAX_PICTURE_BYTES;
