/**
 * Parley's client for tool servers, as `@modelcontextprotocol/conformance` starts it: `node … <address of the server>`. The person
 * beside it signs in whenever a server asks for it.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMcpService } from '../../../server/mcp/mcp-service.ts';
import type { McpSignInBody } from '../../../shared/api/mcp.ts';
import { createSecrets } from '../../../server/secrets/secrets.ts';
import { openStore } from '../../../server/store/store.ts';
import { SignInNeededError } from '../../../server/tools/tool.ts';
import { toolContext } from '../tool-context.ts';

const REDIRECT = 'http://127.0.0.1:4141/oauth/callback';
const MAX_SIGN_INS = 3;

/** The client that the scenario registered, or the id document that it knows. */
function givenClient(): McpSignInBody {
  const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Record<string, unknown>;
  const { client_id: clientId, client_secret: clientSecret } = context;
  if (process.env['MCP_CONFORMANCE_SCENARIO'] === 'auth/basic-cimd')
    return { clientId: 'https://conformance-test.local/client-metadata.json' };
  return {
    ...(typeof clientId === 'string' && { clientId }),
    ...(typeof clientSecret === 'string' && { clientSecret }),
  };
}

const url = process.argv.at(-1) ?? '';
const dir = await mkdtemp(join(tmpdir(), 'parley-conformance-'));
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const store = await openStore({ dir: join(dir, 'store') });
const mcp = createMcpService({
  store,
  secrets: createSecrets({ dataDir: dir, openBox: () => Promise.resolve(null), log }),
  clock: () => new Date(),
  newId: randomUUID,
  log,
  onApprovalsWithdrawn: () => undefined,
  onError: (error) => log(String(error)),
});
let code = 0;
try {
  const { id } = await mcp.create({ name: 'Server', transport: 'http', url });

  const signIn = async (): Promise<void> => {
    const { url: address = '' } = (await mcp.signIn(id, REDIRECT, givenClient())) ?? {};
    const { headers } = await fetch(address, { redirect: 'manual' });
    const { problem } = await mcp.finishSignIn(new URL(headers.get('location') ?? '').searchParams);
    if (problem !== null) throw new Error(problem);
    const test = await mcp.testStored(id, {});
    log(`${test?.finding}: ${test?.message}`);
  };
  const isNeeded = async (): Promise<boolean> =>
    (await mcp.list()).some(({ signIn: state }) => state === 'needed' || state === 'ended');

  // What it asks for may take it longer than a new server is waited for.
  while ((await mcp.list()).some(({ state }) => state === 'opening')) await sleep(50);
  let signIns = 0;
  for (; signIns < MAX_SIGN_INS && (await isNeeded()); signIns += 1) await signIn();
  for (const tool of await mcp.tools.list(['orchestrator'])) {
    for (let tries = 0; ; tries += 1) {
      try {
        log(JSON.stringify(await tool.run({ a: 1, b: 2 }, toolContext({}))));
        break;
      } catch (error) {
        if (!(error instanceof SignInNeededError) || signIns >= MAX_SIGN_INS || tries >= MAX_SIGN_INS)
          throw error;
        signIns += 1;
        await signIn();
      }
    }
  }
} catch (error) {
  log(String(error));
  code = 1;
} finally {
  await mcp.close();
  await store.close();
  await rm(dir, { recursive: true, force: true });
}
process.exitCode = code;
