// Asks Parley and prints the answer: node ask.mjs "What is 12.5% of 1840?"
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';

const { env, platform, argv } = process;
const folders = { win32: `${env.APPDATA}/Parley`, darwin: `${homedir()}/Library/Application Support/Parley` };
const usual = folders[platform] ?? `${env.XDG_DATA_HOME || `${homedir()}/.local/share`}/parley`;
const found = `${env.PARLEY_DATA_DIR || usual}/connection.json`; // there while Parley runs
const { baseUrl, apiKey } = JSON.parse(readFileSync(found, 'utf8'));

async function api(path, body) {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${baseUrl}/api/v1${path}`, request);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}

const { id } = await api('/chats', {});
let { chat } = await api(`/chats/${id}/messages?wait=60`, { content: argv[2] });
while (!['idle', 'failed', 'stopped'].includes(chat.status)) {
  ({ chat } = await api(`/chats/${id}?wait=60`));
}
const reply = (await api(`/chats/${id}/messages`)).messages.at(-1);
console.log(reply.error?.message ?? reply.content);
process.exitCode = chat.status === 'idle' ? 0 : 1;
