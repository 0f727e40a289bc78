/** The scenarios of MCP's own conformance suite for clients that sign in, each against its servers. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../support/bundled.ts';
import { createTempDir } from '../../support/service.ts';

const SUITE = fileURLToPath(bundled('conformance-suite'));
const CLIENT = fileURLToPath(bundled('conformance-client'));

/** All but those of extensions: clients without a person. */
const SCENARIOS = [
  '2025-03-26-oauth-metadata-backcompat',
  '2025-03-26-oauth-endpoint-fallback',
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
];

describe('conformance of a sign-in', () => {
  it.each(SCENARIOS)('%s', async (scenario) => {
    const command = `"${process.execPath}" "${CLIENT}"`;
    const args = [SUITE, 'client', '--command', command, '--scenario', `auth/${scenario}`];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
      cwd: await createTempDir(),
    }).catch((error: unknown) => error as { stdout: string; stderr: string });
    expect(`${stdout}\n${stderr}`).toContain('OVERALL: PASSED');
  });
});
