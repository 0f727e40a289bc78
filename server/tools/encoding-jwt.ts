import { Type } from 'typebox';
import { attempt } from '../../shared/attempt.ts';
import { bytesOfBase64, utf8TextOf } from './encoding-text.ts';
import { defineTool, ToolError } from './tool.ts';

/** Shows what a JSON Web Token says. Its signature is not checked. */
export const decodeJwtTool = defineTool({
  name: 'decode_jwt',
  description: 'Shows the header and the claims of a JSON Web Token (JWT). The signature is not verified.',
  input: Type.Object({
    token: Type.String({ description: 'The token: three parts with dots between them.' }),
  }),
  run({ token }, { now }) {
    const parts = token
      .trim()
      .replace(/^Bearer\s+/i, '')
      .split('.');
    const [header, payload] = parts;
    if (parts.length !== 3 || header === undefined || payload === undefined) {
      throw new ToolError('This is not a JSON Web Token: it needs three parts with dots between them.');
    }
    const claims = jsonOf(payload, 'claims');
    return {
      header: JSON.stringify(jsonOf(header, 'header'), null, 2),
      text: JSON.stringify(claims, null, 2),
      ...expiryOf(claims, now),
    };
  },
});

function jsonOf(part: string, name: string): object {
  const value = attempt(() => JSON.parse(utf8TextOf(bytesOfBase64(part)) ?? '') as unknown);
  if (typeof value === 'object' && value !== null) return value;
  throw new ToolError(`This is not a JSON Web Token: its ${name} can't be read.`);
}

function expiryOf(claims: object, now: Date): { expiresAt?: string; expired?: boolean } {
  const seconds = 'exp' in claims ? claims.exp : null;
  if (typeof seconds !== 'number') return {};
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return {};
  return { expiresAt: moment.toISOString(), expired: moment <= now };
}
