import { expect, it } from 'vitest';
import { asCurl } from '../../../../renderer/settings/api/as-curl.ts';

const URL = 'http://127.0.0.1:4141';
const KEY = '-H "Authorization: Bearer $PARLEY_KEY"';
const JSON_TYPE = "-H 'Content-Type: application/json'";

it.each([
  ['GET', '/api/v1/chats?page=2', `curl '${URL}/api/v1/chats?page=2' ${KEY}`],
  ['HEAD', '/health', `curl -I '${URL}/health' ${KEY}`],
  ['DELETE', '/api/v1/chats/a', `curl -X DELETE '${URL}/api/v1/chats/a' ${KEY}`],
  ['POST', '/api/v1/chats', `curl -X POST '${URL}/api/v1/chats' ${KEY} ${JSON_TYPE} -d '{}'`],
  [
    'POST',
    '/api/v1/chats/a/messages',
    `curl -X POST '${URL}/api/v1/chats/a/messages' ${KEY} ${JSON_TYPE} -d '{"content": "…"}'`,
  ],
  ['GET', "/api/v1/chats/'; rm -rf ~; '", `curl '${URL}/api/v1/chats/'\\''; rm -rf ~; '\\''' ${KEY}`],
])('%s %s becomes a command line with the key as a variable', (method, path, line) => {
  expect(asCurl({ method, path }, URL)).toBe(line);
});
