/**
 * The service with tools that reach out (recording-source.ts), as a process of its own; see serve-entry.ts.
 * `PARLEY_TEST_APPROVAL_MS`: how long a person has to answer.
 */
import { createRecordingSource } from './recording-source.ts';
import { serveEntry } from './serve-entry.ts';

const approvalMs = process.env['PARLEY_TEST_APPROVAL_MS'];

await serveEntry(() => ({
  hostTools: {
    sources: [createRecordingSource()],
    ...(approvalMs !== undefined && { approvalMs: Number(approvalMs) }),
  },
}));
