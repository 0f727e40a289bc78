/** The scenarios of MCP's own conformance suite for clients that sign in, each against its servers. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../support/bundled.ts';
import { createTempDir } from '../../support/service.ts';

const SUITE = fileURLToPath(bundled('conformance-suite'));
const CLIENT = fileURLToPath(bundled('conformance-client'));

/** The suite's scenarios that run side by side in one process. */
const AUTH_SUITE = [
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
];
/** What no suite has; with those above, all but extensions: clients without a person. */
const SINGLE = [
  '2025-03-26-oauth-metadata-backcompat',
  '2025-03-26-oauth-endpoint-fallback',
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
];

async function conform(...what: string[]): Promise<string> {
  const command = `"${process.execPath}" "${CLIENT}"`;
  const args = [SUITE, 'client', '--command', command, '--timeout', '60000', ...what];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    cwd: await createTempDir(),
  }).catch((error: unknown) => error as { stdout: string; stderr: string });
  return `${stdout}\n${stderr}`;
}

describe('conformance of a sign-in', () => {
  it('in every scenario of the suite', async () => {
    const reported = await conform('--suite', 'auth');
    for (const scenario of AUTH_SUITE)
      expect(reported).toMatch(new RegExp(`✓ auth/${scenario}: .* 0 failed`));
    expect(reported).toMatch(/Total: .* 0 failed, 0 warnings/);
  }, 90_000);

  it.each(SINGLE)('%s', async (scenario) => {
    expect(await conform('--scenario', `auth/${scenario}`)).toContain('OVERALL: PASSED');
  });
});
