import { describe, expect, it } from 'vitest';
import { createKeyText } from '../../../server/auth/keys.ts';
import { createSessions } from '../../../server/auth/sessions.ts';
import { redact } from '../../../server/lib/redact.ts';

const SECRET = 'Ab3_dE6-gH9iJ0kLmN4pQrStUvWxYz12345678901AB';

describe('what is masked', () => {
  it('is every key and token that Parley makes', () => {
    const sessions = createSessions({ findKey: () => null, onUse: () => undefined });
    for (const secret of [
      createKeyText(),
      sessions.open({ browserId: null, keyDigest: null }),
      sessions.createToken('a key'),
      `back_${SECRET}.${SECRET}.${SECRET}`,
    ]) {
      const masked = redact(`before ${secret} after`);
      expect(masked).toMatch(/^before (parley|page|back)_… after$/);
    }
  });

  it.each([
    ['http://127.0.0.1:4141/#token=page_abc', 'http://127.0.0.1:4141/#token=…'],
    [`http://127.0.0.1:4141/#token=${SECRET}`, 'http://127.0.0.1:4141/#token=…'],
    [`http://127.0.0.1/%23token%3D${SECRET}`, 'http://127.0.0.1/%23token%3D…'],
    [`https://x.example/?api_key=${SECRET}&q=1`, 'https://x.example/?api_key=…&q=1'],
    [`Authorization: Bearer ${SECRET}`, 'Authorization: Bearer …'],
    [`bearer ${SECRET}.x`, 'bearer …'],
    [`{"x-api-key":"${SECRET}"}`, '{"x-api-key":"…"}'],
    ['https://ada:lovelace@x.example/', 'https://…@x.example/'],
    [`sk-proj-${SECRET}`, 'sk-…'],
    [`sk-ant-api03-${SECRET}, then`, 'sk-…, then'],
    [`(gsk_${SECRET})`, '(gsk_…)'],
    [`AIza${SECRET}`, 'AIza…'],
    [`eyJ${SECRET}.${SECRET}.${SECRET}`, 'eyJ…'],
  ])('%s', (text, masked) => {
    expect(redact(text)).toBe(masked);
  });

  it('is each of several in one text', () => {
    expect(redact(`a parley_${SECRET}\nb parley_${SECRET}`)).toBe('a parley_…\nb parley_…');
  });

  it.each([
    'Parley 0.1.0 is running at http://127.0.0.1:4141',
    'chat 0192f0c4-7d1e-7a55-9b1f-0e6f1d2c3b4a: TypeError: x is not a function',
    '    at run (file:///home/ada/parley/out/main/chunks/start-AbC12.js:10:20)',
    'the page_size is 20',
  ])('leaves alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
