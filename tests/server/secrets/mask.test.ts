/** What is taken out of a tool server's words: its secrets, and from what its tools give nothing else. */
import { describe, expect, it } from 'vitest';
import { createMask, createStrictMask } from '../../../server/secrets/mask.ts';
import { openMcpParts } from '../../support/mcp-parts.ts';
import { startScriptedServer } from '../../support/mcp-server/scripted.ts';

const SETTINGS = {
  Authorization: 'Bearer sk-123456789',
  'X-Level': 'warning',
  'X-Env': 'production',
  'X-Dir': '/home/ana/notes',
  'X-Auth-Type': 'bearer',
};
const SAID =
  'curl -H "Authorization: Bearer $KEY"; the bearer gets level=warning in production at /home/ana/notes/todo.md';

describe('the mask of what a tool gives', () => {
  it('leaves alone what is set to an ordinary word or a path', async () => {
    const parts = await openMcpParts();
    const server = await startScriptedServer({
      'tools/call': (_message, _response, say) =>
        say({ content: [{ type: 'text', text: `${SAID} sk-123456789` }] }),
    });
    await parts.mcp.create({ name: 'Lamp', transport: 'http', url: server.url, headers: SETTINGS });
    expect(await parts.call('send')).toEqual({ text: `${SAID} …` });
  });

  it.each<[string, string, string]>([
    ['a key by its name', 'LAMP_KEY', 'lamp-key'],
    ['a pass phrase', 'LAMP_PASSWORD', 'correct horse battery'],
    ['what looks random, whatever its name', 'LAMP', '0123456789abcdef'],
    ['an address with a password', 'DATABASE_URL', 'postgres://ana:hunter22@db.example/lamps'],
  ])('takes out %s', (_what, name, value) => {
    expect(createMask({ [name]: value })(`It is ${value}.`)).toBe('It is ….');
  });

  it('takes out a key without the word before it, in pieces of a cookie, and as it stands in an address', () => {
    const mask = createMask({
      Authorization: 'Basic YW5hOmh1bnRlcjIy+w==',
      Cookie: 'theme=dark; id=0123456789abcdef',
    });
    expect(
      mask('key=YW5hOmh1bnRlcjIy%2Bw%3D%3D, YW5hOmh1bnRlcjIy+w==, id=0123456789abcdef, theme=dark'),
    ).toBe('key=…, …, …, theme=dark');
  });

  it('leaves alone words of a pass phrase, switches and short values', () => {
    const mask = createMask({
      PASSPHRASE: 'correct horse battery',
      USE_TOKEN: 'yes',
      URL: 'https://lamp.example/',
    });
    const said = 'yes, the battery of https://lamp.example/ is correct';
    expect(mask(said)).toBe(said);
  });
});

it('the mask of logs and faults takes out every value in all its pieces', () => {
  expect(createStrictMask(SETTINGS)('warning: no bearer, no sk-123456789 in /home/ana/notes')).toBe(
    '…: no …, no … in …',
  );
});

const KEY = 'sk-proj-Zt5/9+qLw_81"Xb';
const ENCODED: [string, string][] = [
  ['its first half', KEY.slice(0, KEY.length / 2)],
  ['its second half', KEY.slice(KEY.length / 2)],
  ['Base64', Buffer.from(KEY).toString('base64')],
  ['Base64 for addresses', Buffer.from(KEY).toString('base64url')],
  ['a header in Base64', Buffer.from(`Bearer ${KEY}`).toString('base64')],
  ['credentials in Base64', Buffer.from(`ana:${KEY}`).toString('base64')],
  ['hexadecimal', Buffer.from(KEY).toString('hex')],
  ['hexadecimal capitals', Buffer.from(KEY).toString('hex').toUpperCase()],
  ['a part of an address', encodeURIComponent(KEY)],
  ['JSON', JSON.stringify(KEY)],
  ['JSON escapes', KEY.replace(/./g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)],
  ['percent-encoding', KEY.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`)],
];

it.each(ENCODED)('a key is masked as %s', (_how, text) => {
  for (const create of [createMask, createStrictMask]) {
    const masked = create({ API_KEY: KEY })(`The key ${text} is wrong.`);
    // Of Base64, characters that also hold bits of what stands before are left, and what stands before.
    const left = masked.replace(/^The key |is wrong\.$|…/g, '').trim();
    expect(left.replace(/^"|"$/g, '').length).toBeLessThan(12);
    expect(masked).toMatch(/^The key .*….* is wrong\.$/);
  }
});
