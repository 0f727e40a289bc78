/** Makes calls of the service's tools and stores the files they return. */
import type { StepFile } from '../../shared/api/message.ts';
import { isPictureType } from '../../shared/pictures.ts';
import { secondsOf } from '../../shared/numbers.ts';
import type { CallResult, Picture } from '../agents/call-tool.ts';
import { AppError } from '../errors.ts';
import { startAwakeTimer } from '../lib/awake-timer.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { createStepFile } from '../store/step-file-repository.ts';
import { boundOutput } from '../tools/bound-output.ts';
import {
  CALL_TIMEOUT_MS,
  DOUBT_WORDS,
  DoubtError,
  faultWords,
  LONGEST_CALL_MS,
  OutputWithFiles,
  ToolError,
  type Tool,
  type ToolContext,
  type ToolFile,
} from '../tools/tool.ts';
import type { Store } from '../store/types.ts';

/** A call that may be made. */
export interface ReadyCall {
  id: string;
  tool: Tool;
  input: unknown;
  /** The state that the person's approval was based on; null: nothing that could change. */
  basis: string | null;
  /** Where it is always allowed; null: a person was asked, or it never asks. */
  place: string | null;
}

/** Dependencies of making a turn's calls. */
export interface CallDeps {
  store: Store;
  newId: () => string;
  chatId: string;
  /** The reply of the turn. */
  replyId: string;
  context: Pick<ToolContext, 'workspace' | 'now' | 'timeZone'>;
  /** Whether the turn's model can see pictures that tools return. */
  takesPictures: boolean;
  /** Fires when the turn is stopped, times out, or the service stops. */
  signal: AbortSignal;
  /** Called whenever a call makes progress. */
  onProgress: () => void;
  /** Called with internal errors. */
  onFault: (error: unknown) => void;
}

/**
 * Makes a call of a tool of the service, limited in time and size, and stores the files that it returns. Rejects with ToolError or, if
 * the store refuses, AppError; or with whatever the tool threw when the signal fired.
 */
export async function makeCall(call: ReadyCall, deps: CallDeps): Promise<CallResult> {
  const { output, files } = await runTool(call, deps);
  return { output, ...(await keepFiles(deps, call.id, files)) };
}

async function runTool({ tool, input, basis, place }: ReadyCall, deps: CallDeps): Promise<OutputWithFiles> {
  const { signal } = deps;
  const { name, timeoutMs = CALL_TIMEOUT_MS, longestMs = LONGEST_CALL_MS } = tool;
  const late = new AbortController();
  const timer = startAwakeTimer(timeoutMs, () => late.abort(`gave no answer within ${secondsOf(timeoutMs)}`));
  const longest = startAwakeTimer(longestMs, () =>
    late.abort(`was not done within ${secondsOf(longestMs)}, though it reported progress`),
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
    if (error instanceof ToolError || error instanceof AppError || signal.aborted) throw error;
    deps.onFault(error);
    throw new ToolError(faultWords(name));
  } finally {
    timer.clear();
    longest.clear();
  }
}

const lateError = ({ name, changes }: Tool, why: string): ToolError => {
  const words = `The tool “${name}” ${why}, so it was given up.`;
  return changes ? new DoubtError(`${words} ${DOUBT_WORDS}`) : new ToolError(words);
};

/** The limit of models is 5 MB of Base64. */
const MAX_PICTURE_BYTES = 3_500_000;

/**
 * Stores the files that a call returned, each in its own transaction, so that none blocks others for long. Resolves with the
 * stored files, and those of the pictures that the turn's model can see. Rejects with ToolError if the store refuses.
 */
async function keepFiles(
  { store, newId, chatId, replyId, takesPictures }: CallDeps,
  callId: string,
  files: readonly ToolFile[],
): Promise<Omit<CallResult, 'output'>> {
  if (files.length === 0) return {};
  const kept: StepFile[] = [];
  const pictures: Picture[] = [];
  for (const [position, { name, mediaType, data: bytes }] of files.entries()) {
    const file: StepFile = { id: newId(), name, mediaType, bytes: bytes.length };
    const data = bytes.toString('base64');
    const stored = { ...file, chatId, messageId: replyId, callId, position, data };
    try {
      await store.write((writer) => createStepFile(writer, stored));
    } catch (error) {
      throw new ToolError('The tool did its work, but its files could not be stored.', { cause: error });
    }
    kept.push(file);
    if (takesPictures && isPicture(file)) pictures.push({ mediaType, data });
  }
  return { files: kept, ...(pictures.length > 0 && { pictures }) };
}

const isPicture = ({ mediaType, bytes }: StepFile): boolean =>
  isPictureType(mediaType) && bytes <= MAX_PICTURE_BYTES;
