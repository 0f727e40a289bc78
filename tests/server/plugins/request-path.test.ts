import { expect, it } from 'vitest';
import { areaOf } from '../../../server/plugins/request-path.ts';

it.each([
  ['/v1', 'openai'],
  ['/v1/models', 'openai'],
  ['/v1?x=1', 'openai'],
  ['/%761/models', 'openai'],
  ['http://127.0.0.1:4141/v1/models', 'openai'],
  ['/v1x', 'open'],
  ['/v', 'open'],
  ['/api/v1', 'api'],
  ['/api/v1/chats', 'api'],
  ['/api/v1x', 'open'],
  ['/api/v1/session', 'session'],
  ['/', 'open'],
])('the area of %s is %s', (target, area) => {
  expect(areaOf(target)).toBe(area);
});
