/** Pictures that tools give, as models get them. */
import { expect, it, onTestFinished } from 'vitest';
import type { Picture } from '../../../server/agents/call-tool.ts';
import type { Provider } from '../../../shared/api/connection.ts';
import {
  startModelServer,
  type ModelServer,
  type WireName,
} from '../../support/model-servers/model-server.ts';
import { accessTo, runModelTurn, type RanTurn } from '../../support/model-servers/model-turn.ts';
import { hostedTool } from '../../support/call-tools.ts';
import { recordedPorts } from '../../support/turns.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const FILE = { id: 'f', name: 'dot.png', mediaType: 'image/png', bytes: 68 };

async function turn(
  provider: Provider,
  wire: WireName,
  { pictures, contextTokens = 100_000 }: { pictures: Picture[]; contextTokens?: number },
): Promise<{ ran: RanTurn; server: ModelServer; sent: string }> {
  const server = await startModelServer(wire, { scenario: 'looks' });
  onTestFinished(() => server.close());
  const ports = {
    ...recordedPorts(),
    callTool: () => Promise.resolve({ output: { file: 'dot.png' }, files: [FILE], pictures }),
  };
  const ran = await runModelTurn('Look', accessTo(server, provider, { contextTokens }), {
    ports,
    hosted: [hostedTool('show', {})],
  });
  return { ran, server, sent: JSON.stringify(server.asked().at(-1)?.body) };
}

const dot: Picture = { mediaType: 'image/png', data: PNG };

it.each<[Provider, WireName, string]>([
  ['anthropic', 'anthropic', `"type":"base64","media_type":"image/png","data":"${PNG}"`],
  ['google', 'google', `"inlineData":{"mimeType":"image/png","data":"${PNG}"}`],
])(
  'a model of %s looks at them within the turn; the step keeps their names',
  async (provider, wire, part) => {
    const { ran, sent } = await turn(provider, wire, { pictures: [dot] });
    expect(sent).toContain(part);
    expect(sent).toContain('dot.png');
    expect(ran.result).toMatchObject({
      content: 'I see.',
      steps: [{ output: { file: 'dot.png' }, files: [FILE] }],
    });
  },
);

it('those for which there is no room are left out, with a word', async () => {
  const pictures = Array.from({ length: 16 }, () => dot);
  const { ran, sent } = await turn('anthropic', 'anthropic', { pictures, contextTokens: 8_000 });
  expect(ran.result.outcome).toBe('replied');
  expect(sent).not.toContain(PNG);
  expect(sent).toContain('Its pictures are left out');
});
